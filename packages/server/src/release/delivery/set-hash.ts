// A hash of a set of texts that follows what comes and goes: its cost is that of the change, not that of the set. Equal
// sets have equal hashes, in whatever order they came about.

import { hash } from 'node:crypto'

export type SetHash = Uint8Array

const bytes = 32
const shownLength = 22

export const emptyHash: SetHash = new Uint8Array(bytes)

/** With the text in the set, or without it if it was there. */
export function toggle(set: SetHash, text: string): SetHash {
  return combine(set, hash('sha256', text, 'buffer'))
}

/** Of all that is in exactly one of both. */
export function combine(one: SetHash, other: SetHash): SetHash {
  const combined = new Uint8Array(bytes)
  for (let index = 0; index < bytes; index += 1) combined[index] = (one[index] ?? 0) ^ (other[index] ?? 0)
  return combined
}

export function showHash(set: SetHash): string {
  return Buffer.from(set).toString('base64url').slice(0, shownLength)
}
