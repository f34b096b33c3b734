// Times of Sentry's clients are seconds since 1970 with a fraction, or ISO 8601.

import type { JsonObject } from '../json.ts'

const millisecondsPerSecond = 1_000

/** Milliseconds since 1970. */
export function timeIn(value: JsonObject, name: string): number | undefined {
  const time = value[name]
  const found =
    typeof time === 'number'
      ? time * millisecondsPerSecond
      : typeof time === 'string'
        ? Date.parse(time)
        : Number.NaN
  return Number.isFinite(found) && found >= 0 ? found : undefined
}
