import type { QueryClient } from '@tanstack/react-query'
import { chosenEnvironment, environmentsQuery } from '../../api/environments.ts'
import { replayQuery } from '../../api/replays.ts'
import { sessionQuery, timelineQuery } from '../../api/sessions.ts'

interface OpenedSession {
  project: string
  /** Undefined: the first environment of the project. */
  env: string | undefined
  session: string
}

/** Requests a session and its recording while the code of its screen loads. Only the screen reports errors. */
export async function prefetchSession(
  queries: QueryClient,
  { project, env, session }: OpenedSession,
): Promise<void> {
  const known = await queries.ensureQueryData(environmentsQuery(project)).catch(() => undefined)
  const environment = known && chosenEnvironment(known.items, env)
  if (environment === undefined) return
  const place = { project, env: environment.key }
  await Promise.all([
    queries.prefetchQuery(sessionQuery(place, session)),
    queries.prefetchQuery(replayQuery({ ...place, session }, { running: false })),
    queries.prefetchQuery(timelineQuery(place, { session, running: false })),
  ])
}
