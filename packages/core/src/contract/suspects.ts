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
    {
      ratio: Type.Number(),
      lower: Type.Number(),
      upper: Nullable(Type.Number({ description: 'Null: no upper bound, it never happened to the others.' })),
    },
    {
      description:
        'How many times as often, counted in users. The intervals of everything that was compared hold together with 95 %: all variations and pairs, for each of the issues where an issue is asked about.',
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
      {
        people: Count,
        days: Type.Number(),
        limit: Type.Number({ description: 'The limit of the metric in that split: 0.25 is 25 % worse.' }),
        alpha: Type.Number({ description: 'Its part of the chance of a false alarm.' }),
      },
      {
        description:
          'Of a half-and-half split whose guard, looking all the time, calls this harm a regression by then, four times in five.',
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
      description: 'Variations and pairs that were compared: intervals are corrected for them.',
    }),
    outcomes: Type.Integer({
      minimum: 1,
      description:
        'How many things are asked about side by side: of an issue, the issues of the period with enough users. Intervals are corrected for them too.',
    }),
    items: Type.Array(Suspect, { description: `The strongest first, at most ${limits.suspectsShown}.` }),
  }),
  errors: ['query-too-large'],
})

export const suspectCalls = { listSuspects }
