// A date and a time as people of a zone write it, and the instant that it names.

import { clockOf } from '@telltale/core/query/zone-offset'

/** From `2026-11-24T09:00`. Nothing for what is no date, or a time that the zone skips. */
export function instantIn(timeZone: string, local: string): string | undefined {
  const match = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local)
  const wanted = Date.parse(`${local}Z`)
  if (!match || Number.isNaN(wanted)) return undefined
  // The offset before a change of the clocks and the one after it: one of them is right.
  for (const guess of [wanted - offsetAt(timeZone, wanted), wanted]) {
    const at = wanted - offsetAt(timeZone, guess)
    if (localIn(timeZone, at) === local) return new Date(at).toISOString()
  }
  return undefined
}

/** `2026-11-24T09:00`, as an input of date and time has it. */
export function localIn(timeZone: string, at: number): string {
  return new Date(at + offsetAt(timeZone, at)).toISOString().slice(0, 16)
}

const offsetAt = (timeZone: string, at: number) => clockOf(timeZone)(at)
