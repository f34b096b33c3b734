import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { environmentsQuery } from '../api/environments.ts'
import { Skeleton, Trouble } from '../ui/states.tsx'
import { TimeZone } from '../ui/text/time.tsx'
import { ScopeContext } from './scope-context.ts'
import { Screen } from './screen.tsx'
import { ShorterRangeOffer } from './shorter-range-offer.tsx'
import { useTimeZone } from './time-display.ts'
import { defaultTimeRange } from './time-range.ts'

/** Shows the screens of a project once its environments are known, and says why when they are not. */
export function ProjectScope({ children }: { children: ReactNode }) {
  const { project } = useParams({ from: '/p/$project' })
  const search = useSearch({ from: '/p/$project' })
  const environments = useQuery(environmentsQuery(project))
  const items = environments.data?.items ?? []
  const environment = items.find(({ key }) => key === search.env) ?? items[0]
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
