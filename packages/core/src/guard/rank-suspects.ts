// Flags that may stand behind what got worse: single variations, and pairs that are bad together only, that are read by more of
// those to whom it happened. Users are counted, not sessions. Every variation and pair is a look, as is everything else that it
// is asked about, so each has to be surer than one alone: with 95 % no flag is named falsely, and all intervals hold.

import {
  exactShare,
  familyLevel,
  isSurelyMoreOften,
  type RiskRatio,
  riskRatio,
  type Share,
} from '../statistics/risk-ratio.ts'
import {
  type Cells,
  divideApart,
  flagOf,
  type HitGroup,
  type HitsByGroup,
  type ReadersOf as Readers,
  ReadVariations,
} from './read-variations.ts'
import { settleSuspect } from './settle-suspect.ts'

/** Users who read exactly these variations. */
export interface ReadersOf extends Readers {
  /** Of these, affected users. */
  hits: number
}

export interface Suspect {
  /** One, or two that only hurt together. */
  reads: readonly string[]
  /** With it, and with another variation of the same flags. */
  inside: Share
  outside: Share
  /** With 95 % all of those that were looked at hold. */
  times: RiskRatio
  /** How many of all hits are beyond what the others lead one to expect. */
  share: number
  /** Also where none of the ones before it is read. Otherwise it may only come along with them. */
  apart: boolean
}

type Found = Omit<Suspect, 'apart'>

/** Fewer on one side tell nothing. */
const fewest = 50
/** Fewer hits show nothing, and what is not shown is no look. */
export const fewestHits = 5
/** Forty flags that are on or off. Every pair is a look, which makes the proof of all others harder: of more flags the most read are paired. */
const pairedAtMost = 80
/** Where flags come along with each other there are hundreds: whether each stands out by itself is asked of the strongest. */
const rankedAtMost = 50

export interface RankedSuspects {
  /** The strongest first; often none. */
  suspects: Suspect[]
  /** Variations and pairs that were compared, for each outcome. */
  looks: number
}

/** `outcomes`: so many things are asked about the same users side by side, such as the issues of a list. */
export function rankSuspects(groups: readonly ReadersOf[], outcomes = 1): RankedSuspects {
  return suspectsAmong(groups)(new Map(groups.map(({ hits }, place) => [place, hits])), outcomes)
}

/** The users are counted once, for anything that may have happened to them. */
export function suspectsAmong(groups: readonly Readers[]) {
  const read = new ReadVariations(groups, { fewest, pairedAtMost })
  return (hits: HitsByGroup, outcomes = 1): RankedSuspects => rank(read, hits, outcomes)
}

function rank(read: ReadVariations, hits: HitsByGroup, outcomes: number): RankedSuspects {
  const compared = read.names.length + read.pairs.length
  const looks = compared * Math.max(1, outcomes)
  const all = [...hits.values()].reduce((sum, hit) => sum + hit, 0)
  if (all < fewestHits) return { suspects: [], looks: compared }
  const cellsOf = read.cellsOf(hits)
  const divide = read.dividerOf(hits)
  let groups: readonly HitGroup[] | undefined
  const inGroups = () => {
    groups ??= read.groupsWith(hits)
    return groups
  }

  const together = read.pairs.flatMap((pair) => {
    const { both, first, second, none } = cellsOf(...pair)
    const isMore = [first, second].every((alone) => isSurelyMore(both, alone, looks))
    if (!isMore || !isBeyondSum({ both, first, second, none }, looks)) return []
    return suspectOf(pair, { inside: both, outside: sum(first, second, none), looks, all })
  })
  const alone = read.names.flatMap((name) => {
    // What a pair does is not the fault of its halves: they are looked at where they are apart.
    const partners = together.flatMap(({ reads }) =>
      reads.includes(name) ? reads.filter((other) => other !== name) : [],
    )
    const sides = partners.length === 0 ? divide(name) : divideApart(inGroups(), [name], partners)
    return suspectOf([name], { ...sides, looks, all })
  })
  const found = [...together, ...alone]
    .sort((one, other) => other.share - one.share || other.times.lower - one.times.lower)
    .slice(0, rankedAtMost)
  if (found.length === 0) return { suspects: [], looks: compared }
  const isStill = (reads: readonly string[], left: readonly HitGroup[]) => {
    const { inside, outside } = divideApart(left, reads)
    return isSurelyMore(inside, outside, looks)
  }
  return { suspects: orderApart(found, inGroups(), isStill), looks: compared }
}

/** Those that stand out by themselves first. */
function orderApart(
  found: readonly Found[],
  groups: readonly HitGroup[],
  isStill: (reads: readonly string[], left: readonly HitGroup[]) => boolean,
): Suspect[] {
  let left = groups
  const ordered = found.map((suspect, place): Suspect => {
    const { reads } = suspect
    const apart = place === 0 || isStill(reads, left)
    if (apart) left = left.filter(({ by }) => !reads.every((read) => by.get(flagOf(read)) === read))
    return { ...suspect, apart }
  })
  return [...ordered.filter(({ apart }) => apart), ...ordered.filter(({ apart }) => !apart)]
}

const sum = (...shares: Share[]): Share => ({
  hits: shares.reduce((all, { hits }) => all + hits, 0),
  total: shares.reduce((all, { total }) => all + total, 0),
})

function isSurelyMore(group: Share, others: Share, looks: number): boolean {
  if (group.total < fewest || others.total < fewest) return false
  return isSurelyMoreOften(group, others, looks)
}

/**
 * More than the two do each for itself, on the scale of shares: then one of them alone would not have done it. The lower end of
 * the sum from the exact ends of its parts (Zou and Donner 2008), so that few hits are not taken for proof.
 */
function isBeyondSum({ both, first, second, none }: Cells, looks: number): boolean {
  if (none.total < fewest) return false
  const rate = ({ hits, total }: Share) => hits / total
  const level = familyLevel / 2 / Math.max(1, looks)
  const excess = rate(both) - rate(first) - rate(second) + rate(none)
  const below = [both, none].map((cell) => rate(cell) - exactShare(cell, level).lower)
  const above = [first, second].map((cell) => exactShare(cell, level).upper - rate(cell))
  return excess > Math.hypot(...below, ...above)
}

function suspectOf(
  reads: readonly string[],
  { inside, outside, looks, all }: { inside: Share; outside: Share; looks: number; all: number },
): Found[] {
  if (!isSurelyMore(inside, outside, looks)) return []
  const times = riskRatio(inside, outside, looks)
  if (times === undefined) return []
  const expected = inside.total * (outside.hits / outside.total)
  return [{ reads, inside, outside, times, share: Math.max(0, inside.hits - expected) / all }]
}

/** Users of a split in halves, both together, whose guard calls this a regression, four times in five; by default of the usual plan. */
export function peopleToSettle(
  sides: Pick<Suspect, 'inside' | 'outside'>,
  standard: { alpha?: number; limit?: number } = {},
): number | undefined {
  return settleSuspect(sides, standard)?.people
}
