// Shares of a rollout template are those of the users of both variations, so that one template fits every split.
import { limits } from '../limits.ts'

interface Weighted {
  weight: number
}

/** The stages of a template in a split where both variations have this weight together. They still grow. */
export function stagesInPool<Stage extends Weighted>(stages: readonly Stage[], pool: number): Stage[] {
  let before = 0
  return stages.map((stage) => {
    const weight = Math.max(before + 1, Math.round((stage.weight * pool) / limits.weightTotal))
    before = weight
    return { ...stage, weight }
  })
}

/** The reverse: stages of such a split as those of a template. */
export function stagesOfPool<Stage extends Weighted>(stages: readonly Stage[], pool: number): Stage[] {
  if (pool <= 0) return [...stages]
  const toTotal = (weight: number) => Math.round((weight * limits.weightTotal) / pool)
  return stages.map((stage) => ({ ...stage, weight: Math.min(limits.weightTotal, toTotal(stage.weight)) }))
}
