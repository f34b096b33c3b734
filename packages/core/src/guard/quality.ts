// How well two arms can be compared, beside the numbers that a verdict is made of: shown to members, and used by the guard.
import type { ArmName, ClusteredSums } from '../statistics/sums.ts'

/** Of one metric. */
export interface MetricQuality {
  /** How many units with equal use would tell as much. */
  effectiveUnits: Record<ArmName, number>
  /** Of the denominator of an arm, before a unit's weight is capped. */
  largestShare: Record<ArmName, number>
  /** Units that were left out because each has too much of the denominator. */
  leftOut: Record<ArmName, number>
  /** What the metric is divided by, per unit, as far as that varies: by how much more the treatment has. */
  denominator?: DenominatorShift | undefined
}

export interface DenominatorShift {
  change: { lower: number; estimate: number; upper: number }
  /** Certain enough that the metric alone proves nothing. */
  differs: boolean
}

/** Of all of its metrics alike. */
export interface ComparisonQuality {
  /** Units exposed to both arms inside one stage. */
  crossed: number
  /** The share of the treatment's units that had it before, such as in an earlier rollout; nothing where there was no time before. */
  reexposed?: number | undefined
  /** The share of exposed units of each arm that were heard of again. */
  heard?: Record<ArmName, number> | undefined
}

export function qualityOfSums(sums: ClusteredSums): MetricQuality {
  const of = (arm: ArmName) => {
    const used = sums.stages.flatMap(({ [arm]: { use } }) => use ?? [])
    const all = used.reduce((sum, use) => sum + use.all, 0)
    return {
      largest: all > 0 ? Math.max(...used.map(({ largest }) => largest)) / all : 0,
      leftOut: used.reduce((sum, use) => sum + use.leftOut, 0),
    }
  }
  const [treatment, control] = [of('treatment'), of('control')]
  return {
    effectiveUnits: effectiveUnits(sums),
    largestShare: { treatment: treatment.largest, control: control.largest },
    leftOut: { treatment: treatment.leftOut, control: control.leftOut },
  }
}

/** (Σn)² / Σn², where n is what a unit has in all stages of an arm together: who returns in several is one. */
export function effectiveUnits({ stages, shared }: ClusteredSums): Record<ArmName, number> {
  const of = (arm: ArmName) => {
    let [n, nn] = [0, 0]
    for (const stage of stages) {
      n += stage[arm].n
      nn += stage[arm].nn
    }
    for (const pair of shared[arm]) nn += 2 * pair.nn
    return nn > 0 ? n ** 2 / nn : 0
  }
  return { treatment: of('treatment'), control: of('control') }
}
