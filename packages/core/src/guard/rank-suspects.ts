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
/** Forty flags that are on or off. Every pair is a look, which makes the proof of all others harder: of more flags the most read are paired. */
const pairedAtMost = 80
/** Where flags come along with each other there are hundreds: whether each stands for itself is asked of the strongest. */
const toldAtMost = 50

export interface RankedSuspects {
  /** The strongest first; often none. */
  suspects: Suspect[]
  /** Variations and pairs that were looked at. */
  looks: number
}

export function rankSuspects(groups: readonly ReadersOf[]): RankedSuspects {
  const readers = groups.map((group) => ({ ...group, by: byFlag(group.read) }))
  const counts = countReads(readers)
  const singles = namesOf(counts)
  const paired = singles.slice(0, pairedAtMost)
  const pairs = paired.flatMap((one, index) =>
    paired
      .slice(index + 1)
      .flatMap((other) => (flagOf(one) === flagOf(other) ? [] : [[one, other] as const])),
  )
  const looks = singles.length + pairs.length
  const all = readers.reduce((sum, { hits }) => sum + hits, 0)
  const cellsOf = pairReaders(readers, paired)

  const together = pairs.flatMap((pair) => {
    const { both, first, second, none } = cellsOf(...pair)
    const isMore = [first, second].every((alone) => isSurelyMore(both, alone, looks))
    if (!isMore || !isBeyondSum({ both, first, second, none }, looks)) return []
    return suspectOf(pair, { inside: both, outside: sum(first, second, none), looks, all })
  })
  const alone = singles.flatMap((name) => {
    // What a pair does is not the fault of its halves: they are looked at where they are apart.
    const partners = together.flatMap(({ reads }) =>
      reads.includes(name) ? reads.filter((other) => other !== name) : [],
    )
    const divided = partners.length === 0 ? divide(counts, name) : divideApart(readers, [name], partners)
    return suspectOf([name], { ...divided, looks, all })
  })
  const found = [...together, ...alone]
    .sort((one, other) => other.share - one.share || other.times.lower - one.times.lower)
    .slice(0, toldAtMost)
  const isStill = (reads: readonly string[], left: readonly Readers[]) => {
    const { inside, outside } = divideApart(left, reads)
    return isSurelyMore(inside, outside, looks)
  }
  return { suspects: tellApart(found, readers, isStill), looks }
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
    if (apart) left = left.filter(({ by }) => !reads.every((read) => by.get(flagOf(read)) === read))
    return { ...suspect, apart }
  })
  return [...told.filter(({ apart }) => apart), ...told.filter(({ apart }) => !apart)]
}

/** The one variation that was read of each flag; whoever read several of one says nothing about it. */
type ByFlag = ReadonlyMap<string, string | undefined>
type Readers = ReadersOf & { by: ByFlag }

const flagOf = (read: string) => read.slice(0, read.indexOf('='))

function byFlag(reads: readonly string[]): ByFlag {
  const found = new Map<string, string | undefined>()
  for (const read of reads) {
    const flag = flagOf(read)
    found.set(flag, found.has(flag) && found.get(flag) !== read ? undefined : read)
  }
  return found
}

interface Counts {
  byRead: ReadonlyMap<string, Share>
  byFlag: ReadonlyMap<string, Share>
}

function countReads(readers: readonly Readers[]): Counts {
  const counts = { byRead: new Map<string, Share>(), byFlag: new Map<string, Share>() }
  const add = (to: Map<string, Share>, name: string, { people, hits }: ReadersOf) => {
    const share = to.get(name) ?? { hits: 0, total: 0 }
    share.hits += hits
    share.total += people
    to.set(name, share)
  }
  for (const group of readers) {
    for (const [flag, read] of group.by) {
      if (read === undefined) continue
      add(counts.byRead, read, group)
      add(counts.byFlag, flag, group)
    }
  }
  return counts
}

const nobody: Share = { hits: 0, total: 0 }

/** Who read it, and who read another variation of its flag. */
function divide({ byRead, byFlag }: Counts, name: string): { inside: Share; outside: Share } {
  const [inside, all] = [byRead.get(name) ?? nobody, byFlag.get(flagOf(name)) ?? nobody]
  return { inside, outside: { hits: all.hits - inside.hits, total: all.total - inside.total } }
}

/** Variations with enough people on both sides, the most read flags first. */
function namesOf(counts: Counts): string[] {
  const readersOf = (read: string) => counts.byFlag.get(flagOf(read))?.total ?? 0
  return [...counts.byRead.keys()]
    .filter((read) => Object.values(divide(counts, read)).every(({ total }) => total >= fewest))
    .sort((one, other) => readersOf(other) - readersOf(one) || (one < other ? -1 : 1))
}

interface Cells {
  both: Share
  first: Share
  second: Share
  /** Other variations of both flags. */
  none: Share
}

/** Who read all of these, and who read other variations of their flags, without those who read one of the partners too. */
function divideApart(
  readers: readonly Readers[],
  reads: readonly string[],
  partners: readonly string[] = [],
) {
  const [inside, outside] = [
    { hits: 0, total: 0 },
    { hits: 0, total: 0 },
  ]
  for (const { by, people, hits } of readers) {
    const own = reads.map((read) => by.get(flagOf(read)))
    if (own.includes(undefined)) continue
    const isIn = own.every((read, place) => read === reads[place])
    if (isIn && partners.some((other) => by.get(flagOf(other)) === other)) continue
    const side = isIn ? inside : outside
    side.hits += hits
    side.total += people
  }
  return { inside, outside }
}

/**
 * The cells of any two of the names. Of a crowd with many flags nearly everybody is a group, and of many flags there are
 * hundreds of pairs: each group is counted once into the table of all names by all names.
 */
function pairReaders(readers: readonly Readers[], names: readonly string[]) {
  const flags = [...new Set(names.map(flagOf))]
  // Beside the names one place for each flag: its variations that are none of them.
  const places = new Map(names.map((name, index) => [name, index]))
  const width = names.length + flags.length
  const [people, hits] = [new Float64Array(width * width), new Float64Array(width * width)]
  for (const { by, people: count, hits: hit } of readers) {
    const read = flags.flatMap((flag, index) => {
      const variation = by.get(flag)
      return variation === undefined ? [] : [places.get(variation) ?? names.length + index]
    })
    for (const one of read) {
      for (const other of read) {
        const place = one * width + other
        people[place] = (people[place] ?? 0) + count
        hits[place] = (hits[place] ?? 0) + hit
      }
    }
  }
  const ofFlag = flags.map((flag, index) => [
    ...names.flatMap((name, place) => (flagOf(name) === flag ? [place] : [])),
    names.length + index,
  ])
  const sumOf = (ones: readonly number[], others: readonly number[]): Share => {
    const found = { hits: 0, total: 0 }
    for (const one of ones) {
      for (const other of others) {
        found.hits += hits[one * width + other] ?? 0
        found.total += people[one * width + other] ?? 0
      }
    }
    return found
  }
  return (one: string, other: string): Cells => {
    const sides = [one, other].map((name) => {
      const place = places.get(name) ?? -1
      const all = ofFlag[flags.indexOf(flagOf(name))] ?? []
      return { own: [place], others: all.filter((each) => each !== place) }
    })
    const [first = noPlaces, second = noPlaces] = sides
    return {
      both: sumOf(first.own, second.own),
      first: sumOf(first.own, second.others),
      second: sumOf(first.others, second.own),
      none: sumOf(first.others, second.others),
    }
  }
}

const noPlaces = { own: [], others: [] }

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
