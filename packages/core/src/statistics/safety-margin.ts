// What "safe enough to go on" means: the harm to everybody must stay below the limit, so a small audience may be exposed to
// more, and the last step demands the limit itself.

const most = 1

/** As "worse by"; `nextShare` is the share of all who get the treatment in the next stage, from 0 to 1. */
export function safetyMargin(limit: number, nextShare: number): number {
  const wanted = nextShare > 0 ? Math.max(limit / nextShare, limit) : Number.POSITIVE_INFINITY
  return Math.min(wanted, Math.max(most, limit))
}

/** A limit as people say it, such as conversions falling by no more than 5 %, as "worse by": the same line, 1 / 0.95 - 1. */
export function limitAsWorse(limit: number, better: 'lower' | 'higher'): number {
  if (better === 'lower') return limit
  return limit < 1 ? 1 / (1 - limit) - 1 : Number.POSITIVE_INFINITY
}

/** "Worse by" as the harm that people read: how much more there is of what is bad, or how much less of what is good. */
export function harmOf(worseBy: number, better: 'lower' | 'higher'): number {
  if (better === 'lower' || worseBy === 0) return worseBy
  return 1 - 1 / (1 + worseBy)
}

/** After so many units without one event in either arm, its rate is below this, with 95 % (the rule of three). */
export function rateBelow(units: number): number {
  return units > 0 ? Math.min(1, 3 / units) : 1
}
