import { infiniteQueryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/comments'
import { request } from './client.ts'

export type Comment = ReplyOf<typeof contract.listComments>['items'][number]
/** What comments are on; an error or a session has an environment. */
export type CommentSubject = Omit<BodyOf<typeof contract.addComment>, 'text'>

export interface CommentPlace extends CommentSubject {
  project: string
}

const again = 30_000

export const commentsKey = ({ project, kind, subject }: CommentPlace) => [
  ...['projects', project, 'comments'],
  ...[kind, subject],
]

/** Newest first. */
export const commentsQuery = ({ project, ...subject }: CommentPlace) =>
  infiniteQueryOptions({
    queryKey: commentsKey({ project, ...subject }),
    queryFn: ({ pageParam, signal }) =>
      request(calls.comments.listComments, {
        params: { project },
        query: { ...subject, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? again : false),
  })

export function addComment({
  project,
  idempotencyKey,
  ...body
}: CommentPlace & { text: string; idempotencyKey: string }) {
  return request(calls.comments.addComment, { params: { project }, body, idempotencyKey })
}

export function updateComment({
  project,
  comment,
  text,
}: {
  project: string
  comment: string
  text: string
}) {
  return request(calls.comments.updateComment, { params: { project, comment }, body: { text } })
}

export function deleteComment(params: { project: string; comment: string }) {
  return request(calls.comments.deleteComment, { params })
}
