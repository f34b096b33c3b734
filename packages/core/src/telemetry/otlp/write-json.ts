// Writes parts of OpenTelemetry's protocol in JSON, for signals of other protocols.

import type { JsonObject } from '../json.ts'

/** Addresses of visitors are stored nowhere. */
const addressOfUser = 'user.ip_address'

/** Texts, numbers and booleans; anything else is left out. */
export function writeAttributes(values: JsonObject) {
  return Object.entries(values).flatMap(([key, value]) => {
    if (key === addressOfUser) return []
    if (typeof value === 'string') return { key, value: { stringValue: value } }
    if (typeof value === 'boolean') return { key, value: { boolValue: value } }
    return typeof value === 'number' ? { key, value: { doubleValue: value } } : []
  })
}

const microsecondsPerMillisecond = 1_000

/** Of milliseconds since 1970. As text: more digits than a number has. */
export const writeNanoseconds = (at: number) =>
  String(BigInt(Math.round(at * microsecondsPerMillisecond)) * 1_000n)
