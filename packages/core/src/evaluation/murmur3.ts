// MurmurHash3 x86 32 over UTF-8, after Austin Appleby's published algorithm. A common prefix is hashed once and reused.
// Lone surrogates are encoded as U+FFFD, as TextEncoder does.

/** A partial hash. Immutable: continuing it does not change it. */
export interface HashState {
  hash: number
  /** Up to three bytes that do not fill a block yet, and their number of bits. */
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

/**
 * The hash of the prefix and `text`. Signed, because engines store such numbers without allocation; `>>> 0` converts it
 * to the unsigned number that other implementations return.
 */
export function finishHash(state: HashState, text: string): number {
  const { pendingBits } = state
  let { hash, pending } = state
  let index = 0

  // Four ASCII characters make a block, shifted past the pending bytes.
  for (; index + 3 < text.length; index += 4) {
    const first = text.charCodeAt(index)
    const second = text.charCodeAt(index + 1)
    const third = text.charCodeAt(index + 2)
    const fourth = text.charCodeAt(index + 3)
    if ((first | second | third | fourth) > 0x7f) return absorb(state, text)
    const block = first | (second << 8) | (third << 16) | (fourth << 24)
    hash = mix(hash, pending | (block << pendingBits))
    pending = pendingBits === 0 ? 0 : block >>> (32 - pendingBits)
  }
  let rest = 0
  let restBits = 0
  for (; index < text.length; index++, restBits += 8) {
    const code = text.charCodeAt(index)
    if (code > 0x7f) return absorb(state, text)
    rest |= code << restBits
  }
  if (pendingBits + restBits < 32)
    return finalize(hash, pending | (rest << pendingBits), state.lengthBytes + text.length)
  return finalize(
    mix(hash, pending | (rest << pendingBits)),
    rest >>> (32 - pendingBits),
    state.lengthBytes + text.length,
  )
}

/** The hash of one text, unsigned. */
export function murmur3(text: string, seed = 0): number {
  return finishHash(startHash('', seed), text) >>> 0
}

/** Hashes any text byte by byte. */
function absorb(from: HashState, text: string, into?: HashState): number {
  let { hash, pending, pendingBits, lengthBytes } = from

  for (let index = 0; index < text.length; index++) {
    const point = text.codePointAt(index) ?? 0
    if (point > 0xffff) index++
    let bytes = utf8Of(point)
    for (let left = utf8Length(point); left > 0; left--, lengthBytes++) {
      pending |= (bytes & 0xff) << pendingBits
      pendingBits = (pendingBits + 8) & 31
      bytes >>>= 8
      if (pendingBits > 0) continue
      hash = mix(hash, pending)
      pending = 0
    }
  }
  if (into !== undefined) Object.assign(into, { hash, pending, pendingBits, lengthBytes })
  return finalize(hash, pending, lengthBytes)
}

function mix(hash: number, block: number): number {
  const mixed = hash ^ scramble(block)
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0
}

function scramble(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}

function finalize(hash: number, pending: number, lengthBytes: number): number {
  const unmixed = hash ^ scramble(pending) ^ lengthBytes
  let mixed = Math.imul(unmixed ^ (unmixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

function utf8Length(point: number): number {
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
}

/** The UTF-8 bytes of a code point packed into one number, first byte lowest. */
function utf8Of(point: number): number {
  if (point < 0x80) return point
  const isLoneSurrogate = point >= 0xd800 && point <= 0xdfff
  const scalar = isLoneSurrogate ? 0xfffd : point
  const last = 0x80 | (scalar & 0x3f)
  const second = 0x80 | ((scalar >> 6) & 0x3f)
  const third = 0x80 | ((scalar >> 12) & 0x3f)
  if (scalar < 0x800) return 0xc0 | (scalar >> 6) | (last << 8)
  if (scalar < 0x10000) return 0xe0 | (scalar >> 12) | (second << 8) | (last << 16)
  return 0xf0 | (scalar >> 18) | (third << 8) | (second << 16) | (last << 24)
}
