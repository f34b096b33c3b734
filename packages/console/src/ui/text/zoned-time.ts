// Converts between local date and time in a zone and the instant.

import { clockOf } from '@telltale/core/query/zone-offset'

/** From `2026-11-24T09:00`. Undefined for an invalid date, or a time that the zone skips. */
export function instantIn(timeZone: string, local: string): string | undefined {
  const match = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local)
  const wanted = Date.parse(`${local}Z`)
  if (!match || Number.isNaN(wanted)) return undefined
  // The offsets before and after a clock change: one of them is correct.
  for (const guess of [wanted - offsetAt(timeZone, wanted), wanted]) {
    const at = wanted - offsetAt(timeZone, guess)
    if (localIn(timeZone, at) === local) return new Date(at).toISOString()
  }
  return undefined
}

/** `2026-11-24T09:00`, the format of a datetime-local input. */
export function localIn(timeZone: string, at: number): string {
  return new Date(at + offsetAt(timeZone, at)).toISOString().slice(0, 16)
}

const offsetAt = (timeZone: string, at: number) => clockOf(timeZone)(at)
