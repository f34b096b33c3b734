// Generates keys for arbitrary names: readable, distinct, and deterministic for the same names in the same order.

import { isKey } from '../../keys.ts'
import { limits } from '../../limits.ts'

type KeyGiver = (name: string) => string

/** Returns an unused key for each name. */
export function createKeyGiver(fallback: string, taken: Iterable<string> = []): KeyGiver {
  const given = new Set(taken)
  return (name) => {
    const wanted = slugOf(name) || fallback
    let key = wanted
    for (let number = 2; given.has(key); number++) {
      const end = `-${number}`
      key = `${wanted.slice(0, limits.keyLength - end.length)}${end}`
    }
    given.add(key)
    return key
  }
}

/** Converts a name to a valid key; empty when no character is usable. */
export function slugOf(name: string): string {
  if (isKey(name)) return name
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, limits.keyLength)
    .replace(/-+$/, '')
}
