import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/replays'
import { endpoint, request } from './client.ts'
import type { Place } from './identities.ts'
import { runningEvery } from './sessions.ts'

export type Replay = ReplyOf<typeof contract.getReplay>
export type ReplayTab = Replay['tabs'][number]
export type ReplaySegment = ReplayTab['segments'][number]
export type ReplayNote = Replay['notes'][number]

/** Whose replay it is. */
export interface ReplayPlace extends Place {
  readonly session: string
}

const base = '/api/v1/projects/:project/environments/:env/sessions/:session/replay'
const getCall = endpoint<typeof contract.getReplay>('GET', base)
const keepCall = endpoint<typeof contract.keepReplay>('PUT', `${base}/keep`)
const releaseCall = endpoint<typeof contract.releaseReplay>('DELETE', `${base}/keep`)
const addNoteCall = endpoint<typeof contract.addReplayNote>('POST', `${base}/notes`)
const deleteNoteCall = endpoint<typeof contract.deleteReplayNote>('DELETE', `${base}/notes/:note`)

export const replayKey = ({ project, env, session }: ReplayPlace) => [
  ...['projects', project, 'environments', env],
  ...['sessions', session, 'replay'],
]

/** `running`: the session goes on, and a recording of it may begin. */
export const replayQuery = (place: ReplayPlace, { running }: { running: boolean }) =>
  queryOptions({
    queryKey: replayKey(place),
    queryFn: ({ signal }) => request(getCall, { params: { ...place }, signal }),
    refetchInterval: ({ state }) => ((state.data?.running ?? running) ? runningEvery : false),
  })

export const keepReplay = ({ reason, ...place }: ReplayPlace & { reason: string }) =>
  request(keepCall, { params: { ...place }, body: reason === '' ? {} : { reason } })

export const releaseReplay = (place: ReplayPlace) => request(releaseCall, { params: { ...place } })

export interface NoteDraft extends ReplayPlace {
  readonly at: string
  readonly text: string
  readonly idempotencyKey: string
}

export const addReplayNote = ({ at, text, idempotencyKey, ...place }: NoteDraft) =>
  request(addNoteCall, { params: { ...place }, body: { at, text }, idempotencyKey })

export const deleteReplayNote = (params: ReplayPlace & { note: string }) =>
  request(deleteNoteCall, { params: { ...params } })
