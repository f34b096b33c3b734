// The number of distinct units of an arm over all stages. A unit that returns in several stages counts once: minimum
// numbers of units are about users, not visits.
import type { ArmName, ClusteredSums } from './sums.ts'

/**
 * A lower bound, exact if all units were seen in the same number of stages: each stage counts its units by the
 * number of stages that they share with all others (de Caen's bound). Without counts of shared units, the units of
 * the largest stage.
 */
export function distinctUnits({ stages, shared }: ClusteredSums, arm: ArmName): number {
  const counts = stages.map((stage) => stage[arm].units)
  const largest = Math.max(0, ...counts)
  const pairs = shared[arm]
  if (pairs.some(({ units }) => units === undefined)) return largest
  const bound = counts.reduce((sum, units, stage) => {
    if (units === 0) return sum
    const inCommon = pairs.reduce(
      (all, { earlier, later, units: both = 0 }) => (earlier === stage || later === stage ? all + both : all),
      units,
    )
    return sum + units ** 2 / inCommon
  }, 0)
  return Math.max(largest, Math.floor(bound + 1e-9))
}
