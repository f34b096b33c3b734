// Integer ids that Flagsmith's clients use for things created in Telltale. Guarantees: from 1 to 2³¹ − 1, because
// clients in Java, .NET and Rust read 32 bits; unique per kind; imported ids are kept; the same names get the same ids
// in every answer and after a restart.

import { md5 } from '@noble/hashes/legacy.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { murmur3 } from '../murmur3.ts'

const encoder = new TextEncoder()

/** Ids for names of one kind. `taken`: ids already used for that kind. */
export function allotIds(names: Iterable<string>, taken: Iterable<number> = []): Map<string, number> {
  const used = new Set(taken)
  const ids = new Map<string, number>()
  // Sorted, so that names with the same hash are always resolved the same way.
  for (const name of [...new Set(names)].sort()) {
    let id = idOf(name)
    // Even at a billion names half of all ids are free, so a free one is found within a few attempts.
    for (let attempt = 1; used.has(id); attempt++) id = idOf(`${attempt} ${name}`)
    used.add(id)
    ids.set(name, id)
  }
  return ids
}

/** For kinds with a single name. */
export function idOf(name: string): number {
  return murmur3(name) >>> 1 || 1
}

/** A UUID of version 8, which is reserved for custom formats. */
export function uuidOf(kind: 'state' | 'variant' | 'identity', name: string): string {
  const bytes = md5(encoder.encode(`${kind} ${name}`))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytesToHex(bytes)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
