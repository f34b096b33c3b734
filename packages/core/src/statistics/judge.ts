// The verdict for one metric, from its evidence: how much worse the treatment is, with bounds that are valid at any
// time, and whether that is above the limit, below the margin of the next stage, or neither.
import { criticalMultiplier, isEnough, logEvidence } from './boundary.ts'
import type { Effect } from './effect.ts'
import { logShareEvidence, type StageEvents, shareLower, shareRatio, shareUpper } from './event-share.ts'
import { beginningsOf, type DayEvents, strongestBeginning } from './late-harm.ts'

export type VerdictState = 'collecting' | 'watching' | 'healthy' | 'regressed'

/** The standard that a metric is judged by; frozen when the rollout starts. */
export interface Standard {
  /** The direction of improvement. */
  better: 'lower' | 'higher'
  /** The accepted harm, as "worse by": 0.05 is 5 % worse. */
  limit: number
  /** The accepted harm before the next stage; at least the limit. */
  margin: number
  /** The probability that a harmless change is ever called a regression. */
  alpha: number
  /** The probability that a change at the margin is ever called safe. */
  beta: number
}

/** Worse by: 0.05 is 5 % worse, negative values are better. */
export interface Worse {
  lower: number
  estimate: number
  upper: number
}

export interface Verdict {
  state: VerdictState
  worse: Worse
  /** Log evidence of a regression and of safety. */
  regression: number
  safety: number
}

/** The typical size of a regression, as a logarithm: about 20 % for means and shares, 10 % for quantiles. */
export const priors = { ratio: 0.2, quantile: 0.1 }
export const betaDefault = 0.05

export function judgeEffect(
  { delta, variance }: Effect,
  standard: Standard,
  { prior, isReady }: { prior: number; isReady: boolean },
): Verdict {
  const { alpha, beta, limit, margin } = standard
  const log = standard.better === 'lower' ? delta : -delta
  const error = Math.sqrt(variance)
  const reach = (level: number) => criticalMultiplier({ variance, prior, level }) * error
  const regression = logEvidence({ excess: log - Math.log1p(limit), variance, prior })
  const safety = logEvidence({ excess: Math.log1p(margin) - log, variance, prior })
  return {
    state: stateOf({ regression, safety, isReady }, standard),
    worse: {
      lower: Math.expm1(log - reach(alpha)),
      estimate: Math.expm1(log),
      upper: Math.expm1(log + reach(beta)),
    },
    regression,
    safety,
  }
}

export interface ShareVerdict extends Verdict {
  /** The day at which the evidence of a regression starts; undefined if it is that of the whole rollout. */
  since?: number | undefined
}

interface EventsInput {
  isReady: boolean
  /** First events by day; with them, evidence also restarts each day. */
  days?: readonly DayEvents[] | undefined
  /** The events that safety is judged by, if they differ. */
  safety?: readonly StageEvents[] | undefined
}

/**
 * For events that most units never have, from the start of the rollout. If higher is better, the harm is a surplus
 * of events in the control.
 */
export function judgeEventShare(
  given: readonly StageEvents[],
  { better, limit, margin, alpha, beta }: Standard,
  { isReady, ...more }: EventsInput,
): ShareVerdict {
  const turned = (stages: readonly StageEvents[]) => (better === 'lower' ? stages : stages.map(swap))
  const whole = turned(given)
  const forSafety = turned(more.safety ?? given)
  const beginnings = beginningsOf(
    whole,
    more.days?.map(({ day, stages }) => ({ day, stages: turned(stages) })),
  )
  const { beginning, evidence: regression } = strongestBeginning(beginnings, 1 + limit)
  const safety = logShareEvidence(forSafety, 1 + margin, 'less')
  const state = stateOf({ regression, safety, isReady }, { alpha, beta })
  // The displayed numbers are those that led to the verdict.
  const late = state === 'regressed' && beginning?.day !== undefined ? beginning : undefined
  const part = (late ?? beginnings[0])?.part ?? 1
  const lower = shareLower(late?.stages ?? whole, alpha * part)
  const upper = shareUpper(late?.stages ?? forSafety, beta)
  const ratio = late
    ? (shareRatio(late.stages) ?? 1)
    : Math.sqrt((shareRatio(whole) ?? 1) * (shareRatio(forSafety) ?? 1))
  return {
    state,
    worse: { lower: lower - 1, estimate: ratio - 1, upper: upper - 1 },
    regression,
    safety,
    ...(late && { since: late.day }),
  }
}

function swap({ treatment, control, share }: StageEvents): StageEvents {
  return { treatment: control, control: treatment, share: 1 - share }
}

function stateOf(
  { regression, safety, isReady }: { regression: number; safety: number; isReady: boolean },
  { alpha, beta }: { alpha: number; beta: number },
): VerdictState {
  if (!isReady) return 'collecting'
  if (isEnough(regression, alpha)) return 'regressed'
  return isEnough(safety, beta) ? 'healthy' : 'watching'
}
