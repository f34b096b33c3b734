// What a rollout excludes: slices of users, with the evidence, and how their probes are.

import { Type } from 'typebox'
import { BothArms, openInterval } from './both-arms.ts'
import { Id, Instant, Key, Nullable } from './parameters.ts'

export const SliceOfUsers = Type.Object({
  attribute: Type.String({ description: 'In the evaluation context, such as `request.browser`.' }),
  value: Type.String(),
})

export const Exclusion = Type.Object({
  id: Id,
  slice: SliceOfUsers,
  metric: Type.Unsafe<string>({ ...Key, description: 'The metric that was harmed.' }),
  harm: openInterval('In the slice, when it was excluded. Always valid, corrected for all slices searched.'),
  elsewhere: openInterval('The same among all other users.'),
  share: Type.Number({ description: 'Of the users of the split, from 0 to 1.' }),
  since: Instant,
  until: Instant,
  probe: Nullable(
    Type.Object(
      {
        state: Type.Enum(['collecting', 'watching', 'healthy', 'regressed', 'gone']),
        harm: openInterval('In the probe.'),
        units: BothArms,
      },
      { description: 'Users of the slice who stay in the split; null before the first search.' },
    ),
  ),
})

export const RolloutNarrowing = Type.Object({
  excluded: Type.Array(Exclusion),
  times: Type.Integer({ description: 'Exclusions and extensions so far.' }),
  timesAtMost: Type.Integer(),
  probeShare: Type.Number({ description: 'Of an excluded slice, the share that stays in the split.' }),
  searched: Type.Integer({ description: 'Slices searched.' }),
  searchedAt: Nullable(Instant),
  suspected: Nullable(
    Type.Object(
      { slice: SliceOfUsers, metric: Key },
      { description: 'Harm in it is likely, so no stage ends until it is certain or unlikely.' },
    ),
  ),
})
