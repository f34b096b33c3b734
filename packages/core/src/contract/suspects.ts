// Flags that may stand behind what got worse: where it happens more often than chance allows. No cause is claimed.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Count, Filter, periodQuery, Share } from './measured.ts'
import { Instant, Nullable, Strict } from './parameters.ts'

const Both = Type.Object({ inside: Count, outside: Count })

export const Suspect = Type.Object({
  reads: Type.Array(
    Type.Object({
      flag: Type.String(),
      variation: Type.String(),
      byChance: Type.Boolean({ description: 'The flag draws it by a split now.' }),
    }),
    { description: 'One variation, or two that are bad together only.' },
  ),
  people: Both,
  hits: Type.Object(Both.properties, { description: 'To how many of them it happened.' }),
  times: Type.Object(
    { ratio: Type.Number(), lower: Type.Number(), upper: Type.Number() },
    {
      description:
        'How many times as often. The intervals of all that were looked at hold together with 95 %.',
    },
  ),
  share: Type.Unsafe<number>({
    ...Share,
    description: 'Of all hits: how many are beyond what the others lead one to expect.',
  }),
  apart: Type.Boolean({
    description:
      'It stands out also where none of the ones before it is read. Otherwise it may only come along with them.',
  }),
  byChance: Type.Boolean({
    description:
      'All of it is drawn by a split now: then who got it differs by chance alone. Otherwise a rule may have chosen people who are different anyway.',
  }),
  settle: Nullable(
    Type.Object(
      { people: Count, days: Type.Number() },
      {
        description: 'Of a half-and-half split that would tell whether it is the cause, four times in five.',
      },
    ),
  ),
})

export type Suspect = Static<typeof Suspect>

export const listSuspects = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/suspects',
  summary:
    'List flags, and pairs of flags, under which something happens to more people than under their other variations.',
  permission: 'project.view',
  query: Strict({
    ...periodQuery,
    of: Type.Unsafe<string>({
      ...Filter,
      minLength: 1,
      description: 'What happens: a filter that sessions fit, such as `issue:17` or `lcp:>4000`.',
    }),
  }),
  reply: Type.Object({
    from: Instant,
    to: Instant,
    sampled: Type.Number({
      description:
        'Of all people of the period, drawn where they read too many flags to look at all; 1 is everybody.',
    }),
    people: Type.Integer({ minimum: 0, description: 'Who read any flag.' }),
    hits: Count,
    looks: Type.Integer({
      minimum: 0,
      description: 'Variations and pairs that were looked at: what is told is corrected for them.',
    }),
    items: Type.Array(Suspect, { description: `The strongest first, at most ${limits.suspectsShown}.` }),
  }),
  errors: ['query-too-large'],
})

export const suspectCalls = { listSuspects }
