import { useQuery } from '@tanstack/react-query'
import { flagConfigQuery, targetedFlagQuery } from '../../../api/flag-configs.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Skeleton, Trouble } from '../../../ui/states.tsx'
import { TargetingEditor } from './targeting-editor.tsx'

/** The targeting tab of a flag in an environment. All three are keys. */
export function TargetingTab({ project, flag, env }: { project: string; flag: string; env: string }) {
  const { environments } = useScope()
  const place = { project, flag, env }
  const described = useQuery(targetedFlagQuery(place))
  const config = useQuery(flagConfigQuery(place))
  const environment = environments.find(({ key }) => key === env)
  const error = described.error ?? config.error

  if (described.data && config.data && environment) {
    return (
      <TargetingEditor
        // Another flag or environment has a separate draft.
        key={`${flag} ${env}`}
        flag={described.data}
        environment={environment}
        config={config.data}
        place={place}
      />
    )
  }
  if (error || !environment) {
    const retry = () => void Promise.all([described.refetch(), config.refetch()])
    return <Trouble error={error ?? { title: 'Environment not found', status: 404 }} onRetry={retry} />
  }
  return <Loading />
}

/** Placeholder with the layout of the tab. */
function Loading() {
  return (
    <div className="grid min-w-0 items-start gap-16 full:grid-cols-[minmax(0,1fr)_304px]">
      <div className="grid min-w-0 gap-16">
        <Panel>
          <Skeleton rows={1} label="Loading the targeting" />
        </Panel>
        <Panel>
          <Skeleton rows={6} label="Loading the rules" />
        </Panel>
      </div>
      <Panel>
        <Skeleton rows={4} label="Loading the trial" />
      </Panel>
    </div>
  )
}
