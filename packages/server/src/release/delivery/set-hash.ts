// A hash of a set of texts that can be updated for each addition and removal: the cost depends on the change,
// not on the set. Equal sets have equal hashes, whatever the order of changes.

import { hash } from 'node:crypto'

export type SetHash = Uint8Array

const bytes = 32
const shownLength = 22

export const emptyHash: SetHash = new Uint8Array(bytes)

/** Adds the text, or removes it if it was in the set. */
export function toggle(set: SetHash, text: string): SetHash {
  return combine(set, hash('sha256', text, 'buffer'))
}

/** The symmetric difference of both sets. */
export function combine(one: SetHash, other: SetHash): SetHash {
  const combined = new Uint8Array(bytes)
  for (let index = 0; index < bytes; index += 1) combined[index] = (one[index] ?? 0) ^ (other[index] ?? 0)
  return combined
}

export function showHash(set: SetHash): string {
  return Buffer.from(set).toString('base64url').slice(0, shownLength)
}
