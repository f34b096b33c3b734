// What waits for a decision of the caller or of the team, and where the caller was mentioned.

import { type Static, Type } from 'typebox'
import { changeRequestStates } from '../states/change-request.ts'
import { rolloutStates } from '../states/rollout.ts'
import { call } from './call.ts'
import { commentSubjects } from './comments.ts'
import { Count } from './measured.ts'
import { Id, Instant, Key, Nothing, Nullable, Strict } from './parameters.ts'

const placed = { id: Id, env: Key, flag: Key }

const FiringAlert = Type.Object({
  kind: Type.Literal('alert'),
  id: Id,
  env: Key,
  name: Type.String(),
  at: Instant,
})
const WaitingRollout = Type.Object({
  kind: Type.Literal('rollout'),
  ...placed,
  state: Type.Enum([...rolloutStates]),
  at: Instant,
})
const WaitingRequest = Type.Object({
  kind: Type.Literal('change-request'),
  ...placed,
  state: Type.Enum([...changeRequestStates]),
  author: Type.String(),
  reason: Nullable(Type.String()),
  isMine: Type.Boolean(),
  isRequested: Type.Boolean({ description: 'The author asked the caller to review it.' }),
  isOwner: Type.Boolean({
    description: 'The approval of an owner of the flag is wanted, and the caller is one.',
  }),
  at: Instant,
})
const PendingChange = Type.Object({
  kind: Type.Literal('scheduled-change'),
  ...placed,
  state: Type.Enum(['pending', 'failed']),
  author: Type.String(),
  at: Type.Unsafe<string>({ ...Instant, description: 'When it is applied, or when it failed.' }),
})
const Mention = Type.Object({
  kind: Type.Literal('mention'),
  id: Type.Unsafe<string>({ ...Id, description: 'Of the comment.' }),
  on: Type.Enum([...commentSubjects]),
  subject: Type.String({ description: 'The key of the flag, or an id.' }),
  name: Type.String({ description: 'Of what it is on.' }),
  env: Nullable(Key),
  author: Type.String(),
  text: Type.String({ description: 'Its beginning.' }),
  isRead: Type.Boolean(),
  at: Instant,
})

export const InboxItem = Type.Union([FiringAlert, WaitingRollout, WaitingRequest, PendingChange, Mention])
export type InboxItem = Static<typeof InboxItem>

export const getInbox = call({
  method: 'GET',
  path: '/api/v1/projects/:project/inbox',
  summary:
    'List firing alerts, rollouts on hold, change requests and scheduled changes, and mentions of the caller.',
  permission: 'project.view',
  reply: Type.Object({
    counts: Type.Object(
      { alert: Count, rollout: Count, 'change-request': Count, 'scheduled-change': Count, mention: Count },
      { description: 'Items that need attention: unread mentions, and failed scheduled changes only.' },
    ),
    items: Type.Array(InboxItem, { description: 'By kind in this order, each newest first.' }),
  }),
})

export const markMentionsRead = call({
  method: 'POST',
  path: '/api/v1/projects/:project/inbox/read',
  summary: 'Mark mentions of the caller as read.',
  permission: 'project.view',
  body: Strict({
    comments: Type.Array(Id, { minItems: 1, maxItems: 100, uniqueItems: true, description: 'Their ids.' }),
  }),
  status: 204,
  reply: Nothing,
})

export const inboxCalls = { getInbox, markMentionsRead }
