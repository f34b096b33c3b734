// Suspects of a regression: single variations, and pairs that only harm together, that are more common among the
// affected users. Counts users, not sessions. Corrected for every compared variation and pair, and for other outcomes
// tested at the same time: with 95 % probability no flag is named falsely and all intervals hold.

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

/** Users who read exactly these variations. */
export interface ReadersOf extends Readers {
  /** The affected ones of these users. */
  hits: number
}

export interface Suspect {
  /** One variation, or two that only harm together. */
  reads: readonly string[]
  /** Users with it, and users with other variations of the same flags. */
  inside: Share
  outside: Share
  /** Simultaneous 95 % intervals over all comparisons. */
  times: RiskRatio
  /** The share of all hits beyond the expectation from the others. */
  share: number
  /** Also holds among users without any of the suspects before it; otherwise it may only be correlated with them. */
  apart: boolean
}

type Found = Omit<Suspect, 'apart'>

/** Fewer users on one side show nothing. */
const fewest = 50
/** Fewer hits show nothing, and are not counted as a comparison. */
export const fewestHits = 5
/**
 * Forty flags with two variations. Every pair is a comparison, which makes the others harder to prove: beyond this,
 * only the most read flags are paired.
 */
const pairedAtMost = 80
/** Correlated flags can produce hundreds of suspects: only the strongest are tested for independence. */
const rankedAtMost = 50

interface RankedSuspects {
  /** Strongest first; often none. */
  suspects: Suspect[]
  /** Compared variations and pairs per outcome. */
  looks: number
}

/** Counts the users once. `outcomes`: how many are tested on them at the same time, such as the issues of a list. */
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
    // The effect of a pair must not count for its halves: they are compared among users with only one of the two.
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

/** Independent ones first. */
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
 * Whether the effect of both exceeds the sum of their separate effects, on the scale of shares: otherwise one alone
 * explains it. The lower bound of the sum is combined from the exact bounds of its parts (Zou and Donner 2008), so
 * that few hits are not taken as proof.
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
