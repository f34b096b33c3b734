// Flags that may be related to a regression: those more common among affected users than chance explains. No cause is
// claimed.

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
      byChance: Type.Boolean({ description: 'Currently served by a percentage split.' }),
    }),
    { description: 'One variation, or two that matter only together.' },
  ),
  people: Both,
  hits: Type.Object(Both.properties, { description: 'Of these, affected users.' }),
  times: Type.Object(
    {
      ratio: Type.Number(),
      lower: Type.Number(),
      upper: Nullable(Type.Number({ description: 'Null: no upper bound, no other user was affected.' })),
    },
    {
      description:
        'Ratio of affected users. Simultaneous 95% intervals over all variations and pairs compared, and over all issues when asked about an issue.',
    },
  ),
  share: Type.Unsafe<number>({
    ...Share,
    description: 'Excess: affected users beyond the expected number.',
  }),
  apart: Type.Boolean({
    description:
      'Also significant among users without the suspects above. Otherwise it may only be correlated with them.',
  }),
  byChance: Type.Boolean({
    description:
      'All of it is assigned by a percentage split, so only the flag differs. Otherwise a rule may have selected different users.',
  }),
  settle: Nullable(
    Type.Object(
      {
        people: Count,
        days: Type.Number(),
        limit: Type.Number({ description: 'The limit of the metric in that split: 0.25 is 25 % worse.' }),
        alpha: Type.Number({ description: 'Its share of the false-alarm rate.' }),
      },
      {
        description: 'With a 50/50 split, the guard detects this harm by then with 80% power.',
      },
    ),
  ),
})

export type Suspect = Static<typeof Suspect>

export const listSuspects = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/suspects',
  summary: 'List flags and pairs of flags with more affected users than under their other variations.',
  permission: 'project.view',
  query: Strict({
    ...periodQuery,
    of: Type.Unsafe<string>({
      ...Filter,
      minLength: 1,
      description: 'A filter for affected sessions, such as `issue:17` or `lcp:>4000`.',
    }),
  }),
  reply: Type.Object({
    from: Instant,
    to: Instant,
    sampled: Type.Number({
      description: 'Share of the users of the period that was sampled; 1 is all.',
    }),
    people: Type.Integer({ minimum: 0, description: 'Users exposed to any flag.' }),
    hits: Count,
    looks: Type.Integer({
      minimum: 0,
      description: 'Variations and pairs compared; intervals are corrected for them.',
    }),
    outcomes: Type.Integer({
      minimum: 1,
      description:
        'Number of parallel queries: for an issue, all issues of the period with enough users. Intervals are corrected for them too.',
    }),
    items: Type.Array(Suspect, { description: `Strongest first, at most ${limits.suspectsShown}.` }),
  }),
  errors: ['query-too-large'],
})

export const suspectCalls = { listSuspects }
