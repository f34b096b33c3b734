// Which share of failures is owed to a flag variation, and who was affected. Only variations that a percentage split
// assigned are compared: where a rule selects users, other differences between them could be the cause.

import { type Static, Type } from 'typebox'
import { attributed } from '../attribution-limits.ts'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Count, Share } from './measured.ts'
import { Id, Instant, Nullable, Page, pageQuery, Strict } from './parameters.ts'

const days = attributed.span / 86_400_000
const uuid = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

export const Attribution = Type.Object({
  flag: Type.String(),
  variation: Type.String(),
  split: Type.String({ description: 'ID of the percentage split that assigned it.' }),
  epochs: Type.Object(
    { first: Type.Integer(), last: Type.Integer() },
    { description: 'Of the split: the stages of one rollout, or one epoch of weights set by hand.' },
  ),
  rollout: Nullable(Id),
  from: Instant,
  to: Nullable(Instant),
  atLeast: Type.Unsafe<number>({
    ...Share,
    description:
      'Of the affected users with the variation, at least this share would not have been affected with the other variations. Holds at any time; all shown ones hold together with 95%, over all compared variations and issues.',
  }),
  estimate: Type.Unsafe<number>({ ...Share, description: 'The most likely value of the same share.' }),
  affected: Type.Object(
    { with: Count, otherwise: Count },
    { description: 'Users by their first failure, however many they had.' },
  ),
  exposed: Type.Object({ with: Count, otherwise: Count }),
  text: Type.String({
    description: '`At least 8 in 10 of these failures come from checkout-v2 = one-page.`',
  }),
})
export type Attribution = Static<typeof Attribution>

export const Attributions = Type.Array(Attribution, {
  description: `Flag variations to which a share of the failures of the last ${days} days is owed, strongest first. Empty if nothing shows an effect, or no percentage split assigned a variation.`,
})

/** Of a session: those that apply to one of its failures. */
export const SessionAttributions = Type.Array(
  Type.Object({
    issue: Id,
    title: Type.String({ description: 'Type and message of the error.' }),
    ...Attribution.properties,
  }),
  {
    description: `The same for failures of this session, for the variations it had. Of the ${attributed.issues} most recent issues.`,
  },
)

export const listAttributions = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/attributions',
  summary:
    'List the failures of a session or a user, and the share of such failures that is owed to a flag variation they had.',
  permission: 'project.view',
  query: Strict({
    of: Type.String({
      maxLength: limits.targetingKeyLength + 'session:'.length,
      pattern: `^(user:[^\\u0000]+|session:${uuid})$`,
      description: 'A session or a user: `session:ID`, or `user:KEY` with a user key or an anonymous ID.',
    }),
  }),
  reply: Type.Object({
    from: Instant,
    to: Instant,
    items: Type.Array(
      Type.Object({
        issue: Type.Object({
          id: Id,
          type: Type.String(),
          message: Type.String(),
          culprit: Type.String(),
        }),
        failures: Count,
        sessions: Count,
        firstAt: Instant,
        lastAt: Instant,
        attributions: Type.Array(Attribution, {
          description: 'For the variations in effect at these failures. Empty: no share is shown.',
        }),
      }),
      { description: `The most recent first, at most ${attributed.issues}.` },
    ),
  }),
  errors: ['query-too-large'],
})

const read = {
  flag: Type.String({ minLength: 1, maxLength: limits.keyLength }),
  variation: Type.String({ minLength: 1, maxLength: limits.keyLength }),
}

const AffectedUser = Type.Object({
  user: Type.String({ description: 'User key; empty for anonymous users.' }),
  anonymousId: Type.String(),
  failures: Count,
  sessions: Count,
  firstAt: Instant,
  lastAt: Instant,
})

export const listAffectedUsers = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/issues/:issue/affected-users',
  summary: `List the users who had an issue with a flag variation in the last ${days} days.`,
  permission: 'project.view',
  query: Strict({ ...pageQuery, ...read }),
  reply: Type.Object({
    ...Page(AffectedUser).properties,
    attributions: Type.Array(Attribution, {
      description:
        'Of this variation, one for each period of comparison: the list has their users. Empty: no share is shown, and the list has all users with the variation.',
    }),
  }),
  errors: ['query-too-large'],
})

export const exportAffectedUsers = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/issues/:issue/affected-users/export',
  summary: 'Export the users who had an issue with a flag variation as CSV, with the share owed to it.',
  permission: 'sensitive.view',
  query: Strict(read),
  download: 'text/csv',
  reply: Type.String({
    description: `One line per user with a header, at most ${attributed.usersExported}. The export is in the audit log.`,
  }),
  errors: ['query-too-large'],
})

export const attributionCalls = { listAttributions, listAffectedUsers, exportAffectedUsers }
