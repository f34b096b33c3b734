// The change of a metric on the scale shared by all metrics: the logarithm of treatment over control, with its
// variance.

export interface Effect {
  /** ln (treatment / control). */
  delta: number
  variance: number
}

/** Why a number cannot be estimated yet. */
export type NotEstimable =
  | 'no-units'
  /** An arm's mean is zero or below, so that its logarithm doesn't exist. */
  | 'no-positive-mean'
  /** Everybody alike. */
  | 'no-variance'
  /** The quantile lies among the values too small to tell apart: the share above a threshold has to do. */
  | 'lowest-bucket'
  /** A number that is none, or a negative count. */
  | 'unusable'

export type Estimate = { effect: Effect } | { missing: NotEstimable }

/** Never returns NaN or infinity. */
export function estimate(delta: number, variance: number): Estimate {
  if (!Number.isFinite(delta) || !Number.isFinite(variance) || variance < 0) return { missing: 'unusable' }
  if (variance === 0) return { missing: 'no-variance' }
  return { effect: { delta, variance } }
}
