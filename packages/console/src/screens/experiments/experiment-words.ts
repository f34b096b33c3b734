// How an experiment, its state and its verdicts are named.

import type { TelltaleState } from '@telltale/core/states/telltale'
import type { Experiment, GoalResult } from '../../api/experiments.ts'
import { windowText } from '../../features/explore/window-words.ts'
import { intervalText } from '../../ui/text/effect-text.ts'
import { cappedChangeText, fullCountText, signedShareText } from '../../ui/text/measure-text.ts'

export const stateWords: Record<Experiment['state'], string> = {
  draft: 'Draft',
  running: 'Running',
  ended: 'Ended',
}

export type Verdict = GoalResult['verdict']

export const verdictWords: Record<Verdict, string> = {
  better: 'Better',
  'no-worse': 'No worse',
  worse: 'Worse',
  undecided: 'Not sure yet',
  collecting: 'Collecting data',
  gone: 'Metric deleted',
}

export const verdictTones = {
  better: 'text-ok',
  'no-worse': 'text-ok',
  worse: 'text-bad',
  undecided: 'text-text-2',
  collecting: 'text-text-3',
  gone: 'text-text-3',
} as const satisfies Record<Verdict, string>

/** The mark of an interval; grey while nothing is certain. */
export const verdictMarks: Record<Verdict, TelltaleState | undefined> = {
  better: 'streaming',
  'no-worse': 'streaming',
  worse: 'fluttering',
  undecided: undefined,
  collecting: undefined,
  gone: undefined,
}

const reasons: Record<string, string> = {
  'too-few-units': 'fewer than 100 users in an arm',
  'too-few-events': 'too few events yet',
  'too-uneven': 'mostly from a few users',
  'no-units': 'not recorded',
  'no-variance': 'every value is the same',
  'no-positive-mean': 'the mean of an arm is not above zero',
  'lowest-bucket': 'too little variation',
  unusable: 'values that cannot be added up',
}

export function reasonText({ missing, verdict, margin, better, currencies }: GoalResult): string | undefined {
  if (missing === 'mixed-currencies')
    return `values in ${currencies.join(', ')} cannot be added up: filter the metric by currency`
  if (missing !== null) return reasons[missing] ?? missing
  if (verdict === 'no-worse')
    return `a change beyond ${signedShareText(better === 'lower' ? margin : -margin)} is excluded`
  return undefined
}

/** As the charts draw it; an open end is infinite. */
export function changeIn({ change, better, margin }: GoalResult) {
  return {
    est: change?.estimate ?? Number.NaN,
    lo: change?.lower ?? Number.NEGATIVE_INFINITY,
    hi: change?.upper ?? Number.POSITIVE_INFINITY,
    limit: better === 'lower' ? margin : -margin,
  }
}

export function changeText(goal: GoalResult): { change: string; interval: string } | undefined {
  const { est, lo, hi } = changeIn(goal)
  if (goal.change === null || Number.isNaN(est)) return undefined
  return { change: cappedChangeText(est), interval: intervalText({ lo, hi }) }
}

/** A whole row as one sentence, for screen readers. */
export function goalLabel(goal: GoalResult): string {
  const text = changeText(goal)
  const verdict = verdictWords[goal.verdict].toLowerCase()
  return text === undefined
    ? `${goal.name}: ${verdict}`
    : `${goal.name} ${text.change}, interval ${text.interval}, ${verdict}`
}

/** `+5% or more` of what should be high, `−5% or less` of what should be low. */
export function gainText({ gain, better }: Pick<GoalResult, 'gain' | 'better'>): string {
  return better === 'lower' ? `${signedShareText(-gain)} or less` : `${signedShareText(gain)} or more`
}

/** Of a goal with a window: `within 7 days of the exposure`. */
export const withinText = ({ window }: Pick<GoalResult, 'window'>) =>
  window === null ? undefined : `within ${windowText(window)} of the exposure`

/** Users whose window is not over; undefined without any. */
export function waitingText({ waiting }: GoalResult): string | undefined {
  const users = waiting === null ? 0 : waiting.treatment + waiting.control
  return users === 0 ? undefined : `${fullCountText(users)} users wait for the end of their window`
}

export const usersText = ({ treatment, control }: { treatment: number; control: number }) =>
  `${fullCountText(treatment)} and ${fullCountText(control)}`
