import { useQuery } from '@tanstack/react-query'
import type { Environment } from '../../api/environments.ts'
import { firstEvaluationQuery } from '../../api/first-evaluation.ts'
import { firstEventQuery } from '../../api/first-event.ts'
import { keysQuery, type SdkKey } from '../../api/keys.ts'

/** What an environment has received so far. */
export interface Arrival {
  hasFlags: boolean | undefined
  evaluated: { flag: string; at: string } | undefined
  event: { kind: string; page: string; at: string } | undefined
  /** When any key of the environment was last used. */
  usedAt: string | undefined
  /** The request currently fails. */
  isSilent: boolean
  /** Events cannot be read now; arriving ones are kept. */
  isStoreAway: boolean
}

const pollInterval = 3_000

/** Polls every few seconds until there is data. */
export function useArrival(project: string, { key: env }: Environment): Arrival {
  const first = useQuery(firstEvaluationQuery(project, env))
  const keys = useQuery({
    ...keysQuery(project, env),
    refetchInterval: ({ state }) => (lastUse(state.data?.items) === undefined ? pollInterval : false),
  })
  const usedAt = lastUse(keys.data?.items)
  // There are no events before a key was used.
  const events = useQuery({ ...firstEventQuery(project, env), enabled: usedAt !== undefined })
  const event = events.data ?? undefined

  return {
    hasFlags: first.data?.hasFlags,
    evaluated: first.data?.evaluated,
    event: event && { kind: event.kind, page: event.page, at: event.receivedAt },
    usedAt,
    isSilent: first.error !== null,
    isStoreAway: events.error !== null && event === undefined,
  }
}

export function lastUse(keys: readonly SdkKey[] = []): string | undefined {
  return keys
    .flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
    .sort()
    .at(-1)
}
