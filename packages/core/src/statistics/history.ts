// Fewer users by their history (CUPED: Deng, Xu, Kohavi and Walker 2013): what a unit did before the start explains a part
// of what it does afterwards, and chance gives both arms the same history. Subtracting a multiple of it leaves the
// expected difference as it is and takes that part out of the variance. The multiple is fixed before the start, from
// two earlier periods, so looks stay valid at any time.

import type { ArmName, ClusteredSums, SharedSums, StageSums, UnitSums } from './sums.ts'

/** Sums over units of one arm in one stage; x is the history of a unit, zero if it has none. */
export interface HistorySums {
  x: number
  xx: number
  nx: number
  yx: number
}

/** Over the units seen in the same arm in two stages; m and z are n and y of the later one. */
export interface SharedHistory extends HistorySums {
  earlier: number
  later: number
  mx: number
  zx: number
}

export interface ClusteredHistory {
  /** In the order of the stages of the sums. */
  stages: readonly Record<ArmName, HistorySums>[]
  shared: Record<ArmName, readonly SharedHistory[]>
}

export const noHistory: HistorySums = { x: 0, xx: 0, nx: 0, yx: 0 }

/**
 * The sums of y − c x, with c = coefficient · mean n of a unit in the stage, over both arms: an effect of the treatment on
 * n changes both arms alike.
 */
export function withHistory(
  { stages, shared }: ClusteredSums,
  history: ClusteredHistory,
  coefficient: number,
): ClusteredSums {
  const factors = stages.map(({ treatment, control }) => {
    const units = treatment.units + control.units
    return units > 0 ? (coefficient * (treatment.n + control.n)) / units : 0
  })
  const adjust = (sums: UnitSums, { x, xx, nx, yx }: HistorySums, c: number): UnitSums => ({
    ...sums,
    y: sums.y - c * x,
    ny: sums.ny - c * nx,
    yy: Math.max(0, sums.yy - 2 * c * yx + c ** 2 * xx),
  })
  const adjustShared = (arm: ArmName) =>
    shared[arm].map((pair): SharedSums => {
      const { earlier, later } = pair
      const found = history.shared[arm].find((one) => one.earlier === earlier && one.later === later)
      const [c, d] = [factors[earlier] ?? 0, factors[later] ?? 0]
      if (found === undefined) return pair
      return {
        ...pair,
        ny: pair.ny - d * found.nx,
        yn: pair.yn - c * found.mx,
        yy: pair.yy - d * found.yx - c * found.zx + c * d * found.xx,
      }
    })
  return {
    stages: stages.map((stage, index): StageSums => {
      const of = history.stages[index]
      const c = factors[index] ?? 0
      return {
        treatment: adjust(stage.treatment, of?.treatment ?? noHistory, c),
        control: adjust(stage.control, of?.control ?? noHistory, c),
      }
    }),
    shared: { treatment: adjustShared('treatment'), control: adjustShared('control') },
  }
}

/** Of all users, in two periods before the start: sums over those that were there in the later one. */
export interface PeriodMoments {
  /** Users of the later period, and users of the earlier one, whether or not they came back. */
  users: number
  earlyUsers: number
  n: number
  y: number
  /** Of the earlier period, over its users. */
  earlyN: number
  earlyY: number
  /** Products over users of the later period; a and b are n and y of the earlier one. */
  nn: number
  ny: number
  yy: number
  na: number
  nb: number
  ya: number
  yb: number
  aa: number
  ab: number
  bb: number
}

/** How the history of a unit is computed from n and y before the start: (y − ratio · n) / mean. */
export interface HistoryRule {
  coefficient: number
  ratio: number
  mean: number
  /** The expected reduction of the variance, from 0 to 1. */
  reduction: number
}

/** Below this, history does not pay for the additional reading. */
const worthwhile = 0.02
const fewestUsers = 200

/** Undefined where history explains too little, or is not known of enough users. */
export function ruleOf(moments: PeriodMoments): HistoryRule | undefined {
  const { users, earlyUsers, n, y, earlyN, earlyY } = moments
  if (users < fewestUsers || earlyUsers < fewestUsers || n <= 0 || earlyN <= 0) return undefined
  const [ratio, early] = [y / n, earlyY / earlyN]
  const [mean, earlyMean] = [n / users, earlyN / earlyUsers]
  const { nn, ny, yy, na, nb, ya, yb, aa, ab, bb } = moments
  const own = (yy - 2 * ratio * ny + ratio ** 2 * nn) / mean ** 2
  const past = (bb - 2 * early * ab + early ** 2 * aa) / earlyMean ** 2
  const both = (yb - early * ya - ratio * nb + ratio * early * na) / (mean * earlyMean)
  if (!(own > 0) || !(past > 0)) return undefined
  const reduction = both ** 2 / (own * past)
  if (!(reduction >= worthwhile) || reduction > 1) return undefined
  return { coefficient: both / past, ratio, mean, reduction }
}
