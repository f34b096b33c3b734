// Sentry's ids are hexadecimal without dashes: 32 digits of events, traces, sessions and replays, 16 of spans.

import { type JsonObject, textIn } from '../json.ts'

const whole = /^[0-9a-f]{32}$/
const half = /^[0-9a-f]{16}$/

const dashed = (hex: string) =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')

/** As a UUID; undefined when the member is no such id. */
export function sentryIdIn(value: JsonObject, name: string): string | undefined {
  const hex = textIn(value, name)?.replaceAll('-', '').toLowerCase()
  return hex !== undefined && whole.test(hex) ? dashed(hex) : undefined
}

/** As it is stored in `trace_id`. */
export function traceIdIn(value: JsonObject, name = 'trace_id'): string | undefined {
  return sentryIdIn(value, name)?.replaceAll('-', '')
}

/** A span is unique within its trace only. */
export function idOfSpan(traceId: string, spanId: string): string | undefined {
  return whole.test(traceId) && half.test(spanId) ? dashed(traceId.slice(0, 16) + spanId) : undefined
}

/** A page load and a navigation begin a trace each: views are named by it. */
export const viewOfTrace = dashed
