import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/inbox'
import { request } from './client.ts'

export type Inbox = ReplyOf<typeof contract.getInbox>
export type InboxItem = Inbox['items'][number]
export type InboxKind = InboxItem['kind']
export type WaitingRequest = Extract<InboxItem, { kind: 'change-request' }>

const again = 30_000

export const inboxQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'inbox'],
    queryFn: ({ signal }) => request(calls.inbox.getInbox, { params: { project }, signal }),
    refetchInterval: again,
  })

export function markRead({ project, comments }: { project: string; comments: string[] }) {
  return request(calls.inbox.markMentionsRead, { params: { project }, body: { comments } })
}

/** Of everything that needs attention. */
export function countOf({ counts }: Inbox): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
