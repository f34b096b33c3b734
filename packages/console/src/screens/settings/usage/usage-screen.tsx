import { useNavigate, useSearch } from '@tanstack/react-router'
import { UsagePanels } from '../../../features/usage/usage-panels.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { SectionScreen } from '../../../shell/section-screen.tsx'
import { DocsLink } from '../../../ui/docs-link.tsx'
import { QuotasPanel } from './quotas-panel.tsx'
import { SampledTimes } from './sampled-times.tsx'

/** What the project used, by environment, SDK key and application. */
export function UsageScreen() {
  const { project } = useScope()
  const search = useSearch({ from: '/p/$project/settings/usage' })
  const navigate = useNavigate({ from: '/p/$project/settings/usage' })
  return (
    <SectionScreen
      of="settings"
      title="Usage"
      lead={
        <>
          What this project stored and evaluated, in all environments.{' '}
          <DocsLink page="guides/usage">Guide</DocsLink>
        </>
      }
    >
      <UsagePanels
        project={project}
        search={search}
        onSearch={(change) =>
          void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false, replace: true })
        }
      />
      <QuotasPanel project={project} />
      <SampledTimes project={project} />
    </SectionScreen>
  )
}
