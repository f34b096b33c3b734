// The weights of a split in one stage of a rollout: treatment and control together keep their total, the treatment
// takes its weight of it, and all other arms are unchanged.

export interface StageWeights {
  control: string
  treatment: string
  /** Weight of the treatment, of 100 000. */
  weight: number
}

interface WeightedArm {
  variation: string
  weight: number
}

/** Undefined when the split does not serve the control, or the total of the two is below the weight. */
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

/** Total weight of treatment and control. */
export function poolOf(
  arms: readonly WeightedArm[],
  { control, treatment }: Omit<StageWeights, 'weight'>,
): number {
  return arms
    .filter(({ variation }) => variation === control || variation === treatment)
    .reduce((sum, { weight }) => sum + weight, 0)
}
