// The clustered sums of one metric, updated row by row: per stage, and over units seen in the same arm in two stages. A
// row changes only a few numbers, so a look is cheap.

import {
  type ArmName,
  type ClusteredSums,
  noSums,
  type SharedSums,
  type UnitSums,
} from '../../statistics/sums.ts'

export interface Drawn {
  stages: number
  /** The arm of a unit in a stage. */
  armOf(unit: number, stage: number): ArmName
}

/** The same sums computed at once, from each unit's values in every stage. */
export function sumUnits(
  { stages, armOf }: Drawn,
  units: readonly number[],
  { n, y }: { n: Float64Array; y: Float64Array },
): ClusteredSums {
  const own = Array.from({ length: stages }, () => ({ treatment: { ...noSums }, control: { ...noSums } }))
  const pairs = { treatment: pairsOf(stages), control: pairsOf(stages) }
  for (const unit of units) {
    const base = unit * stages
    for (let stage = 0; stage < stages; stage += 1) {
      const n1 = n[base + stage] ?? 0
      if (n1 === 0) continue
      const y1 = y[base + stage] ?? 0
      const arm = armOf(unit, stage)
      const sums: Mutable<UnitSums> | undefined = own[stage]?.[arm]
      if (sums === undefined) continue
      sums.units += 1
      sums.n += n1
      sums.y += y1
      sums.nn += n1 * n1
      sums.ny += n1 * y1
      sums.yy += y1 * y1
      for (let later = stage + 1; later < stages; later += 1) {
        const n2 = n[base + later] ?? 0
        if (n2 === 0 || armOf(unit, later) !== arm) continue
        const pair = pairs[arm][stage * stages + later]
        if (pair === undefined) continue
        const y2 = y[base + later] ?? 0
        pair.units += 1
        pair.nn += n1 * n2
        pair.ny += n1 * y2
        pair.yn += y1 * n2
        pair.yy += y1 * y2
      }
    }
  }
  const shared = (arm: ArmName) => pairs[arm].filter(({ earlier, later }) => earlier < later)
  return { stages: own, shared: { treatment: shared('treatment'), control: shared('control') } }
}

const pairsOf = (stages: number): Pair[] =>
  Array.from({ length: stages * stages }, (_, place) => {
    const later = place % stages
    return { earlier: (place - later) / stages, later, units: 0, nn: 0, ny: 0, yn: 0, yy: 0 }
  })

type Pair = Mutable<SharedSums> & { units: number }
type Mutable<Of> = { -readonly [Key in keyof Of]: Of[Key] }

export class UnitTally {
  readonly #drawn: Drawn
  readonly #n: Float64Array
  readonly #y: Float64Array
  readonly #stages: { treatment: Mutable<UnitSums>; control: Mutable<UnitSums> }[]
  readonly #shared = {
    treatment: new Map<number, Pair>(),
    control: new Map<number, Pair>(),
  }
  #hits = 0

  constructor(drawn: Drawn, units: number) {
    this.#drawn = drawn
    this.#n = new Float64Array(units * drawn.stages)
    this.#y = new Float64Array(units * drawn.stages)
    this.#stages = Array.from({ length: drawn.stages }, () => ({
      treatment: { ...noSums },
      control: { ...noSums },
    }))
  }

  /**
   * Sets a unit's values in a stage, at the index `unit * stages + stage`. Units without a denominator are ignored.
   */
  set(place: number, n: number, counted: number): void {
    const y = n > 0 ? counted : 0
    const stage = place % this.#drawn.stages
    const unit = (place - stage) / this.#drawn.stages
    const [n0, y0] = [this.#n[place] ?? 0, this.#y[place] ?? 0]
    if (n === n0 && y === y0) return
    const arm = this.#drawn.armOf(unit, stage)
    const sums = this.#stages[stage]?.[arm]
    if (sums === undefined) return
    sums.units += (n > 0 ? 1 : 0) - (n0 > 0 ? 1 : 0)
    this.#hits += (y > 0 ? 1 : 0) - (y0 > 0 ? 1 : 0)
    sums.n += n - n0
    sums.y += y - y0
    sums.nn += n * n - n0 * n0
    sums.ny += n * y - n0 * y0
    sums.yy += y * y - y0 * y0
    this.#n[place] = n
    this.#y[place] = y
    for (let other = 0; other < this.#drawn.stages; other += 1) {
      const there = place - stage + other
      const n2 = this.#n[there] ?? 0
      if (other === stage || n2 === 0 || this.#drawn.armOf(unit, other) !== arm) continue
      const more = (n > 0 ? 1 : 0) - (n0 > 0 ? 1 : 0)
      this.#share(arm, { stage, other, more, dn: n - n0, dy: y - y0, n2, y2: this.#y[there] ?? 0 })
    }
  }

  #share(
    arm: ArmName,
    {
      stage,
      other,
      more,
      dn,
      dy,
      n2,
      y2,
    }: { stage: number; other: number; more: number; dn: number; dy: number; n2: number; y2: number },
  ): void {
    const [earlier, later] = stage < other ? [stage, other] : [other, stage]
    const key = earlier * this.#drawn.stages + later
    const found = this.#shared[arm].get(key) ?? { earlier, later, units: 0, nn: 0, ny: 0, yn: 0, yy: 0 }
    this.#shared[arm].set(key, found)
    found.units += more
    found.nn += dn * n2
    found.yy += dy * y2
    found.ny += stage === earlier ? dn * y2 : n2 * dy
    found.yn += stage === earlier ? dy * n2 : y2 * dn
  }

  get sums(): ClusteredSums {
    return {
      stages: this.#stages,
      shared: {
        treatment: [...this.#shared.treatment.values()],
        control: [...this.#shared.control.values()],
      },
    }
  }

  /** Units with a numerator, counted once per stage and arm. */
  get unitsWithEvent(): number {
    return this.#hits
  }
}
