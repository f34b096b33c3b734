// Several metrics watch one rollout: their chances of a false alarm add up, so each gets a part of what the rollout may have.

/** The parts sum to the whole, whatever the weights; metrics without a sound weight count once. */
export function divideAlpha(alpha: number, weights: readonly number[]): number[] {
  const sound = weights.map((weight) => (Number.isFinite(weight) && weight > 0 ? weight : 1))
  const all = sound.reduce((sum, weight) => sum + weight, 0)
  return sound.map((weight) => (alpha * weight) / all)
}

/** How surprising the evidence would be if nothing were wrong: the chance of ever seeing as much. */
export function chanceOfAsMuch(largestEvidence: number): number {
  return Math.min(1, Math.exp(-largestEvidence))
}
