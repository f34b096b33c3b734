// The weights of a split while a rollout serves one of its stages: what treatment and control have together stays the
// same, the treatment takes its share of it, and nobody else notices.

export interface StageWeights {
  control: string
  treatment: string
  /** What the treatment gets, of 100 000. */
  weight: number
}

interface WeightedArm {
  variation: string
  weight: number
}

/** Nothing when the split does not serve the control, or the two have less than that together. */
export function weightsAt(
  arms: readonly WeightedArm[],
  { control, treatment, weight }: StageWeights,
): WeightedArm[] | undefined {
  const pool = poolOf(arms, { control, treatment })
  if (pool < weight || !arms.some(({ variation }) => variation === control)) return undefined
  const given = new Map([
    [control, pool - weight],
    [treatment, weight],
  ])
  const isThere = arms.some(({ variation }) => variation === treatment)
  const all = isThere ? arms : [...arms, { variation: treatment, weight: 0 }]
  return all.map(({ variation, weight: own }) => ({ variation, weight: given.get(variation) ?? own }))
}

/** What the two have together. */
export function poolOf(
  arms: readonly WeightedArm[],
  { control, treatment }: Omit<StageWeights, 'weight'>,
): number {
  return arms
    .filter(({ variation }) => variation === control || variation === treatment)
    .reduce((sum, { weight }) => sum + weight, 0)
}
