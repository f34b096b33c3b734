import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/profiles'
import { limits } from '@telltale/core/limits'
import { endpoint, request } from './client.ts'
import type { Place } from './identities.ts'
import { runningEvery, type Session, sessionKey } from './sessions.ts'

export type SessionProfile = ReplyOf<typeof contract.listProfiles>['items'][number]

const listCall = endpoint<typeof contract.listProfiles>(
  'GET',
  '/api/v1/projects/:project/environments/:env/profiles',
)

/** What was profiled in a session, the first one first. More than a page of them are no lane but a wall. */
export const sessionProfilesQuery = (
  place: Place,
  { id, startedAt, endedAt, running }: Pick<Session, 'id' | 'startedAt' | 'endedAt' | 'running'>,
) =>
  queryOptions({
    queryKey: [...sessionKey(place, id), 'profiles', startedAt, endedAt],
    queryFn: async ({ signal }): Promise<SessionProfile[]> => {
      const margin = limits.profileWindow
      const query = {
        session: id,
        from: new Date(Date.parse(startedAt) - margin).toISOString(),
        to: new Date(Date.parse(endedAt) + margin).toISOString(),
        limit: limits.pageSizeMaximum,
      }
      const { items } = await request(listCall, { params: { ...place }, query, signal })
      return items.toReversed()
    },
    refetchInterval: running ? runningEvery : false,
  })
