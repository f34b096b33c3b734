// How many times as often something happens to some as to others, with an interval that holds at any number of hits, none too.
// Of all hits the group has its share by chance alone: for rare hits that is exactly a binomial count (Przyborowski and
// Wilenski 1940, with the ends of Clopper and Pearson 1934). Where hits are common they vary less than that, and count for more.

import { betaCdf, betaQuantile } from './incomplete-beta.ts'

export interface Share {
  /** To how many it happened. */
  hits: number
  /** Of how many. */
  total: number
}

export interface RiskRatio {
  /** Half a hit is added to both sides, so that it is finite where one side has none. */
  ratio: number
  lower: number
  /** Infinity where it never happened to the others. */
  upper: number
}

/** The chance that any interval of a family misses what is true. */
export const familyLevel = 0.05

/**
 * `comparisons` is how many ratios are looked at together: the intervals are widened so that with 95 % all of them hold.
 * Nothing when one side has nobody, or it happened to nobody.
 */
export function riskRatio(group: Share, others: Share, comparisons = 1): RiskRatio | undefined {
  if (group.total === 0 || others.total === 0 || group.hits + others.hits === 0) return undefined
  const level = levelOf(comparisons)
  const scale = scaleOf(group, others, level)
  const [own, rest] = [group.hits * scale, others.hits * scale]
  const even = others.total / group.total
  // Of all hits the smallest share that the group may have, and the smallest that the others may have.
  const [least, otherLeast] = [betaQuantile(level, own, rest + 1), betaQuantile(level, rest, own + 1)]
  const lower = (least / (1 - least)) * even
  const upper = ((1 - otherLeast) / otherLeast) * even
  const estimate = (group.hits + 0.5) / (group.total + 0.5) / ((others.hits + 0.5) / (others.total + 0.5))
  return { ratio: Math.min(upper, Math.max(lower, estimate)), lower, upper }
}

/** Whether the lower end of the interval lies above 1, mostly without computing it. */
export function isSurelyMoreOften(group: Share, others: Share, comparisons = 1): boolean {
  if (group.total === 0 || others.total === 0 || group.hits === 0) return false
  const even = group.total / (group.total + others.total)
  if (group.hits / (group.hits + others.hits) <= even) return false
  const level = levelOf(comparisons)
  const isBeyond = (scale: number) => betaCdf(even, group.hits * scale, others.hits * scale + 1) < level
  if (isBeyond(1)) return true
  const most = Math.min(group.hits / group.total, others.hits / others.total)
  if (most < 1 && !isBeyond(1 / (1 - most))) return false
  return isBeyond(scaleOf(group, others, level))
}

const levelOf = (comparisons: number) => familyLevel / 2 / Math.max(1, comparisons)

/**
 * What a hit counts for. The share of people to whom it happens makes the hits of a side vary less: by one minus it, taken from
 * the side with the smaller share, and from the lower end of what that may be, so that few hits are never taken for more.
 */
function scaleOf(group: Share, others: Share, level: number): number {
  if (group.hits === 0 || others.hits === 0) return 1
  const leastShare = ({ hits, total }: Share) => betaQuantile(level, hits, total - hits + 1)
  return 1 / (1 - Math.min(leastShare(group), leastShare(others)))
}

/** The ends that the true share lies between, each missed with this chance at most: those of Clopper and Pearson. */
export function exactShare({ hits, total }: Share, level: number): { lower: number; upper: number } {
  return {
    lower: betaQuantile(level, hits, total - hits + 1),
    upper: 1 - betaQuantile(level, total - hits, hits + 1),
  }
}
