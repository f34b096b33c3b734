// How well two arms can be compared, besides the numbers of a verdict: shown to members and used by the guard.
import type { ArmName, ClusteredSums, SharedSums, UnitSums } from '../statistics/sums.ts'

/** Per metric. */
export interface MetricQuality {
  /** The number of units with equal use that would be as informative. */
  effectiveUnits: Record<ArmName, number>
  /** The largest share of one unit in an arm's denominator, before weights are capped. */
  largestShare: Record<ArmName, number>
  /** Units left out because each has too much of the denominator. */
  leftOut: Record<ArmName, number>
  /** If the denominator per unit varies: how much more the treatment has. */
  denominator?: DenominatorShift | undefined
}

export interface DenominatorShift {
  change: { lower: number; estimate: number; upper: number }
  /** Certain enough that the metric alone proves nothing. */
  differs: boolean
}

/** For all metrics of a rollout. */
export interface ComparisonQuality {
  /** Units exposed to both arms within one stage. */
  crossed: number
  /**
   * The share of the treatment's units that already had it, such as in an earlier rollout; undefined without an
   * earlier time.
   */
  reexposed?: number | undefined
  /** The share of each arm's exposed units that were heard from again. */
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

/** (Σy)² / Σy²: how many units with equal totals would be as informative. One buyer with half of it all counts little. */
export function effectiveTotals({ stages, shared }: ClusteredSums): Record<ArmName, number> {
  return effective(stages, shared, { first: ({ y }) => y, second: ({ yy }) => yy, pair: ({ yy }) => yy })
}

/** (Σn)² / Σn², where n is a unit's denominator over all stages of an arm: a returning unit counts once. */
export function effectiveUnits({ stages, shared }: ClusteredSums): Record<ArmName, number> {
  return effective(stages, shared, { first: ({ n }) => n, second: ({ nn }) => nn, pair: ({ nn }) => nn })
}

interface Moments {
  first: (sums: UnitSums) => number
  second: (sums: UnitSums) => number
  pair: (sums: SharedSums) => number
}

function effective(
  stages: ClusteredSums['stages'],
  shared: ClusteredSums['shared'],
  { first, second, pair }: Moments,
): Record<ArmName, number> {
  const of = (arm: ArmName) => {
    let [sum, squares] = [0, 0]
    for (const stage of stages) {
      sum += first(stage[arm])
      squares += second(stage[arm])
    }
    for (const both of shared[arm]) squares += 2 * pair(both)
    return squares > 0 ? sum ** 2 / squares : 0
  }
  return { treatment: of('treatment'), control: of('control') }
}
