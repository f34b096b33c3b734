import { useFlag } from '../flag-context.ts'
import { ArchivePanel } from './archive-panel.tsx'
import { SettingsForm } from './settings-form.tsx'

/** What the flag is, the same in every environment. */
export function SettingsTab() {
  const flag = useFlag()
  return (
    <div className="grid min-w-0 max-w-review gap-16">
      <SettingsForm key={flag.id} flag={flag} />
      <ArchivePanel flag={flag} />
    </div>
  )
}
