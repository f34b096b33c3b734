// How many different units an arm has over all stages. Who returns in several stages is one unit: a gate of so many units is
// about people, not about visits.
import type { ArmName, ClusteredSums } from './sums.ts'

/**
 * Never more than there are, and exact when all units were seen in as many stages: each stage counts its units by the number of
 * stages that they have in common with all others (de Caen's bound). Without counts of shared units, those of the largest stage.
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
