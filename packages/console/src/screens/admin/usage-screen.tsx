import { useNavigate, useSearch } from '@tanstack/react-router'
import { UsagePanels } from '../../features/usage/usage-panels.tsx'
import { OwnersOnly } from '../../shell/owners-only.tsx'
import { SectionScreen } from '../../shell/section-screen.tsx'
import { DiskPanel } from './disk-panel.tsx'

/** What every project used, and when the disk is full. */
export function InstallationUsageScreen() {
  const search = useSearch({ from: '/admin/usage' })
  const navigate = useNavigate({ from: '/admin/usage' })
  return (
    <SectionScreen
      of="admin"
      title="Usage"
      lead="What the projects of this installation stored and evaluated."
    >
      <OwnersOnly>
        <DiskPanel />
        <UsagePanels
          project={undefined}
          search={search}
          onSearch={(change) =>
            void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false, replace: true })
          }
        />
      </OwnersOnly>
    </SectionScreen>
  )
}
