import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { firstEventQuery } from '../../api/first-event.ts'
import { keysQuery } from '../../api/keys.ts'
import { Health } from '../../features/health/health.tsx'
import { SampledNotice } from '../../features/usage/sampled-notice.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { boundsOf } from '../../shell/time-range.ts'
import { useQuestion } from '../../shell/use-question.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton, Trouble } from '../../ui/states.tsx'
import { AttentionPanel } from './attention-panel.tsx'
import { FirstSteps } from './first-steps.tsx'
import { GuardsPanel } from './guards-panel.tsx'
import { MovedPagesPanel } from './moved-pages-panel.tsx'
import { NewErrorsPanel } from './new-errors-panel.tsx'
import { lastUse } from './use-arrival.ts'

/**
 * Where events were seen before: without the telemetry store, a silent environment is indistinguishable from a
 * busy one.
 */
const keyOf = (project: string, env: string) => `telltale.heard.${project}.${env}`

function noteReceived(project: string, env: string): void {
  localStorage.setItem(keyOf(project, env), 'yes')
}

function wasReceived(project: string, env: string): boolean {
  return localStorage.getItem(keyOf(project, env)) !== null
}

/** The health of the application; until there is data, how to connect it. */
export function OverviewScreen() {
  const { project, environment } = useScope()
  return <OverviewOf key={`${project} ${environment.key}`} />
}

function OverviewOf() {
  const { project, environment } = useScope()
  const keys = useQuery(keysQuery(project, environment.key))
  // There are no events before a key was used.
  const isUsed = lastUse(keys.data?.items) !== undefined
  const newest = useQuery({ ...firstEventQuery(project, environment.key), enabled: isUsed })
  const [wasEmpty, setWasEmpty] = useState(false)
  const isSilent = newest.isError && !wasReceived(project, environment.key)
  const isEmpty = newest.data === null || (keys.data && !isUsed) || isSilent
  if (isEmpty && !wasEmpty) setWasEmpty(true)
  const hasEvents = Boolean(newest.data)
  useEffect(() => {
    if (hasEvents) noteReceived(project, environment.key)
  }, [hasEvents, project, environment.key])

  if (!keys.data || (!wasEmpty && newest.isPending)) {
    return (
      <Screen title="Overview" scope="environment-and-time">
        {keys.error ? (
          <Trouble error={keys.error} onRetry={() => void keys.refetch()} />
        ) : (
          <Skeleton rows={8} />
        )}
      </Screen>
    )
  }
  if (wasEmpty) {
    return (
      <Screen title="Overview">
        {hasEvents && <HasArrived onShow={() => setWasEmpty(false)} />}
        <FirstSteps />
      </Screen>
    )
  }
  return (
    <Screen title="Overview" scope="environment-and-time">
      <Sampled />
      <Panels />
    </Screen>
  )
}

/** Whether a quota or a spike reduced the data of the range. Rounded, so that a moving range is read once. */
function Sampled() {
  const { project, environment, range } = useScope()
  const now = Math.ceil(Date.now() / minute) * minute
  const { from, to } = boundsOf(range, now)
  const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  return <SampledNotice place={{ project, env: environment.key }} period={period} />
}

const minute = 60_000

/** The first event is shown before the screen changes. */
function HasArrived({ onShow }: { onShow: () => void }) {
  return (
    <div className="flex max-w-review flex-wrap items-center justify-between gap-12 rounded-panel border border-line bg-surface px-14 py-10">
      <p className="text-pretty">Data is arriving. The overview is ready.</p>
      <Button look="primary" onClick={onShow}>
        Show overview
      </Button>
    </div>
  )
}

function Panels() {
  const { question } = useQuestion()
  return (
    <div className="grid min-w-0 gap-16">
      <div className="grid min-w-0 gap-16 full:grid-cols-[minmax(0,1fr)_316px]">
        <div className="grid min-w-0 content-start">
          <Health question={question} />
        </div>
        <div className="grid content-start gap-16 max-full:contents">
          <div className="grid max-full:-order-1">
            <AttentionPanel question={question} />
          </div>
          <GuardsPanel />
        </div>
      </div>
      <div className="grid min-w-0 gap-16 full:grid-cols-2">
        <MovedPagesPanel question={question} />
        <NewErrorsPanel question={question} />
      </div>
    </div>
  )
}
