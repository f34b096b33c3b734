import { clockOf } from '@telltale/core/query/zone-offset'

/** The instants at which days start in a named zone. Undefined: the browser's zone. */
const minute = 60_000
const day = 24 * 60 * minute

/** The start of `2026-11-19` in the zone; `after` days later if given. Undefined for an invalid day. */
export function startOfDay(text: string, timeZone: string | undefined, after = 0): string | undefined {
  if (!isDay(text)) return undefined
  const wanted = Date.parse(`${text}T00:00:00Z`) + after * day
  // The offset at the guess may be from the other side of a clock change: look it up again.
  const guess = wanted - offsetAt(wanted, timeZone)
  const found = wanted - offsetAt(guess, timeZone)
  // Where clocks skip midnight, the day starts later than 0:00.
  const late = wallTime(found, timeZone) < wanted ? guess : found
  return new Date(Math.max(found, late)).toISOString()
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))
}

function offsetAt(at: number, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone): number {
  return clockOf(timeZone)(at)
}

/** The local clock time, as if it were UTC. */
function wallTime(at: number, timeZone: string | undefined): number {
  return at + offsetAt(at, timeZone)
}
