import fc from 'fast-check'
import { expect, test } from 'vitest'
import { finishHash, murmur3, startHash } from './murmur3.ts'

// Vectors of the reference implementation (SMHasher) as published by its ports, most of them in Wikipedia's article.
const vectors: [text: string, seed: number, hash: number][] = [
  ['', 0, 0x00000000],
  ['', 1, 0x514e28b7],
  ['', 0xffffffff, 0x81f16f39],
  ['test', 0, 0xba6bd213],
  ['test', 0x9747b28c, 0x704b81dc],
  ['Hello, world!', 0, 0xc0363e43],
  ['Hello, world!', 0x9747b28c, 0x24884cba],
  ['The quick brown fox jumps over the lazy dog', 0, 0x2e4ff723],
  ['The quick brown fox jumps over the lazy dog', 0x9747b28c, 0x2fa826cd],
  ['aaaa', 0x9747b28c, 0x5a97808a],
  ['aaa', 0x9747b28c, 0x283e0130],
  ['aa', 0x9747b28c, 0x5d211726],
  ['a', 0x9747b28c, 0x7fa09ea6],
  ['abc', 0, 0xb3dd93fa],
  ['hello', 0, 0x248bfa47],
  ['ππππππππ', 0x9747b28c, 0xd58063c1],
]

test.each(vectors)('%j with seed %i', (text, seed, hash) => {
  expect(murmur3(text, seed)).toBe(hash)
})

/** A straightforward implementation of the published algorithm over bytes. */
function reference(bytes: Uint8Array, seed: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by))
  const scramble = (block: number) => Math.imul(rotate(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593)
  const whole = bytes.length - (bytes.length % 4)
  let hash = seed
  for (let at = 0; at < whole; at += 4) {
    hash = (Math.imul(rotate(hash ^ scramble(view.getUint32(at, true)), 13), 5) + 0xe6546b64) | 0
  }
  let tail = 0
  for (let at = bytes.length - 1; at >= whole; at--) tail = (tail << 8) | view.getUint8(at)
  hash ^= scramble(tail) ^ bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
  fc.array(fc.nat(0xffff), { maxLength: 20 }).map((codes) => String.fromCharCode(...codes)),
)

test('any text, including lone surrogates, hashes as its UTF-8 bytes', () => {
  fc.assert(
    fc.property(anyText, fc.nat(), (text, seed) => {
      expect(murmur3(text, seed)).toBe(reference(new TextEncoder().encode(text), seed))
    }),
  )
})

test('hashing a prefix in advance does not change the result', () => {
  const halves = fc.tuple(anyText, anyText).filter(([left, right]) => !splitsAPair(left, right))
  fc.assert(
    fc.property(halves, ([prefix, text]) => {
      expect(finishHash(startHash(prefix), text) >>> 0).toBe(murmur3(prefix + text))
    }),
  )
})

function splitsAPair(left: string, right: string): boolean {
  return /[\ud800-\udbff]$/.test(left) && /^[\udc00-\udfff]/.test(right)
}
