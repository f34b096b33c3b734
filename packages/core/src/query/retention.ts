// How long data may be kept. Days are in the environment's time zone, and a period keeps whole days: today and the
// given number before it.

import { limits } from '../limits.ts'
import { stepsOf } from './time-buckets.ts'

export const retentionKinds = ['events', 'replays', 'profiles', 'exposures'] as const
export type RetentionKind = (typeof retentionKinds)[number]
export type RetentionDays = Readonly<Record<RetentionKind, number>>
/** The start of the retention period, in milliseconds since 1970. */
export type RetentionCuts = Readonly<Record<RetentionKind, number>>

/** The tables keep nothing for longer. */
export const retentionCeiling: RetentionDays = {
  events: limits.retentionEventsMaximum,
  replays: limits.retentionReplaysMaximum,
  profiles: limits.retentionProfilesMaximum,
  exposures: limits.retentionExposuresMaximum,
}

const hour = 3_600_000
const day = 24 * hour

export function cutsOf(
  days: RetentionDays,
  { now, timeZone }: { now: number; timeZone: string },
): RetentionCuts {
  const cut = (kind: RetentionKind) =>
    dayStart(now, { timeZone, daysBefore: Math.min(days[kind], retentionCeiling[kind]) })
  return {
    events: cut('events'),
    replays: cut('replays'),
    profiles: cut('profiles'),
    exposures: cut('exposures'),
  }
}

/** The start of today, or of a day before it. */
export function dayStart(
  now: number,
  { timeZone, daysBefore }: { timeZone: string; daysBefore: number },
): number {
  const today = startOfDay(now, timeZone)
  // Counted from noon, so that a clock change in between does not lead to another day.
  return startOfDay(today + day / 2 - daysBefore * day, timeZone)
}

function startOfDay(at: number, timeZone: string): number {
  return stepsOf({ from: at, to: at + 1 }, '1d', timeZone)[0]?.from ?? at
}

interface DayBytes {
  /** For example `2026-11-21`. */
  day: string
  bytes: number
}

/**
 * The first day to keep so that the days fit into the available space, deleting the oldest first. Undefined if all
 * fit. `today` is always kept.
 */
export function firstDayThatFits(
  days: readonly DayBytes[],
  { room, today }: { room: number; today: string },
): string | undefined {
  const newestFirst = [...days].sort((one, other) => (one.day < other.day ? 1 : -1))
  let used = 0
  let first: string | undefined
  for (const { day: name, bytes } of newestFirst) {
    used += bytes
    if (used > room && name < today) return first ?? today
    first = name < today ? name : today
  }
  return undefined
}
