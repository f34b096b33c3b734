// Flags that may stand behind what got worse: who read which variations, and to how many of them it happened. Single variations
// and pairs that are bad together only; every one of them is a look, so each has to be surer than one alone. What comes out is
// where it happens more often, which is no proof: a split says what the cause is.

import { normalQuantile, type RiskRatio, riskRatio, type Share } from '../statistics/risk-ratio.ts'

/** People who read exactly these variations. */
export interface ReadersOf {
  /** `flag=variation`. */
  read: readonly string[]
  people: number
  /** To how many of them it happened. */
  hits: number
}

export interface Suspect {
  /** One, or two that only hurt together. */
  reads: readonly string[]
  /** With it, and with another variation of the same flags. */
  inside: Share
  outside: Share
  /** With 95 % all of what is told holds. */
  times: RiskRatio
  /** How many of all hits are beyond what the others lead one to expect. */
  share: number
  /** Also where none of the ones before it is read. Otherwise it may only come along with them. */
  apart: boolean
}

type Found = Omit<Suspect, 'apart'>

/** Fewer on one side tell nothing. */
const fewest = 50
/** Of one flag each pair with every other one is a look: of more flags only the most read ones are paired. */
const pairedAtMost = 40

export interface RankedSuspects {
  /** The strongest first; often none. */
  suspects: Suspect[]
  /** Variations and pairs that were looked at. */
  looks: number
}

export function rankSuspects(groups: readonly ReadersOf[]): RankedSuspects {
  const readers = groups.map((group) => ({ ...group, by: byFlag(group.read) }))
  const singles = namesOf(readers)
  const paired = singles.slice(0, pairedAtMost)
  const pairs = paired.flatMap((one, index) =>
    paired
      .slice(index + 1)
      .flatMap((other) => (flagOf(one) === flagOf(other) ? [] : [[one, other] as const])),
  )
  const looks = singles.length + pairs.length
  const all = readers.reduce((sum, { hits }) => sum + hits, 0)
  const table = (reads: readonly string[], of = readers) => cellsOf(of, reads)

  const together = pairs.flatMap((pair) => {
    const { both, first, second, none } = table(pair)
    const isMore = [first, second].every((alone) => isSurelyMore(both, alone, looks))
    if (!isMore || !isBeyondSum({ both, first, second, none }, looks)) return []
    return suspectOf(pair, { inside: both, outside: sum(first, second, none), looks, all })
  })
  const alone = singles.flatMap((name) => {
    // What a pair does is not the fault of its halves: they are looked at where they are apart.
    const apart = together
      .filter(({ reads }) => reads.includes(name))
      .reduce((left, { reads }) => left.filter(({ by }) => !reads.every((one) => has(by, one))), readers)
    const { both: inside, none: outside } = table([name], apart)
    return suspectOf([name], { inside, outside, looks, all })
  })
  const found = [...together, ...alone].sort(
    (one, other) => other.share - one.share || other.times.lower - one.times.lower,
  )
  return {
    suspects: tellApart(found, readers, (reads, left) => isSuspect(cellsOf(left, reads), looks)),
    looks,
  }
}

/** Those that stand out for themselves first. */
function tellApart(
  found: readonly Found[],
  readers: readonly Readers[],
  isStill: (reads: readonly string[], left: readonly Readers[]) => boolean,
): Suspect[] {
  let left = readers
  const told = found.map((suspect, place): Suspect => {
    const { reads } = suspect
    const apart = place === 0 || isStill(reads, left)
    if (apart) left = left.filter(({ by }) => !reads.every((read) => has(by, read)))
    return { ...suspect, apart }
  })
  return [...told.filter(({ apart }) => apart), ...told.filter(({ apart }) => !apart)]
}

function isSuspect({ both, first, second, none }: Cells, looks: number): boolean {
  return isSurelyMore(both, sum(first, second, none), looks)
}

type ByFlag = ReadonlyMap<string, ReadonlySet<string>>
type Readers = ReadersOf & { by: ByFlag }

const flagOf = (read: string) => read.slice(0, read.indexOf('='))

function byFlag(reads: readonly string[]): ByFlag {
  const found = new Map<string, Set<string>>()
  for (const read of reads) {
    const flag = flagOf(read)
    found.set(flag, (found.get(flag) ?? new Set()).add(read))
  }
  return found
}

/** Read, and no other variation of the flag. */
const has = (by: ByFlag, read: string) =>
  by.get(flagOf(read))?.has(read) === true && by.get(flagOf(read))?.size === 1

/** Variations with enough people on both sides, the most read flags first. */
function namesOf(readers: readonly Readers[]): string[] {
  const people = new Map<string, number>()
  for (const { by, people: count } of readers) {
    for (const reads of by.values()) {
      if (reads.size !== 1) continue
      for (const read of reads) people.set(read, (people.get(read) ?? 0) + count)
    }
  }
  const ofFlag = new Map<string, number>()
  for (const [read, count] of people) ofFlag.set(flagOf(read), (ofFlag.get(flagOf(read)) ?? 0) + count)
  return [...people]
    .filter(([read, count]) => count >= fewest && (ofFlag.get(flagOf(read)) ?? 0) - count >= fewest)
    .sort(
      ([one], [other]) =>
        (ofFlag.get(flagOf(other)) ?? 0) - (ofFlag.get(flagOf(one)) ?? 0) || (one < other ? -1 : 1),
    )
    .map(([read]) => read)
}

interface Cells {
  /** Of one name: it. Of two: both of them. */
  both: Share
  first: Share
  second: Share
  /** Another variation of the flag, or of both flags. */
  none: Share
}

function cellsOf(readers: readonly Readers[], [one = '', other]: readonly string[]): Cells {
  const cells = {
    both: { hits: 0, total: 0 },
    first: { hits: 0, total: 0 },
    second: { hits: 0, total: 0 },
    none: { hits: 0, total: 0 },
  }
  for (const { by, people, hits } of readers) {
    const isClear = (read: string) => by.get(flagOf(read))?.size === 1
    if (!isClear(one) || (other !== undefined && !isClear(other))) continue
    const isOne = has(by, one)
    const isOther = other === undefined ? isOne : has(by, other)
    const cell = cells[isOne ? (isOther ? 'both' : 'first') : isOther ? 'second' : 'none']
    cell.hits += hits
    cell.total += people
  }
  return cells
}

const sum = (...shares: Share[]): Share => ({
  hits: shares.reduce((all, { hits }) => all + hits, 0),
  total: shares.reduce((all, { total }) => all + total, 0),
})

function isSurelyMore(group: Share, others: Share, looks: number): boolean {
  if (group.total < fewest || others.total < fewest) return false
  return (riskRatio(group, others, looks)?.lower ?? 0) > 1
}

/** More than the two do each for itself, on the scale of shares: then one of them alone would not have done it. */
function isBeyondSum({ both, first, second, none }: Cells, looks: number): boolean {
  if (none.total < fewest) return false
  const rate = ({ hits, total }: Share) => (hits + 0.5) / (total + 1)
  const variance = ({ hits, total }: Share) => {
    const share = rate({ hits, total })
    return (share * (1 - share)) / total
  }
  const excess = rate(both) - rate(first) - rate(second) + rate(none)
  const error = Math.sqrt([both, first, second, none].reduce((all, cell) => all + variance(cell), 0))
  return excess / error > normalQuantile(1 - 0.025 / Math.max(1, looks))
}

function suspectOf(
  reads: readonly string[],
  { inside, outside, looks, all }: { inside: Share; outside: Share; looks: number; all: number },
): Found[] {
  if (inside.total < fewest || outside.total < fewest) return []
  const times = riskRatio(inside, outside, looks)
  if (times === undefined || times.lower <= 1) return []
  const expected = inside.total * (outside.hits / outside.total)
  return [{ reads, inside, outside, times, share: all > 0 ? Math.max(0, inside.hits - expected) / all : 0 }]
}

/**
 * How many people a half-and-half split of it needs to tell a difference like this from none, four times in five (the usual
 * two-sample formula at 5 %).
 */
export function peopleToSettle({ inside, outside }: Pick<Suspect, 'inside' | 'outside'>): number | undefined {
  const [harmed, calm] = [inside.hits / inside.total, outside.hits / outside.total]
  const gap = harmed - calm
  if (!(gap > 0)) return undefined
  const perArm = (7.849 * (harmed * (1 - harmed) + calm * (1 - calm))) / gap ** 2
  return Math.ceil(2 * perArm)
}
