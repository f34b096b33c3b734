// The margin of safety before the next stage: the harm to all users must stay below the limit, so a small stage may be
// exposed to more, and the last one must meet the limit itself.

const most = 1

/** As "worse by"; `nextShare` is the share of all users in the treatment in the next stage, from 0 to 1. */
export function safetyMargin(limit: number, nextShare: number): number {
  const wanted = nextShare > 0 ? Math.max(limit / nextShare, limit) : Number.POSITIVE_INFINITY
  return Math.min(wanted, Math.max(most, limit))
}

/** Converts a displayed limit, such as 5 % fewer conversions, to "worse by": here 1 / 0.95 - 1. */
export function limitAsWorse(limit: number, better: 'lower' | 'higher'): number {
  if (better === 'lower') return limit
  return limit < 1 ? 1 / (1 - limit) - 1 : Number.POSITIVE_INFINITY
}

/** Converts "worse by" to the displayed harm: the relative increase of a bad value, or decrease of a good one. */
export function harmOf(worseBy: number, better: 'lower' | 'higher'): number {
  if (better === 'lower' || worseBy === 0) return worseBy
  return 1 - 1 / (1 + worseBy)
}

/** The 95 % upper bound of the rate of an event that none of these units had (rule of three). */
export function rateBelow(units: number): number {
  return units > 0 ? Math.min(1, 3 / units) : 1
}
