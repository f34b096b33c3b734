// How many times as often something happens to some as to others, with an interval: Katz' log interval of a risk ratio
// (Katz, Baptista, Azen and Pike 1978), half an event added to each cell, as Walter does, so that none is empty.

export interface Share {
  /** To how many it happened. */
  hits: number
  /** Of how many. */
  total: number
}

export interface RiskRatio {
  ratio: number
  lower: number
  upper: number
}

/**
 * `comparisons` is how many ratios are looked at together: the intervals are widened so that with 95 % all of them hold.
 * Nothing when one side has nobody, or it happened to nobody.
 */
export function riskRatio(group: Share, others: Share, comparisons = 1): RiskRatio | undefined {
  if (group.total === 0 || others.total === 0 || group.hits + others.hits === 0) return undefined
  const share = (group.hits + 0.5) / (group.total + 0.5)
  const otherShare = (others.hits + 0.5) / (others.total + 0.5)
  const ratio = share / otherShare
  const variance =
    1 / (group.hits + 0.5) - 1 / (group.total + 0.5) + 1 / (others.hits + 0.5) - 1 / (others.total + 0.5)
  const reach = Math.exp(
    normalQuantile(1 - 0.025 / Math.max(1, comparisons)) * Math.sqrt(Math.max(0, variance)),
  )
  return { ratio, lower: ratio / reach, upper: ratio * reach }
}

/** The standard normal quantile by Acklam's rational approximation: relative error below 1.2e-9. For p above a half. */
export function normalQuantile(p: number): number {
  const central = [
    -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
    2.506628277459239,
  ]
  const centralBelow = [
    -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1,
    -1.328068155288572e1, 1,
  ]
  const tail = [
    -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ]
  const tailBelow = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1]
  const tailBegins = 0.97575
  if (p <= tailBegins) {
    const q = p - 0.5
    return (q * polynomial(central, q * q)) / polynomial(centralBelow, q * q)
  }
  const q = Math.sqrt(-2 * Math.log(1 - p))
  return -polynomial(tail, q) / polynomial(tailBelow, q)
}

const polynomial = (coefficients: number[], x: number) =>
  coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0)
