// Calendar months in the time zone of an environment.

import type { Stretch } from './time-buckets.ts'
import { clockOf } from './zone-offset.ts'

/** For example `2026-11`. */
export function monthAt(at: number, timeZone: string): string {
  return new Date(at + clockOf(timeZone)(at)).toISOString().slice(0, 7)
}

/** From the first instant of the month (inclusive) to the first of the next one. */
export function monthSpan(month: string, timeZone: string): Stretch {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return {
    from: firstInstant(Date.UTC(year, number - 1), timeZone),
    to: firstInstant(Date.UTC(year, number), timeZone),
  }
}

/** `count` months later, or earlier if negative. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7)
}

/** Months that overlap the period, in order. */
export function monthsBetween({ from, to }: Stretch, timeZone: string): string[] {
  const months: string[] = []
  const last = monthAt(to - 1, timeZone)
  for (let month = monthAt(from, timeZone); month <= last; month = addMonths(month, 1)) months.push(month)
  return months
}

/** The offset may change between a guess and the wall clock: the second time, it is that of the instant. */
function firstInstant(wall: number, timeZone: string): number {
  const clock = clockOf(timeZone)
  const guess = wall - clock(wall)
  return wall - clock(guess)
}
