// The form in which values are kept for a session, and displayed when they match no variation.

import { valueText } from '@telltale/core/evaluation/variations-of-value'
import { limits } from '@telltale/core/limits'
import { cutLine } from '@telltale/core/telemetry/clean-text'
import { hash64 } from '@telltale/core/telemetry/unit-hash'

/** A longer one is compared by its hash. */
const longest = 1_000
const hashed = '#'
/** For a value of which only the variation is known: it was read from the telemetry store. */
const labelled = '='

/** Undefined for values that JSON cannot represent. */
export function keepValue(value: unknown): string | undefined {
  const text = valueText(value)
  return text === undefined || text.length <= longest ? text : hashed + hash64(text)
}

export const keepLabel = (label: string): string => labelled + label
export const findLabel = (kept: string): string | undefined =>
  kept.startsWith(labelled) ? kept.slice(labelled.length) : undefined

/** Text is shown unchanged, everything else as JSON. */
export function showValue(kept: string): string {
  if (kept.startsWith(hashed)) return '(a long value)'
  const text: unknown = kept.startsWith('"') ? JSON.parse(kept) : kept
  return cutLine(String(text), limits.keyLength)
}
