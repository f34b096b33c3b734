// Invented months of a site with 20 overlapping flags and known effects: users differ in how prone they are to failures,
// come back, and read most flags on each visit. Failures become more frequent during the month, so that a
// comparison of early stages of a ramp with later ones finds harm where there is none.

import { type Random, seededRandom } from '../../statistics/testing/seeded-random.ts'
import {
  type CellHits,
  cellOf,
  comparableEpochs,
  type LedgerCounts,
  type LedgerEpoch,
  type LedgerSplit,
  movedCell,
  variationsOf,
} from '../ledger/ledger-counts.ts'

export interface InventedFlag {
  flag: string
  /** What each variation adds to the probability of a failure per visit. */
  effects: Readonly<Record<string, number>>
  /** Starts of its epochs, from 0 to 1 of the month, with the weights of all arms. */
  epochs: readonly { from: number; weights: Readonly<Record<string, number>> }[]
  /** Users who read it: of one country, in a part of a layer, or with the variation `on` of another flag. */
  only?: 'country' | 'first-half' | 'second-half' | { needs: number }
  /** Buckets users as this flag does. */
  bucketsOf?: number
}

const half = { off: 50_000, on: 50_000 }
const ramp = [
  { from: 0, weights: { off: 95_000, on: 5_000 } },
  { from: 0.4, weights: { off: 75_000, on: 25_000 } },
  { from: 0.7, weights: half },
]
/** Rolled back at 50%, and started again. */
const again = [
  { from: 0, weights: { off: 90_000, on: 10_000 } },
  { from: 0.3, weights: half },
  { from: 0.6, weights: { off: 100_000, on: 0 } },
  { from: 0.8, weights: { off: 90_000, on: 10_000 } },
]
const completed = [
  { from: 0, weights: half },
  { from: 0.5, weights: { off: 0, on: 100_000 } },
]
const fixed = (weights: Record<string, number>) => [{ from: 0, weights }]

type Kind = Omit<InventedFlag, 'flag' | 'effects'>
const kinds: readonly Kind[] = [
  ...Array.from({ length: 5 }, (): Kind => ({ epochs: fixed(half) })),
  ...Array.from({ length: 2 }, (): Kind => ({ epochs: fixed({ off: 90_000, on: 10_000 }) })),
  ...Array.from({ length: 3 }, (): Kind => ({ epochs: ramp })),
  { epochs: again },
  ...Array.from({ length: 2 }, (): Kind => ({ epochs: completed })),
  ...Array.from({ length: 2 }, (): Kind => ({ epochs: fixed(half), only: 'country' })),
  { epochs: fixed(half), only: 'first-half' },
  { epochs: fixed(half), only: 'second-half' },
  { epochs: fixed(half), only: { needs: 0 } },
  { epochs: fixed({ off: 40_000, on: 30_000, other: 30_000 }) },
  { epochs: fixed({ off: 80_000, on: 20_000 }), bucketsOf: 1 },
]

const sizes = [0.05, 0, 0.02, -0.02, 0.1]

/** `isCalm`: no flag has an effect. */
export function inventFlags(isCalm = false): InventedFlag[] {
  return kinds.map((kind, index) => {
    const on = isCalm ? 0 : (sizes[index % sizes.length] ?? 0)
    return { ...kind, flag: `flag-${index}`, effects: { on, other: on / 2 } }
  })
}

interface Visit {
  at: number
  /** The probability of a failure without any flag. */
  risk: number
  failed: boolean
  /** Where its flags begin in the arrays of the month. */
  start: number
}

export interface LedgerLook {
  splits: readonly LedgerSplit[]
  counts: LedgerCounts
  /** Expected excess affected users, by `flag variation`. */
  truth: ReadonlyMap<string, number>
}

interface Month {
  flags: readonly InventedFlag[]
  splits: readonly LedgerSplit[]
  /** The variations of each flag, the control first. */
  variations: readonly (readonly string[])[]
  /** By visit and flag: the index of the epoch, -1 where it was not read; the arm, 0 for the control; and its effect. */
  epochs: Int8Array
  arms: Int8Array
  effects: Float64Array
}

const mostVisits = 7

/** What is known at each of the moments, in their order. */
export function inventMonth(
  flags: readonly InventedFlag[],
  { users, seed, looks }: { users: number; seed: number; looks: readonly number[] },
): LedgerLook[] {
  const random = seededRandom(seed)
  const splits = flags.map(splitOf)
  const size = users * mostVisits * flags.length
  const month: Month = {
    ...{ flags, splits, variations: splits.map(variationsOf) },
    epochs: new Int8Array(size).fill(-1),
    arms: new Int8Array(size),
    effects: new Float64Array(size),
  }
  const visits = Array.from({ length: users }, (_, user) => inventUser(month, random, user * mostVisits))
  return looks.map((until) => countUntil(month, visits, until))
}

function splitOf({ flag, epochs }: InventedFlag, index: number): LedgerSplit {
  const all = epochs.map(({ weights }, epoch): LedgerEpoch => {
    const arms = Object.entries(weights).map(([variation, weight]) => ({ variation, weight }))
    return { epoch: epoch + 1, arms }
  })
  return {
    ...{ split: String(index + 1), flag, by: 'targetingKey', control: 'off' },
    epochs: comparableEpochs(all, 'off'),
  }
}

function inventUser(month: Month, random: Random, firstVisit: number): Visit[] {
  const { flags, arms, effects } = month
  const isAbroad = random.uniform() < 0.4
  const layer = random.uniform()
  const proneness = Math.min(0.5, 0.04 * (isAbroad ? 2 : 1) * Math.exp(0.7 * random.normal() - 0.25))
  const own = flags.map(() => random.uniform())
  const count = 1 + Math.min(mostVisits - 1, random.geometric(0.4))
  const times = Array.from({ length: count }, () => random.uniform()).toSorted()
  return times.map((at, number): Visit => {
    const start = (firstVisit + number) * flags.length
    const risk = proneness * (0.4 + 2.2 * at)
    let all = risk
    for (const [index, { only, bucketsOf }] of flags.entries()) {
      const isOutside =
        (typeof only === 'object' && arms[start + only.needs] === 0) ||
        (only === 'country' && !isAbroad) ||
        (only === 'first-half' && layer >= 0.5) ||
        (only === 'second-half' && layer < 0.5)
      if (isOutside || random.uniform() > 0.85) continue
      readFlag(month, index, { at, start, position: own[bucketsOf ?? index] ?? 0 })
      all += effects[start + index] ?? 0
    }
    return { at, risk, start, failed: random.uniform() < probability(all) }
  })
}

const probability = (risk: number) => Math.min(0.95, Math.max(0, risk))

function readFlag(
  month: Month,
  index: number,
  { at, start, position }: { at: number; start: number; position: number },
): void {
  const { epochs = [], effects = {} } = month.flags[index] ?? {}
  const epoch = epochs.findLastIndex(({ from }) => from <= at)
  month.epochs[start + index] = epoch
  // The control has the upper end, so buckets are nested.
  let below = 0
  for (const [arm, variation] of (month.variations[index] ?? []).entries()) {
    if (arm === 0) continue
    below += (epochs[epoch]?.weights[variation] ?? 0) / 100_000
    if (position >= below) continue
    month.arms[start + index] = arm
    month.effects[start + index] = effects[variation] ?? 0
    return
  }
}

function countUntil(month: Month, visits: readonly Visit[][], until: number): LedgerLook {
  const { flags, splits, variations } = month
  const truth = new Map<string, number>()
  const places = splits.map((split, index) => placesOf(split, flags[index]?.epochs.length ?? 0))
  const none = new Int8Array()
  // Dense numbers of cells, for the pairs.
  const numbers = new Map<number, number>()
  const numberOf = (cell: number) => {
    const known = numbers.get(cell) ?? numbers.size
    numbers.set(cell, known)
    return known
  }
  const pairs = new Float64Array(mostCells ** 2)
  const hits = new Float64Array(splits.length * mostCells)
  for (const user of visits) {
    const seen = user.filter(({ at }) => at < until)
    const cells: number[] = []
    const failed: number[] = []
    for (const [index, split] of splits.entries()) {
      const found = decide(month, { places: places[index] ?? none, index }, seen)
      if (found === undefined) continue
      const { place: epoch, arm, compared } = found
      cells.push(numberOf(found.isMoved ? movedCell(index) : cellOf({ split: index, epoch, arm })))
      if (compared.some((visit) => visit.failed)) failed.push(index)
      if (arm === 0 || (flags[index]?.effects.on ?? 0) === 0) continue
      const name = `${split.flag} ${variations[index]?.[arm]}`
      truth.set(name, (truth.get(name) ?? 0) + excessOf(month, index, compared))
    }
    for (const [place, one] of cells.entries()) {
      for (let other = place; other < cells.length; other += 1) {
        const at = one * mostCells + (cells[other] ?? 0)
        pairs[at] = (pairs[at] ?? 0) + 1
      }
      for (const split of failed) {
        const at = split * mostCells + one
        hits[at] = (hits[at] ?? 0) + 1
      }
    }
  }
  return { splits, truth, counts: toCounts([...numbers.keys()], pairs, hits) }
}

/** Of all splits. */
const mostCells = 100

function toCounts(cells: readonly number[], pairs: Float64Array, hits: Float64Array): LedgerCounts {
  const cellAt = (number: number) => cells[number] ?? 0
  return {
    pairs: [...pairs.entries()].flatMap(([at, users]) => {
      const [one, other] = [Math.floor(at / mostCells), at % mostCells]
      return users === 0 ? [] : [{ one: cellAt(one), other: cellAt(other), users }]
    }),
    hits: [...hits.entries()].flatMap(([at, users]): CellHits[] => {
      const [split, cell] = [Math.floor(at / mostCells), cellAt(at % mostCells)]
      return users === 0 ? [] : [{ split, kind: 'any', cell, users }]
    }),
  }
}

/** The deciding epoch of a user, its arm, and the visits in compared epochs. */
function decide(
  { epochs, arms }: Month,
  { places, index }: { places: Int8Array; index: number },
  visits: readonly Visit[],
) {
  let [place, arm, most] = [-1, 0, 0]
  const compared: Visit[] = []
  for (const visit of visits) {
    const epoch = epochs[visit.start + index] ?? -1
    const here = epoch < 0 ? -1 : (places[epoch] ?? -1)
    if (here < 0) continue
    compared.push(visit)
    const own = arms[visit.start + index] ?? 0
    most = Math.max(most, own)
    if (here > place) [place, arm] = [here, own]
  }
  return place < 0 ? undefined : { place, arm, compared, isMoved: arm === 0 && most > 0 }
}

/** By the index of each invented epoch, its index among the compared ones of the split, or -1. */
const placesOf = ({ epochs }: LedgerSplit, all: number) =>
  Int8Array.from({ length: all }, (_, index) => epochs.findIndex(({ epoch }) => epoch === index + 1))

/** The probability that a failure in these visits is owed to the flag: without those that need it. */
function excessOf({ flags, effects }: Month, index: number, visits: readonly Visit[]): number {
  const needing = flags.findIndex(({ only }) => typeof only === 'object' && only.needs === index)
  let [spared, without] = [1, 1]
  for (const { risk, start } of visits) {
    let all = risk - (needing < 0 ? 0 : (effects[start + needing] ?? 0))
    for (let flag = 0; flag < flags.length; flag += 1) all += effects[start + flag] ?? 0
    spared *= 1 - probability(all)
    without *= 1 - probability(all - (effects[start + index] ?? 0))
  }
  return without - spared
}
