import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/share-links'
import { request } from './client.ts'
import type { Tile } from './dashboards.ts'
import { createGate } from './gate.ts'
import type { Replay } from './replays.ts'
import type { Session, Timeline, TimelineEvent } from './sessions.ts'

export type ShareLink = contract.ShareLink
type ShareDraft = BodyOf<typeof contract.createShareLink>

export const shareLinksKey = (project: string) => ['projects', project, 'share-links']

/** Newest first; of one target, or of the whole project. */
export const shareLinksQuery = (project: string, target?: string) =>
  infiniteQueryOptions({
    queryKey: [...shareLinksKey(project), target],
    queryFn: ({ pageParam, signal }) =>
      request(calls['share-links'].listShareLinks, {
        params: { project },
        query: { target, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  })

export const createShareLink = ({ project, draft }: { project: string; draft: ShareDraft }) =>
  request(calls['share-links'].createShareLink, { params: { project }, body: draft })

export const revokeShareLink = (params: { project: string; shareLink: string }) =>
  request(calls['share-links'].revokeShareLink, { params })

export type SharedDashboard = NonNullable<ReplyOf<typeof contract.viewShared>['dashboard']>

export interface Shared {
  readonly project: string
  readonly expiresAt: string
  /** Null: its data were deleted. */
  readonly session: Session | null
  readonly replay: Replay | null
  /** Null: it was deleted. */
  readonly dashboard: SharedDashboard | null
}

type SharedReply = ReplyOf<typeof contract.viewShared>

/** What a link shows. An outsider gets no identity: the parts of the player take it as unknown. */
export const sharedQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared', token],
    queryFn: async ({ signal }): Promise<Shared> => {
      const reply = await request(calls['share-links'].viewShared, { body: { token }, signal })
      return { ...reply, session: toSession(reply), replay: toReplay(reply) }
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

function toSession({ session }: SharedReply): Session | null {
  return session && { ...session, userKey: '', userKeys: [], anonymousId: '', country: '' }
}

function toReplay({ session, replay }: SharedReply): Replay | null {
  if (session === null || replay === null) return null
  return { ...replay, session: session.id, bytes: 0, kept: null, expiresAt: null, notes: [] }
}

const eventsAtMost = 20_000

export const sharedTimelineQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared', token, 'events'],
    queryFn: async ({ signal }): Promise<Timeline> => {
      const events: TimelineEvent[] = []
      let cursor: string | undefined
      do {
        const page: ReplyOf<typeof contract.listSharedEvents> = await request(
          calls['share-links'].listSharedEvents,
          { body: { token, ...(cursor === undefined ? {} : { cursor }) }, signal },
        )
        events.push(...page.items.map(toEvent))
        cursor = page.next ?? undefined
      } while (cursor !== undefined && events.length < eventsAtMost)
      return { events, isCut: cursor !== undefined }
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

function toEvent(event: ReplyOf<typeof contract.listSharedEvents>['items'][number]): TimelineEvent {
  return {
    ...event,
    userKey: '',
    anonymousId: '',
    country: '',
    attributes: {},
    traceId: '',
    stack: '',
    originalStack: [],
  }
}

/** A dashboard of forty tiles must not ask for all of them at once. */
const tileGate = createGate(4)

export const sharedTileQuery = (
  token: string,
  { tile, range }: { tile: Tile; range: SharedDashboard['range'] },
) =>
  queryOptions({
    queryKey: ['shared', token, 'tile', tile.id, range],
    queryFn: ({ signal }) =>
      tileGate(signal, () =>
        request(calls['share-links'].readSharedTile, { body: { token, tile: tile.id, range }, signal }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
    retry: false,
  })
