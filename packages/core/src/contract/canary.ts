// The canary of an environment: people divided into two hidden halves that differ in nothing. Whatever the statistics of the
// guard find between them is a false alarm, so this is how often they err on this site.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { BothArms, openInterval } from './both-arms.ts'
import { call } from './call.ts'
import { Count } from './measured.ts'
import { Instant, Key, Nothing, Nullable } from './parameters.ts'
import { MeasuredIn } from './rollout-finding.ts'

const Difference = openInterval(
  'How much worse one half is than the other: 0.05 is 5 % worse, below zero is better. Both ends hold at any time, together with 95 %.',
)
const Check = Type.Object({
  seen: Nullable(Type.Number({ description: 'The share of the second half, which should be 0.5.' })),
  p: Type.Number({ description: 'Holds at any time: the chance of ever seeing as much in a sound draw.' }),
})

export const CanaryMetric = Type.Object({
  metric: Key,
  name: Type.String(),
  measuredIn: MeasuredIn,
  unit: Type.String(),
  better: Type.Enum(['lower', 'higher']),
  state: Type.Enum(['collecting', 'holds', 'left', 'gone'], {
    description: '`holds`: the interval holds zero, as it should. `left`: it does not.',
  }),
  missing: Nullable(Type.String({ description: 'Why there is no verdict yet, such as `too-few-units`.' })),
  units: BothArms,
  values: Nullable(BothArms),
  difference: Difference,
})

export const CanaryAlarm = Type.Object({
  metric: Key,
  name: Type.String(),
  at: Instant,
  chance: Type.Number({ description: 'Of ever seeing as much where nothing differs.' }),
  difference: Difference,
})

const splitWrong = Nullable(
  Type.Enum(['split-wrong', 'people-missing'], {
    description:
      'The halves are not halves: of all who were drawn, or of those from whom anything was heard. Latched.',
  }),
)

export const CanaryDraw = Type.Object({
  draw: Count,
  isCounted: Type.Boolean({ description: 'Part of the series that the rate is about.' }),
  startedAt: Instant,
  endsAt: Instant,
  endedAt: Nullable(Instant),
  checkedAt: Nullable(Instant),
  units: BothArms,
  judged: Type.Unsafe<number>({ ...Count, description: 'Metrics that had enough people for a verdict.' }),
  alarms: Type.Array(CanaryAlarm),
  splitWrong,
})

export const getCanary = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/canary',
  summary:
    'Show how often the statistics of the guard err on this site, by two hidden halves that differ in nothing.',
  permission: 'project.view',
  reply: Type.Object({
    on: Type.Boolean(),
    /** When the series began that is counted; null where there is none. */
    since: Nullable(Instant),
    promised: Type.Number({
      description: 'The chance that a metric of a draw ever alarms: no more than this.',
    }),
    verdict: Type.Enum(['off', 'nothing-yet', 'too-early', 'kept', 'exceeded', 'split-wrong'], {
      description:
        '`off`: it never ran. `too-early`: too few metrics of draws are over. `kept`: nothing says that there are more alarms than promised. `exceeded`: more than chance explains. `split-wrong`: the halves of the last draw are none.',
    }),
    rate: Type.Object(
      {
        draws: Count,
        judged: Count,
        alarmed: Count,
        interval: Nullable(
          Type.Object(
            { lower: Type.Number(), share: Type.Number(), upper: Type.Number() },
            { description: 'Of Wilson, 95 %. Metrics of one draw move together, so it may be too narrow.' },
          ),
        ),
      },
      { description: 'Of the draws of the series that are over.' },
    ),
    /** The draw that goes on, or the last one; null before the first look. */
    present: Nullable(
      Type.Object({
        ...CanaryDraw.properties,
        crossed: Type.Unsafe<number>({
          ...Count,
          description: 'Units that were seen in both halves, which nobody should be.',
        }),
        check: Nullable(Check),
        heard: Nullable(Check),
        metrics: Type.Array(CanaryMetric),
      }),
    ),
    past: Type.Array(CanaryDraw, {
      description: `The others, the newest first; ${limits.canaryDrawsKept} at most.`,
    }),
  }),
})

export const beginCanary = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/canary/begin',
  summary: 'End the draw that goes on and begin a new series: what is counted begins anew.',
  permission: 'environments.manage',
  status: 204,
  reply: Nothing,
  errors: ['wrong-state'],
})

export const canaryCalls = { getCanary, beginCanary }
