import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { use, useCallback } from 'react'
import { chosenEnvironment, environmentsQuery } from '../api/environments.ts'
import type { Refusal } from '../ui/refusal.ts'
import { Skeleton, Trouble } from '../ui/states.tsx'
import { ShorterRange } from '../ui/text/shorter-range.ts'
import { TimeZone } from '../ui/text/time.tsx'
import { timeText } from '../ui/text/time-text.ts'
import { ScopeContext, useScope, useSetScope } from './scope-context.ts'
import { Screen } from './screen.tsx'
import { useTimeZone } from './time-display.ts'
import { defaultTimeRange, isMoving, labelOfRange, rangeOf } from './time-range.ts'

/** Renders a project's screens once its environments are loaded, and an error when they cannot be. */
export function ProjectScope({ children }: { children: ReactNode }) {
  const { project } = useParams({ from: '/p/$project' })
  const search = useSearch({ from: '/p/$project' })
  const environments = useQuery(environmentsQuery(project))
  const items = environments.data?.items ?? []
  const environment = chosenEnvironment(items, search.env)
  const timeZone = useTimeZone(environment?.timeZone)

  if (!environments.data) {
    return (
      <Screen title={project} scope="none">
        {environments.error ? (
          <Trouble error={environments.error} onRetry={() => void environments.refetch()} />
        ) : (
          <Skeleton rows={8} />
        )}
      </Screen>
    )
  }
  if (!environment) {
    return (
      <Screen title={project} scope="none">
        <Trouble error={{ title: 'This project has no environment', detail: 'An admin can create one.' }} />
      </Screen>
    )
  }
  return (
    <ScopeContext value={{ project, environments: items, environment, range: search.t ?? defaultTimeRange }}>
      <TimeZone value={timeZone}>
        <ShorterRangeOffer>{children}</ShorterRangeOffer>
      </TimeZone>
    </ScopeContext>
  )
}

/** Offers the server's shorter period wherever a query is too large. */
function ShorterRangeOffer({ children }: { children: ReactNode }) {
  const { range } = useScope()
  const setScope = useSetScope()
  const timeZone = use(TimeZone)
  const offer = useCallback(
    (shorter: Refusal['shorter']) => {
      if (shorter === undefined) return undefined
      const bounds = { from: Date.parse(shorter.from), to: Date.parse(shorter.to) }
      const t = rangeOf(bounds, isMoving(range))
      const label = labelOfRange(t, (at) => timeText(at, Date.now(), timeZone))
      return { label: label.replace(/^L/, 'the l'), choose: () => setScope({ t }) }
    },
    [range, setScope, timeZone],
  )
  return <ShorterRange value={offer}>{children}</ShorterRange>
}
