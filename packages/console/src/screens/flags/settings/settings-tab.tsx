import { useFlag } from '../flag-context.ts'
import { ArchivePanel } from './archive-panel.tsx'
import { SettingsForm } from './settings-form.tsx'

/** The flag's settings, shared by all environments. */
export function SettingsTab() {
  const flag = useFlag()
  return (
    <div className="grid min-w-0 max-w-review gap-16">
      <SettingsForm key={flag.id} flag={flag} />
      <ArchivePanel flag={flag} />
    </div>
  )
}
