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
 * The sums of y − c x + r n, with c = coefficient · mean n of a unit in the stage, and r so that both arms together keep
 * their ratio: who is exposed may have more history than others. Both are over both arms: an effect of the treatment on
 * n changes both arms alike.
 */
export function withHistory(
  { stages, shared }: ClusteredSums,
  history: ClusteredHistory,
  coefficient: number,
): ClusteredSums {
  const lines = stages.map((stage, index) => lineOf(stage, history.stages[index], coefficient))
  const adjustShared = (arm: ArmName) =>
    shared[arm].map((pair): SharedSums => {
      const [one = noLine, other = noLine] = [lines[pair.earlier], lines[pair.later]]
      const found = history.shared[arm].find(
        ({ earlier, later }) => earlier === pair.earlier && later === pair.later,
      )
      return adjustPair(pair, found ?? { ...noHistory, mx: 0, zx: 0 }, [one, other])
    })
  return {
    stages: stages.map((stage, index): StageSums => {
      const of = history.stages[index]
      const line = lines[index] ?? noLine
      return {
        treatment: adjust(stage.treatment, of?.treatment ?? noHistory, line),
        control: adjust(stage.control, of?.control ?? noHistory, line),
      }
    }),
    shared: { treatment: adjustShared('treatment'), control: adjustShared('control') },
  }
}

/** What is added to y: r n − c x. */
interface Line {
  c: number
  r: number
}

const noLine: Line = { c: 0, r: 0 }

function lineOf(
  { treatment, control }: StageSums,
  history: Record<ArmName, HistorySums> | undefined,
  coefficient: number,
): Line {
  const [units, n] = [treatment.units + control.units, treatment.n + control.n]
  if (history === undefined || units === 0 || n === 0) return noLine
  const c = (coefficient * n) / units
  return { c, r: (c * (history.treatment.x + history.control.x)) / n }
}

function adjust(sums: UnitSums, { x, xx, nx, yx }: HistorySums, { c, r }: Line): UnitSums {
  const { n, y, nn, ny, yy } = sums
  return {
    ...sums,
    y: y - c * x + r * n,
    ny: ny - c * nx + r * nn,
    yy: Math.max(0, yy - 2 * c * yx + c ** 2 * xx + 2 * r * (ny - c * nx) + r ** 2 * nn),
  }
}

function adjustPair(
  pair: SharedSums,
  { xx, nx, mx, yx, zx }: Omit<SharedHistory, 'earlier' | 'later'>,
  [one, other]: readonly [earlier: Line, later: Line],
): SharedSums {
  const { nn, ny, yn, yy } = pair
  const [later, earlier] = [ny - other.c * nx, yn - one.c * mx]
  return {
    ...pair,
    ny: later + other.r * nn,
    yn: earlier + one.r * nn,
    yy:
      yy -
      other.c * yx -
      one.c * zx +
      one.c * other.c * xx +
      other.r * earlier +
      one.r * later +
      one.r * other.r * nn,
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

/**
 * How the history of a unit is computed from n and y before the start: (y − ratio · n) / mean. For a percentile, y is the
 * number of values beyond a threshold that is fixed before the start.
 */
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
