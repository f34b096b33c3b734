// Attribute names, from the traits of recently seen identities.

import type { Suggestion } from './suggestion-list.tsx'

const shownValue = 24

export function suggestAttributes(
  identities: readonly { traits: Record<string, unknown>; masked: readonly string[] }[],
): Suggestion[] {
  const found = new Map<string, string>([['targetingKey', 'targeting key']])
  const note = (name: string, value: unknown): void => {
    if (!found.has(name)) found.set(name, noteOf(value))
  }
  for (const { traits, masked } of identities) {
    for (const [name, value] of Object.entries(traits)) note(name, value)
    for (const name of masked) note(name, undefined)
  }
  return [...found].map(([value, note]) => (note === '' ? { value } : { value, note }))
}

function noteOf(value: unknown): string {
  if (value === undefined || typeof value === 'object') return ''
  const text = String(value)
  return `such as ${text.length > shownValue ? `${text.slice(0, shownValue)}…` : text}`
}
