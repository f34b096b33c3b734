// The risk ratio of a group against the others, with an interval that is valid for any number of hits, including none.
// Without an effect, the group has its expected share of all hits: for rare hits this is exactly a binomial count
// (Przyborowski and Wilenski 1940, with the bounds of Clopper and Pearson 1934). Frequent hits vary less than that and
// are weighted more.

import { betaCdf, betaQuantile } from './incomplete-beta.ts'

export interface Share {
  /** Affected users. */
  hits: number
  /** All users. */
  total: number
}

export interface RiskRatio {
  /** Half a hit is added to both sides, so that it is finite if one side has none. */
  ratio: number
  lower: number
  /** Infinity if none of the others was affected. */
  upper: number
}

/** The probability that any interval of a family excludes its true value. */
export const familyLevel = 0.05

/**
 * `comparisons` is the number of ratios tested together: the intervals are widened so that all of them hold with 95
 * % probability. Undefined if one side has no users, or there are no hits.
 */
export function riskRatio(group: Share, others: Share, comparisons = 1): RiskRatio | undefined {
  if (group.total === 0 || others.total === 0 || group.hits + others.hits === 0) return undefined
  const level = levelOf(comparisons)
  const scale = scaleOf(group, others, level)
  const [own, rest] = [group.hits * scale, others.hits * scale]
  const even = others.total / group.total
  // The lower bounds of the group's share of all hits, and of the others' share.
  const [least, otherLeast] = [betaQuantile(level, own, rest + 1), betaQuantile(level, rest, own + 1)]
  const lower = (least / (1 - least)) * even
  const upper = ((1 - otherLeast) / otherLeast) * even
  const estimate = (group.hits + 0.5) / (group.total + 0.5) / ((others.hits + 0.5) / (others.total + 0.5))
  return { ratio: Math.min(upper, Math.max(lower, estimate)), lower, upper }
}

/** Whether the lower bound is above 1, in most cases without computing it. */
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
 * The weight of a hit. The variance of a side's hits is reduced by one minus the share of affected users. Uses the
 * side with the smaller share and the lower bound of that share, so that few hits never get a larger weight.
 */
function scaleOf(group: Share, others: Share, level: number): number {
  if (group.hits === 0 || others.hits === 0) return 1
  const leastShare = ({ hits, total }: Share) => betaQuantile(level, hits, total - hits + 1)
  return 1 / (1 - Math.min(leastShare(group), leastShare(others)))
}

/** The Clopper-Pearson bounds of a share, each with this probability of error. */
export function exactShare({ hits, total }: Share, level: number): { lower: number; upper: number } {
  return {
    lower: betaQuantile(level, hits, total - hits + 1),
    upper: 1 - betaQuantile(level, total - hits, hits + 1),
  }
}
