// Several metrics guard one rollout: their false-alarm rates add up, so each gets a share of the rollout's alpha.

/** The shares sum to alpha, whatever the weights. Metrics with an invalid weight count once. */
export function divideAlpha(alpha: number, weights: readonly number[]): number[] {
  const sound = weights.map((weight) => (Number.isFinite(weight) && weight > 0 ? weight : 1))
  const all = sound.reduce((sum, weight) => sum + weight, 0)
  return sound.map((weight) => (alpha * weight) / all)
}

/** The p-value: the probability of ever observing this much evidence without a difference. */
export function chanceOfAsMuch(largestEvidence: number): number {
  return Math.min(1, Math.exp(-largestEvidence))
}
