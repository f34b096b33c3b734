// What is read from the database for a metric: sums over units, so that repeated events of one unit are one
// observation. A few dozen numbers, whatever the traffic.

/**
 * Over the units of one arm in one stage: n is the denominator of a unit (its views, its sessions, or 1), y the
 * numerator.
 */
export interface UnitSums {
  units: number
  n: number
  y: number
  nn: number
  ny: number
  yy: number
  /** Before weights are capped; undefined if not read. */
  use?: UnitUse | undefined
}

interface UnitUse {
  /** The denominator of all units, and of the unit with the largest. */
  all: number
  largest: number
  /** Units left out of the sums because each has too much of the denominator. */
  leftOut: number
}

export interface StageSums {
  treatment: UnitSums
  control: UnitSums
}

/** Over the units seen in the same arm in two stages, given by their indexes. */
export interface SharedSums {
  earlier: number
  later: number
  /** Their number; undefined if not read. */
  units?: number | undefined
  nn: number
  /** n in the earlier stage times y in the later one. */
  ny: number
  yn: number
  yy: number
}

export interface ClusteredSums {
  stages: readonly StageSums[]
  shared: { treatment: readonly SharedSums[]; control: readonly SharedSums[] }
}

export type ArmName = 'treatment' | 'control'

export const noSums: UnitSums = { units: 0, n: 0, y: 0, nn: 0, ny: 0, yy: 0 }

/** Far above every real sum, and its square is still finite. */
const largestSum = 1e100

/** Whether it is a valid count. */
export function isCount(value: number): boolean {
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER
}

/** One invalid number makes all sums unusable: neither harm nor safety is concluded from them. */
export function areUsable({ stages, shared }: ClusteredSums): boolean {
  const isSum = (value: number) => Math.abs(value) <= largestSum
  const isSound = ({ units, n, y, nn, ny, yy }: UnitSums) =>
    isCount(units) && isCount(n) && [y, nn, ny, yy].every(isSum) && nn >= 0 && yy >= 0
  const isPair = ({ earlier, later, nn, ny, yn, yy }: SharedSums) =>
    stages[earlier] !== undefined && stages[later] !== undefined && [nn, ny, yn, yy].every(isSum)
  return (
    stages.every(({ treatment, control }) => isSound(treatment) && isSound(control)) &&
    [...shared.treatment, ...shared.control].every(isPair)
  )
}

/** Stages with data in both arms, weighted by their denominators only: outcomes must not affect the weights. */
export function weightsOf(stages: readonly StageSums[]): number[] {
  return stages.map(({ treatment, control }) => {
    const both = treatment.n + control.n
    return treatment.n > 0 && control.n > 0 ? (treatment.n * control.n) / both : 0
  })
}

/** Σ (y - ratio n)². */
export function squaredResiduals({ nn, ny, yy }: UnitSums, ratio: number): number {
  return Math.max(0, yy - 2 * ratio * ny + ratio ** 2 * nn)
}

export function ratioOf({ n, y }: UnitSums): number {
  return n > 0 ? y / n : 0
}

/** The covariance of one arm's weighted sum between stages, from units seen in several of them. */
export function sharedVariance(
  { stages, shared }: ClusteredSums,
  arm: ArmName,
  weights: readonly number[],
): number {
  let sum = 0
  for (const { earlier, later, nn, ny, yn, yy } of shared[arm]) {
    const [first, second] = [stages[earlier]?.[arm], stages[later]?.[arm]]
    const [weightFirst, weightSecond] = [weights[earlier] ?? 0, weights[later] ?? 0]
    if (first === undefined || second === undefined || weightFirst === 0 || weightSecond === 0) continue
    const [a, b] = [ratioOf(first), ratioOf(second)]
    sum += 2 * (weightFirst / first.n) * (weightSecond / second.n) * (yy - b * yn - a * ny + a * b * nn)
  }
  return Math.max(0, sum)
}

/** The variance of one arm's weighted sum of ratios between units. */
export function clusteredVariance(sums: ClusteredSums, arm: ArmName, weights: readonly number[]): number {
  let sum = sharedVariance(sums, arm, weights)
  for (const [index, stage] of sums.stages.entries()) {
    const weight = weights[index] ?? 0
    if (weight === 0) continue
    const of = stage[arm]
    const small = of.units > 1 ? of.units / (of.units - 1) : 1
    sum += (weight / of.n) ** 2 * squaredResiduals(of, ratioOf(of)) * small
  }
  return sum
}
