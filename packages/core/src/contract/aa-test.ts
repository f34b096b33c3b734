// The A/A test of an environment: users are split into two hidden halves that are treated the same. Every difference that the
// guard finds between them is a false alarm, so the test measures its false-alarm rate on this site.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { BothArms, openInterval } from './both-arms.ts'
import { call } from './call.ts'
import { Count } from './measured.ts'
import { Instant, Key, Nothing, Nullable } from './parameters.ts'
import { MeasuredIn } from './rollout-finding.ts'

const Difference = openInterval(
  'How much worse one half is than the other: 0.05 is 5% worse, negative is better. Always-valid 95% interval.',
)
const Check = Type.Object({
  seen: Nullable(Type.Number({ description: 'Share of the second half. Expected: 0.5.' })),
  p: Type.Number({
    description: 'Always valid: the probability of ever seeing such a difference with a correct assignment.',
  }),
})

export const AaTestMetric = Type.Object({
  metric: Key,
  name: Type.String(),
  measuredIn: MeasuredIn,
  unit: Type.String(),
  better: Type.Enum(['lower', 'higher']),
  state: Type.Enum(['collecting', 'holds', 'left', 'gone'], {
    description: '`holds`: the interval includes zero, as it should. `left`: it does not.',
  }),
  missing: Nullable(Type.String({ description: 'Why there is no verdict yet, such as `too-few-units`.' })),
  units: BothArms,
  values: Nullable(BothArms),
  difference: Difference,
})

export const AaTestAlarm = Type.Object({
  metric: Key,
  name: Type.String(),
  at: Instant,
  chance: Type.Number({ description: 'Probability of ever seeing such a difference where nothing differs.' }),
  difference: Difference,
})

const splitWrong = Nullable(
  Type.Enum(['split-wrong', 'people-missing'], {
    description:
      'Sample ratio mismatch: the halves differ in size, among all assigned users or among those who sent events. Stays set.',
  }),
)

export const AaTestRound = Type.Object({
  round: Count,
  isCounted: Type.Boolean({ description: 'Part of the series that the rate covers.' }),
  startedAt: Instant,
  endsAt: Instant,
  endedAt: Nullable(Instant),
  checkedAt: Nullable(Instant),
  units: BothArms,
  judged: Type.Unsafe<number>({ ...Count, description: 'Metrics with enough users for a verdict.' }),
  alarms: Type.Array(AaTestAlarm),
  splitWrong,
})

export const getAaTest = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/aa-test',
  summary: 'Show the false-alarm rate of the guard on this site, measured by A/A tests.',
  permission: 'project.view',
  reply: Type.Object({
    on: Type.Boolean(),
    /** When the counted series began; null without a counted series. */
    since: Nullable(Instant),
    promised: Type.Number({
      description: 'The promised maximum: the probability that a metric of a round ever alarms.',
    }),
    verdict: Type.Enum(['off', 'nothing-yet', 'too-early', 'kept', 'exceeded', 'split-wrong'], {
      description:
        '`off`: it never ran. `too-early`: too few results. `kept`: no evidence of more alarms than promised. `exceeded`: more alarms than chance explains. `split-wrong`: sample ratio mismatch in the last round.',
    }),
    rate: Type.Object(
      {
        rounds: Count,
        judged: Count,
        alarmed: Count,
        interval: Nullable(
          Type.Object(
            { lower: Type.Number(), share: Type.Number(), upper: Type.Number() },
            { description: 'Wilson, 95%. Metrics of one round are correlated, so it may be too narrow.' },
          ),
        ),
      },
      { description: 'Of the finished rounds of the series.' },
    ),
    /** The current round, or the last one; null before the first look. */
    present: Nullable(
      Type.Object({
        ...AaTestRound.properties,
        crossed: Type.Unsafe<number>({
          ...Count,
          description: 'Units seen in both halves. Expected: none.',
        }),
        check: Nullable(Check),
        heard: Nullable(Check),
        metrics: Type.Array(AaTestMetric),
      }),
    ),
    past: Type.Array(AaTestRound, {
      description: `The others, the newest first; ${limits.aaTestRoundsKept} at most.`,
    }),
  }),
})

export const restartAaTest = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/aa-test/restart',
  summary: 'End the current round and start a new series with its counts at zero.',
  permission: 'environments.manage',
  status: 204,
  reply: Nothing,
  errors: ['wrong-state'],
})

export const aaTestCalls = { getAaTest, restartAaTest }
