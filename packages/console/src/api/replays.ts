import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as details from '@telltale/core/contract/replay-details'
import type * as contract from '@telltale/core/contract/replays'
import { download, request } from './client.ts'
import type { EnvironmentRef } from './identities.ts'
import { noAnswer } from './problem.ts'
import { runningEvery } from './sessions.ts'

export type Replay = ReplyOf<typeof contract.getReplay>
export type ReplayTab = Replay['tabs'][number]
export type ReplaySegment = ReplayTab['segments'][number]
export type ReplayNote = Replay['notes'][number]

/** The session of the replay. */
export interface ReplayRef extends EnvironmentRef {
  readonly session: string
}

/** The replay of a share link, for outsiders. */
export interface SharedReplayRef {
  readonly token: string
}

/** Where a player reads the recording. */
export type ReplaySource = ReplayRef | SharedReplayRef

export const sourceKey = (source: ReplaySource) =>
  'token' in source ? source.token : `${source.project} ${source.env} ${source.session}`

export const replayKey = ({ project, env, session }: ReplayRef) => [
  ...['projects', project, 'environments', env],
  ...['sessions', session, 'replay'],
]

/** `running`: the session continues and its recording may still start. */
export const replayQuery = (place: ReplayRef, { running }: { running: boolean }) =>
  queryOptions({
    queryKey: replayKey(place),
    queryFn: ({ signal }) => request(calls.replays.getReplay, { params: { ...place }, signal }),
    refetchInterval: ({ state }) => ((state.data?.running ?? running) ? runningEvery : false),
  })

export type ReplayDetail = ReplyOf<typeof details.listReplayDetails>['items'][number]

/** A session with more is automated, and its list is too long to read. */
export const detailsAtMost = 20_000

/** Console messages and details of requests: all of them, because the list is searched. */
export const replayDetailsQuery = (place: ReplayRef, { running }: { running: boolean }) =>
  queryOptions({
    queryKey: [...replayKey(place), 'details'],
    queryFn: async ({ signal }): Promise<ReplayDetail[]> => {
      const items: ReplayDetail[] = []
      let from: number | null = 0
      while (from !== null && items.length < detailsAtMost) {
        const part: ReplyOf<typeof details.listReplayDetails> = await request(
          calls.replays.listReplayDetails,
          { params: { ...place }, query: { from }, signal },
        )
        items.push(...part.items)
        from = part.next
      }
      return items
    },
    refetchInterval: running ? runningEvery : false,
  })

/** The text of an HTTP archive. */
export async function exportHar(place: ReplayRef): Promise<string> {
  return (await download(calls.replays.exportHar, { params: { ...place } })).text()
}

/** The source of a Playwright test. */
export async function writeReplayTest(place: ReplayRef): Promise<string> {
  return (await download(calls.replays.writeReplayTest, { params: { ...place } })).text()
}

export const keepReplay = ({ reason, ...place }: ReplayRef & { reason: string }) =>
  request(calls.replays.keepReplay, { params: { ...place }, body: reason === '' ? {} : { reason } })

export const releaseReplay = (place: ReplayRef) =>
  request(calls.replays.releaseReplay, { params: { ...place } })

interface NoteDraft extends ReplayRef {
  readonly at: string
  readonly text: string
  readonly idempotencyKey: string
}

export const addReplayNote = ({ at, text, idempotencyKey, ...place }: NoteDraft) =>
  request(calls.replays.addReplayNote, { params: { ...place }, body: { at, text }, idempotencyKey })

export const deleteReplayNote = (params: ReplayRef & { note: string }) =>
  request(calls.replays.deleteReplayNote, { params: { ...params } })

export interface SegmentRange {
  readonly tab: string
  readonly from: number
  readonly to: number
}

/** Lines of JSON, streamed. */
export function readSegments(
  place: ReplaySource,
  range: SegmentRange,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const answer =
    'token' in place
      ? download(calls['share-links'].readSharedSegments, { body: { ...place, ...range }, signal })
      : download(calls.replays.readReplaySegments, { params: { ...place }, query: { ...range }, signal })
  return answer.then(bodyOf)
}

export async function readAsset(
  place: ReplaySource,
  asset: string,
  signal: AbortSignal,
): Promise<{ mime: string; bytes: ArrayBuffer }> {
  const answer =
    'token' in place
      ? await download(calls['share-links'].getSharedAsset, { body: { ...place, asset }, signal })
      : await download(calls.replays.getReplayAsset, {
          params: { project: place.project, env: place.env, asset },
          signal,
        })
  const [mime = ''] = (answer.headers.get('content-type') ?? '').split(';', 1)
  return { mime, bytes: await answer.arrayBuffer() }
}

function bodyOf({ body }: Response): ReadableStream<Uint8Array> {
  if (body === null) throw noAnswer()
  return body
}
