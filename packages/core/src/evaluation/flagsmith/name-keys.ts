// Keys of ours for names that may be anything: readable, unlike each other, and the same for the same names in the same
// order.

import { isKey } from '../../keys.ts'
import { limits } from '../../limits.ts'

export type KeyGiver = (name: string) => string

/** Gives every name that it is asked for a key that it has not given yet. */
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

/** As much of a name as fits into a key; empty when nothing does. */
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
