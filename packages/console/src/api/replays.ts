import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/replays'
import { endpoint, request } from './client.ts'
import type { Place } from './identities.ts'

export type Replay = ReplyOf<typeof contract.getReplay>
export type ReplayTab = Replay['tabs'][number]
export type ReplaySegment = ReplayTab['segments'][number]

/** Whose replay it is. */
export interface ReplayPlace extends Place {
  readonly session: string
}

const getCall = endpoint<typeof contract.getReplay>(
  'GET',
  '/api/v1/projects/:project/environments/:env/sessions/:session/replay',
)

/** While more may come, it is asked for again. */
const runningEvery = 10_000

export const replayKey = ({ project, env, session }: ReplayPlace) => [
  ...['projects', project, 'environments', env],
  ...['sessions', session, 'replay'],
]

export const replayQuery = (place: ReplayPlace) =>
  queryOptions({
    queryKey: replayKey(place),
    queryFn: ({ signal }) => request(getCall, { params: { ...place }, signal }),
    refetchInterval: ({ state }) => (state.data?.running ? runningEvery : false),
  })
