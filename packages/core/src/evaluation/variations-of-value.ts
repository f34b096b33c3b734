// Maps a value that a user saw to the variations that may have served it. Values are compared as JSON, ignoring member
// order; a text that matches no value may be the key of a variation.

import type { FlagDefinition } from './rule-set.ts'

/** Variation keys by `valueText` of their values. */
export type VariationsByValue = ReadonlyMap<string, readonly string[]>

export function variationsByValue({ variations }: Pick<FlagDefinition, 'variations'>): VariationsByValue {
  const found = new Map<string, string[]>()
  for (const { key, value } of variations) {
    const text = valueText(value)
    if (text === undefined) continue
    const known = found.get(text)
    if (known === undefined) found.set(text, [key])
    else known.push(key)
  }
  for (const { key } of variations) {
    const text = JSON.stringify(key)
    if (!found.has(text)) found.set(text, [key])
  }
  return found
}

/** A canonical text of the JSON value; undefined for values that no flag can have. */
export function valueText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  try {
    return JSON.stringify(sorted(value))
  } catch {
    // Nested too deep for the call stack.
    return undefined
  }
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const pairs = Object.entries(value).map(([name, member]): [string, unknown] => [name, sorted(member)])
  return Object.fromEntries(pairs.sort(([left], [right]) => (left < right ? -1 : 1)))
}
