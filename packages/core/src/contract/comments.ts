// Comments of members on flags, rollouts, errors and sessions. A comment that mentions members is in their inbox.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Id, Instant, Key, Nothing, Nullable, Page, pageQuery, Strict } from './parameters.ts'

export const commentSubjects = ['flag', 'rollout', 'experiment', 'issue', 'session'] as const
export type CommentSubject = (typeof commentSubjects)[number]

const subject = {
  kind: Type.Enum([...commentSubjects]),
  subject: Type.String({
    minLength: 1,
    maxLength: limits.keyLength,
    description: 'The key of the flag, or the id of the rollout, error issue or session.',
  }),
  env: Type.Optional(
    Type.Unsafe<string>({ ...Key, description: 'The environment of an error issue or a session.' }),
  ),
}
const Text = Type.String({
  minLength: 1,
  maxLength: limits.commentLength,
  pattern: '\\S',
  description: 'Markdown. `@` with the name or the e-mail address of a member mentions them.',
})

export const Comment = Type.Object({
  id: Id,
  on: Type.Object({
    kind: subject.kind,
    subject: Type.String({ description: 'The key of the flag, or an id.' }),
    name: Type.String(),
    env: Nullable(Key),
  }),
  text: Type.String(),
  author: Type.Object({ id: Nullable(Id), name: Type.String() }),
  mentions: Type.Array(Type.Object({ id: Id, name: Type.String() })),
  createdAt: Instant,
  editedAt: Nullable(Instant),
})
export type Comment = Static<typeof Comment>

const list = '/api/v1/projects/:project/comments'

export const listComments = call({
  method: 'GET',
  path: list,
  summary: 'List the comments of a project, or on one flag, rollout, error issue or session, newest first.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    kind: Type.Optional(subject.kind),
    subject: Type.Optional(subject.subject),
    env: subject.env,
  }),
  reply: Page(Comment),
})

export const addComment = call({
  method: 'POST',
  path: list,
  summary: 'Comment on a flag, rollout, error issue or session.',
  permission: 'comments.write',
  idempotent: true,
  status: 201,
  environmentInBody: true,
  body: Strict({ ...subject, text: Text }),
  reply: Comment,
  errors: ['in-use'],
})

export const updateComment = call({
  method: 'PATCH',
  path: `${list}/:comment`,
  summary: 'Change a comment of yours. Members it newly mentions are notified.',
  permission: 'comments.write',
  body: Strict({ text: Text }),
  reply: Comment,
})

export const deleteComment = call({
  method: 'DELETE',
  path: `${list}/:comment`,
  summary: 'Delete a comment of yours; admins delete any.',
  permission: 'comments.write',
  status: 204,
  reply: Nothing,
})

export const commentCalls = { listComments, addComment, updateComment, deleteComment }
