// Limits of rollouts that narrow themselves. Not part of `limits`, which the console loads with its first screen.

import type { Limit } from './limit.ts'

const minute = 60_000
const day = 24 * 60 * minute

export const narrowLimits = {
  narrowSearch: {
    value: 5 * minute,
    unit: 'ms',
    reason: 'How often the slices of a rollout that may narrow are searched: a search reads every exposure.',
  },
  narrowLevel: {
    value: 0.05,
    unit: 'share',
    reason:
      'The probability that a harmless rollout ever excludes a slice, over all slices, metrics and looks.',
  },
  narrowValues: {
    value: 8,
    unit: 'items',
    reason:
      'Values of one attribute that are searched, the first with enough users: each makes all others harder to find.',
  },
  narrowShare: {
    value: 0.3,
    unit: 'share',
    reason:
      'Users excluded at the same time, of all: with more, the variation is not fit for the site, and it rolls back.',
  },
  narrowTimes: {
    value: 3,
    unit: 'items',
    reason:
      'Exclusions and extensions in one rollout: one that needs more harms in too many ways, and rolls back.',
  },
  narrowFor: {
    value: 7 * day,
    unit: 'ms',
    reason: 'An exclusion expires after a full week, in which a fix can be released.',
  },
  narrowRound: {
    value: day,
    unit: 'ms',
    reason:
      'A probe is judged from the start of each such period on, so that a fix is seen in spite of the harm before it.',
  },
  narrowRounds: {
    value: 30,
    unit: 'items',
    reason:
      'Starts from which a probe is judged: stages, and the periods of three exclusions. They share one error rate.',
  },
  narrowProbe: {
    value: 10_000,
    unit: 'items',
    reason:
      'Of 100,000 users of an excluded slice, those who stay in the split: few enough to be spared, enough to see a fix.',
  },
} as const satisfies Record<string, Limit>

const limitOf = (name: keyof typeof narrowLimits) => narrowLimits[name].value

export const narrowing = {
  search: limitOf('narrowSearch'),
  level: limitOf('narrowLevel'),
  values: limitOf('narrowValues'),
  share: limitOf('narrowShare'),
  times: limitOf('narrowTimes'),
  lasts: limitOf('narrowFor'),
  round: limitOf('narrowRound'),
  rounds: limitOf('narrowRounds'),
  probe: limitOf('narrowProbe'),
}
