// MurmurHash3 x86 32 over UTF-8, by Austin Appleby's published algorithm. A common prefix is hashed once and kept.
// Lone surrogates count as U+FFFD, as TextEncoder writes them.

/** A hash under way: what comes next is added to it without changing it. */
export interface HashState {
  hash: number
  /** Up to three bytes that do not fill a block yet, and how many bits they are. */
  pending: number
  pendingBits: number
  lengthBytes: number
}

/** The state after `prefix`. `finishHash(startHash(a), b)` is the hash of `a + b`. */
export function startHash(prefix: string, seed = 0): HashState {
  const state = { hash: seed, pending: 0, pendingBits: 0, lengthBytes: 0 }
  absorb(state, prefix, state)
  return state
}

/** The hash of the prefix and `text`, as an unsigned number of 32 bits. Allocates nothing. */
export function finishHash(state: HashState, text: string): number {
  return absorb(state, text)
}

/** The hash of one text. */
export function murmur3(text: string, seed = 0): number {
  return absorb(startHash('', seed), text)
}

function absorb(from: HashState, text: string, into?: HashState): number {
  let { hash, pending, pendingBits, lengthBytes } = from

  for (let index = 0; index < text.length; index++) {
    let bytes = text.charCodeAt(index)
    let left = 1
    if (bytes >= 0x80) {
      const point = text.codePointAt(index) ?? 0
      if (point > 0xffff) index++
      bytes = utf8Of(point)
      left = utf8Length(point)
    }
    lengthBytes += left
    for (; left > 0; left--) {
      pending |= (bytes & 0xff) << pendingBits
      pendingBits += 8
      bytes >>>= 8
      if (pendingBits === 32) {
        hash ^= scramble(pending)
        hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0
        pending = 0
        pendingBits = 0
      }
    }
  }
  if (into !== undefined) Object.assign(into, { hash, pending, pendingBits, lengthBytes })
  return finalize(hash ^ scramble(pending) ^ lengthBytes)
}

function scramble(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}

function finalize(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function utf8Length(point: number): number {
  return point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
}

/** The bytes of a code point above U+007F in one number, the first byte lowest. */
function utf8Of(point: number): number {
  const isLoneSurrogate = point >= 0xd800 && point <= 0xdfff
  const scalar = isLoneSurrogate ? 0xfffd : point
  const last = 0x80 | (scalar & 0x3f)
  const second = 0x80 | ((scalar >> 6) & 0x3f)
  const third = 0x80 | ((scalar >> 12) & 0x3f)
  if (scalar < 0x800) return 0xc0 | (scalar >> 6) | (last << 8)
  if (scalar < 0x10000) return 0xe0 | (scalar >> 12) | (second << 8) | (last << 16)
  return 0xf0 | (scalar >> 18) | (third << 8) | (second << 16) | (last << 24)
}
