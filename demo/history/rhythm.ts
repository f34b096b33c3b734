// Traffic over the week: little at night, most at lunch and in the evening, more on Sunday than on Tuesday. In the
// winter time of Berlin.

import type { Random } from './random.ts'

const hour = 3_600_000
const berlin = hour
const ofHours = [9, 5, 3, 2, 2, 4, 10, 19, 27, 33, 37, 41, 46, 42, 38, 38, 42, 49, 58, 68, 74, 66, 43, 22]
/** From Sunday. */
const ofDays = [1.28, 0.96, 0.88, 0.92, 0.98, 1.02, 1.2]
const busiest = Math.max(...ofHours) * Math.max(...ofDays)

/** From 0 to 1, the busiest hour of the week. */
export function busyness(at: number): number {
  const local = new Date(at + berlin)
  return ((ofHours[local.getUTCHours()] ?? 0) * (ofDays[local.getUTCDay()] ?? 0)) / busiest
}

/** The given number of arrival times, in order, distributed by traffic. */
export function arrivals(
  random: Random,
  { from, until, count }: { from: number; until: number; count: number },
): number[] {
  const found: number[] = []
  while (found.length < count) {
    const at = Math.floor(random.between(from, until))
    if (random.isLikely(busyness(at))) found.push(at)
  }
  return found.sort((a, b) => a - b)
}
