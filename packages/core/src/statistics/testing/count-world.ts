// Counts a simulated world up to a look, as the database would: sums over users by stage and arm, over users seen in
// two stages, histograms, and first events. Uses typed arrays, because thousands of runs are counted at every look. A
// user's weight is capped, and users with more than 1 % of a denominator are left out, as the server does when it reads
// the roll-ups.
import { limits } from '../../limits.ts'
import { bucketMaximum, type Histogram } from '../buckets.ts'
import type { StageEvents } from '../event-share.ts'
import type { Quantiles } from '../quantile-effect.ts'
import type { ArmName, ClusteredSums, SharedSums, StageSums, UnitSums } from '../sums.ts'
import type { Design, Visit, World } from './simulated-world.ts'

export type Measure = 'sum' | 'errors' | 'conversions'

const arms = ['treatment', 'control'] as const
const errorsPerSession = 50

export class WorldCount {
  /** Users by the stage and arm of their first error, and of their first visit. */
  readonly events: StageEvents[]
  readonly exposures: StageEvents[]
  peopleWithErrors = 0

  private readonly world: World
  private readonly stages: number
  /** By user and stage. */
  private readonly armOfCell: Uint8Array
  private readonly cells: Record<Measure | 'views' | 'sessions', Float64Array>
  private readonly viewCells: Uint32Array
  private readonly viewBuckets: Uint16Array
  private views = 0
  /** All views by stage and arm, each counted once; cells above the cap separately. */
  private readonly whole: Float64Array[]
  private readonly ofHeavy = new Map<number, Float64Array>()
  /** The weights of a denominator's cells, until their user is active again. */
  private readonly weights = new Map<Float64Array, Float64Array>()
  private readonly firstSeen: { error: Uint8Array; visit: Uint8Array }

  constructor(world: World, design: Design) {
    const shares = design.stages.map(({ share }) => share)
    const cellCount = world.places.length * shares.length
    const viewCount = world.visits.flat().reduce((all, { buckets }) => all + buckets.length, 0)
    this.world = world
    this.stages = shares.length
    this.armOfCell = Uint8Array.from({ length: cellCount }, (_, cell) =>
      (world.places[Math.floor(cell / shares.length)] ?? 1) < (shares[cell % shares.length] ?? 0) ? 0 : 1,
    )
    const numbers = () => new Float64Array(cellCount)
    this.cells = {
      views: numbers(),
      sum: numbers(),
      sessions: numbers(),
      errors: numbers(),
      conversions: numbers(),
    }
    this.viewCells = new Uint32Array(viewCount)
    this.viewBuckets = new Uint16Array(viewCount)
    this.whole = Array.from({ length: 2 * shares.length }, () => new Float64Array(bucketMaximum + 1))
    const marks = () => new Uint8Array(world.places.length)
    this.firstSeen = { error: marks(), visit: marks() }
    this.events = shares.map((share) => ({ treatment: 0, control: 0, share }))
    this.exposures = shares.map((share) => ({ treatment: 0, control: 0, share }))
  }

  /** Adds what happened since the previous look. */
  add(look: number): void {
    this.weights.clear()
    for (const visit of this.world.visits[look] ?? []) this.addVisit(visit, this.world.stageOfLook[look] ?? 0)
  }

  sums(measure: Measure): ClusteredSums {
    return this.sumUp(measure === 'sum' ? this.cells.views : this.cells.sessions, this.cells[measure])
  }

  get histograms(): { treatment: number[]; control: number[] }[] {
    const weights = this.weightsOf(this.cells.views)
    const histograms = this.whole.map((counts) => counts.slice())
    for (const [cell, own] of this.ofHeavy) {
      const histogram = histograms[this.indexOf(cell)]
      const surplus = 1 - (weights[cell] ?? 0)
      if (histogram === undefined) continue
      for (let bucket = 0; bucket <= bucketMaximum; bucket += 1)
        histogram[bucket] = (histogram[bucket] ?? 0) - surplus * (own[bucket] ?? 0)
    }
    return Array.from({ length: this.stages }, (_, stage) => ({
      treatment: Array.from(histograms[2 * stage] ?? [], nothingLess),
      control: Array.from(histograms[2 * stage + 1] ?? [], nothingLess),
    }))
  }

  /** The second pass of a quantile. */
  sumsBeyond({ bucket, part }: Pick<Quantiles, 'bucket' | 'part'>): ClusteredSums {
    const ends = arms.map((arm) => bucket[arm])
    const parts = arms.map((arm) => part[arm])
    const beyond = new Float64Array(this.armOfCell.length)
    for (let view = 0; view < this.views; view += 1) {
      const cell = this.viewCells[view] ?? 0
      const arm = this.armOfCell[cell] ?? 0
      const [at, end] = [this.viewBuckets[view] ?? 0, ends[arm] ?? 0]
      if (at >= end) beyond[cell] = (beyond[cell] ?? 0) + (at > end ? 1 : (parts[arm] ?? 0))
    }
    return this.sumUp(this.cells.views, beyond)
  }

  private addVisit({ person, buckets, sum, errors, converted }: Visit, stage: number): void {
    const cell = person * this.stages + stage
    const arm = arms[this.armOfCell[cell] ?? 0] ?? 'control'
    const addTo = (values: Float64Array, added: number) => {
      values[cell] = (values[cell] ?? 0) + added
    }
    addTo(this.cells.views, buckets.length)
    addTo(this.cells.sum, sum)
    addTo(this.cells.sessions, 1)
    addTo(this.cells.errors, Math.min(errorsPerSession, errors))
    addTo(this.cells.conversions, converted ? 1 : 0)
    const whole = this.whole[this.indexOf(cell)]
    for (const bucket of buckets) {
      this.viewCells[this.views] = cell
      this.viewBuckets[this.views] = bucket
      this.views += 1
      if (whole !== undefined) whole[bucket] = (whole[bucket] ?? 0) + 1
    }
    this.noteHeavy(cell, buckets)
    countFirst(this.firstSeen.visit, person, { of: this.exposures[stage], arm })
    if (errors > 0 && countFirst(this.firstSeen.error, person, { of: this.events[stage], arm })) {
      this.peopleWithErrors += 1
    }
  }

  /** The index of a stage and arm among the histograms. */
  private indexOf(cell: number): number {
    return 2 * (cell % this.stages) + (this.armOfCell[cell] ?? 0)
  }

  /** A cell above the cap is also counted separately. */
  private noteHeavy(cell: number, added: readonly number[]): void {
    if ((this.cells.views[cell] ?? 0) <= limits.guardUnitWeight) return
    let own = this.ofHeavy.get(cell)
    if (own !== undefined) {
      for (const bucket of added) own[bucket] = (own[bucket] ?? 0) + 1
      return
    }
    own = new Float64Array(bucketMaximum + 1)
    this.ofHeavy.set(cell, own)
    for (let view = 0; view < this.views; view += 1) {
      const bucket = this.viewBuckets[view] ?? 0
      if (this.viewCells[view] === cell) own[bucket] = (own[bucket] ?? 0) + 1
    }
  }

  private sumUp(views: Float64Array, counted: Float64Array): ClusteredSums {
    const weights = this.weightsOf(views)
    const n = (cell: number) => (views[cell] ?? 0) * (weights[cell] ?? 0)
    const y = (cell: number) => (counted[cell] ?? 0) * (weights[cell] ?? 0)
    const sums = Array.from({ length: this.stages }, () => ({ treatment: noneYet(), control: noneYet() }))
    const pairs = { treatment: this.pairs(), control: this.pairs() }
    for (let first = 0; first < views.length; first += this.stages) {
      for (let later = 0; later < this.stages; later += 1) {
        const cell = first + later
        const own = n(cell)
        if (own === 0) continue
        const arm = arms[this.armOfCell[cell] ?? 0] ?? 'control'
        addUnit(sums[later]?.[arm], own, y(cell))
        for (let earlier = 0; earlier < later; earlier += 1) {
          const before = first + earlier
          if (n(before) === 0 || this.armOfCell[before] !== this.armOfCell[cell]) continue
          // In the order of `pairs()`.
          addPair(pairs[arm][(later * (later - 1)) / 2 + earlier], [n(before), y(before), own, y(cell)])
        }
      }
    }
    return { stages: sums, shared: pairs }
  }

  /** By user and stage: 0 for users left out, below 1 above the cap. */
  private weightsOf(denominators: Float64Array): Float64Array {
    const known = this.weights.get(denominators)
    if (known !== undefined) return known
    const { guardUnitWeight, guardEvenUnits } = limits
    const weights = new Float64Array(denominators.length).fill(1)
    this.weights.set(denominators, weights)
    const capped: number[] = []
    let all = 0
    for (let cell = 0; cell < denominators.length; cell += 1) {
      const own = denominators[cell] ?? 0
      all += own
      if (own <= guardUnitWeight) continue
      weights[cell] = guardUnitWeight / own
      capped.push(cell)
    }
    for (const cell of capped) {
      if ((denominators[cell] ?? 0) * guardEvenUnits <= all) continue
      // Too large in one stage: left out of all of them, in both arms.
      const first = cell - (cell % this.stages)
      weights.fill(0, first, first + this.stages)
    }
    return weights
  }

  private pairs(): SharedSums[] {
    return Array.from({ length: this.stages }, (_, later) =>
      Array.from({ length: later }, (_none, earlier) => ({
        earlier,
        later,
        units: 0,
        nn: 0,
        ny: 0,
        yn: 0,
        yy: 0,
      })),
    ).flat()
  }
}

/** Treats every view as another user's: a mistake for shares of views. */
export function withoutPeople({ stages }: ClusteredSums): ClusteredSums {
  const alone = ({ n, y }: UnitSums): UnitSums => ({ units: n, n, y, nn: n, ny: y, yy: y })
  return {
    stages: stages.map(({ treatment, control }) => ({
      treatment: alone(treatment),
      control: alone(control),
    })),
    shared: { treatment: [], control: [] },
  }
}

/** Treats all stages as one: a mistake. */
export function withoutStages(sums: ClusteredSums): ClusteredSums {
  const stage: StageSums = { treatment: noneYet(), control: noneYet() }
  for (const one of sums.stages) {
    for (const arm of arms) {
      for (const key of ['units', 'n', 'y', 'nn', 'ny', 'yy'] as const) stage[arm][key] += one[arm][key]
    }
  }
  return { stages: [stage], shared: { treatment: [], control: [] } }
}

export function withoutStagesIn(stages: readonly Record<ArmName, Histogram>[]) {
  const sum = (arm: ArmName) =>
    (stages[0]?.[arm] ?? []).map((_, bucket) => stages.reduce((all, one) => all + (one[arm][bucket] ?? 0), 0))
  return [{ treatment: sum('treatment'), control: sum('control') }]
}

function countFirst(
  known: Uint8Array,
  person: number,
  { of, arm }: { of: StageEvents | undefined; arm: ArmName },
): boolean {
  if (of === undefined || known[person] === 1) return false
  known[person] = 1
  of[arm] += 1
  return true
}

/** Adding and subtracting counts leaves rounding errors. */
const nothingLess = (count: number) => (count > 1e-9 ? count : 0)

function noneYet(): UnitSums {
  return { units: 0, n: 0, y: 0, nn: 0, ny: 0, yy: 0 }
}

function addUnit(sums: UnitSums | undefined, n: number, y: number): void {
  if (sums === undefined) return
  sums.units += 1
  sums.n += n
  sums.y += y
  sums.nn += n * n
  sums.ny += n * y
  sums.yy += y * y
}

function addPair(pair: SharedSums | undefined, [n, y, nLater, yLater]: [number, number, number, number]) {
  if (pair === undefined) return
  pair.units = (pair.units ?? 0) + 1
  pair.nn += n * nLater
  pair.ny += n * yLater
  pair.yn += y * nLater
  pair.yy += y * yLater
}
