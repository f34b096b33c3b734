import { useQuery } from '@tanstack/react-query'
import { type Environment, environmentsQuery } from '../../../api/environments.ts'
import { MayNotice } from '../../../shell/may-notice.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { SectionScreen } from '../../../shell/section-screen.tsx'
import { Async, Missing } from '../../../ui/states.tsx'
import { ManagedNotice } from '../managed-notice.tsx'
import { DroppedPanel } from './dropped-panel.tsx'
import { ErasurePanel } from './erasure-panel.tsx'
import { QuarantinePanel } from './quarantine-panel.tsx'
import { RetentionForm } from './retention-form.tsx'
import { ScrubForm } from './scrub-form.tsx'
import { StoragePanel } from './storage-panel.tsx'

/** The telemetry data of an environment: retention, scrubbing, dropped events and erasures. */
export function DataScreen() {
  const { project, environment: chosen } = useScope()
  const environments = useQuery(environmentsQuery(project))
  const environment = environments.data?.items.find(({ key }) => key === chosen.key)

  return (
    <SectionScreen
      of="settings"
      title="Retention and privacy"
      scope="environment-and-time"
      lead="How long telemetry is kept, what is masked before storage, and what was dropped."
    >
      <Async of={environments}>
        {() =>
          environment ? (
            <Parts key={environment.id} project={project} environment={environment} />
          ) : (
            <Missing />
          )
        }
      </Async>
    </SectionScreen>
  )
}

function Parts({ project, environment }: { project: string; environment: Environment }) {
  const place = { project, env: environment.key }
  return (
    <>
      <MayNotice permission="environments.manage" environment={environment} />
      {environment.managed && <ManagedNotice />}
      <RetentionForm project={project} environment={environment} />
      <StoragePanel project={project} environment={environment} />
      <DroppedPanel place={place} />
      <QuarantinePanel place={place} />
      <ScrubForm project={project} environment={environment} />
      <ErasurePanel place={place} />
    </>
  )
}
