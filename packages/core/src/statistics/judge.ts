// The verdict about one metric, from its evidence: how much worse the treatment is, with ends that hold at any time, and
// whether that is past the limit, below the margin of the next stage, or neither.
import { criticalMultiplier, isEnough, logEvidence } from './boundary.ts'
import type { Effect } from './effect.ts'
import { logShareEvidence, type StageEvents, shareInterval, shareRatio } from './event-share.ts'

export type VerdictState = 'collecting' | 'watching' | 'healthy' | 'regressed'

/** What the metric is judged against; frozen when the rollout starts. */
export interface Standard {
  /** The direction in which people are better off. */
  better: 'lower' | 'higher'
  /** What is accepted, as "worse by": 0.05 is 5 % worse. */
  limit: number
  /** What is accepted before the next stage; never below the limit. */
  margin: number
  /** The chance that a harmless change is ever called a regression. */
  alpha: number
  /** The chance that a change at the margin is ever called safe. */
  beta: number
}

/** Worse by: 0.05 is 5 % worse, below zero is better. */
export interface Worse {
  lower: number
  estimate: number
  upper: number
}

export interface Verdict {
  state: VerdictState
  worse: Worse
  /** The logarithms of the evidence for a regression and for safety. */
  regression: number
  safety: number
}

/** The usual size of a regression, in logarithms: about 20 % for means and shares, 10 % for quantiles. */
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

/** For events that most units never meet. Where more of them is better, the control is what has too many. */
export function judgeShare(
  given: readonly StageEvents[],
  { better, limit, margin, alpha, beta }: Standard,
  isReady: boolean,
): Verdict {
  const stages = better === 'lower' ? given : given.map(swap)
  const regression = logShareEvidence(stages, 1 + limit, 'more')
  const safety = logShareEvidence(stages, 1 + margin, 'less')
  const { lower, upper } = shareInterval(stages, { lower: alpha, upper: beta })
  return {
    state: stateOf({ regression, safety, isReady }, { alpha, beta }),
    worse: { lower: lower - 1, estimate: (shareRatio(stages) ?? 1) - 1, upper: upper - 1 },
    regression,
    safety,
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
