import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { bucketingOf, positionOf } from './bucket.ts'
import { murmur3 } from './murmur3.ts'

// Computed independently from the published algorithm, in another language; also listed in docs/guides/evaluation.md.
const vectors: [salt: string, unit: string, hash: number, position: number][] = [
  ['checkout', 'user-1', 0x2cce3c12, 17_502],
  ['checkout', 'user-2', 0xe214ff69, 88_313],
  ['checkout', '8107', 0x18df4443, 9_715],
  ['a', 'b', 0x38f8f7a6, 22_254],
  ['0190f3a2-7c5e-7d7e-9a41-5f1e8c0d2b11', 'alice@example.com', 0xe415ef91, 89_095],
  ['salt', 'ünïcode-Ω', 0xffcf04f8, 99_925],
  ['salt', '😀', 0xbb8e3c30, 73_263],
  ['salt', '\ud800', 0xf6230e30, 96_147],
]

test.each(vectors)('%s, %s', (...[salt, unit, hash, position]) => {
  expect(murmur3(`${salt}.${unit}`)).toBe(hash)
  expect(positionOf(bucketingOf(salt), unit)).toBe(position)
})

const users = 1_000_000

/** Pearson's chi-squared statistic of observed counts against one expected count. */
function chiSquared(counts: ArrayLike<number>, expected: number): number {
  let sum = 0
  for (let index = 0; index < counts.length; index++) sum += ((counts[index] ?? 0) - expected) ** 2 / expected
  return sum
}

/** The 99.9th percentile of chi-squared, by the Wilson–Hilferty approximation. */
function boundOf(degrees: number): number {
  const upper = 3.0902
  const part = 2 / (9 * degrees)
  return degrees * (1 - part + upper * Math.sqrt(part)) ** 3
}

describe('over a million users', () => {
  test.each([
    ['user-', 'rollout-1'],
    ['', '0190f3a2-7c5e-7d7e-9a41-5f1e8c0d2b11'],
    ['somebody.with.a.long.name+', 's'],
  ])('positions of %s… with the salt %s are uniform', (prefix, salt) => {
    const bucketing = bucketingOf(salt)
    const counts = new Uint32Array(1_000)
    for (let user = 0; user < users; user++) {
      const cell = Math.floor(positionOf(bucketing, prefix + user) / 100)
      counts[cell] = (counts[cell] ?? 0) + 1
    }
    expect(chiSquared(counts, users / counts.length)).toBeLessThan(boundOf(counts.length - 1))
  })

  test('positions of two flags are independent', () => {
    const [left, right] = [bucketingOf('flag-1'), bucketingOf('flag-2')]
    const counts = new Uint32Array(20 * 20)
    for (let user = 0; user < users; user++) {
      const cell =
        Math.floor(positionOf(left, `user-${user}`) / 5_000) * 20 +
        Math.floor(positionOf(right, `user-${user}`) / 5_000)
      counts[cell] = (counts[cell] ?? 0) + 1
    }
    expect(chiSquared(counts, users / counts.length)).toBeLessThan(boundOf(counts.length - 1))
  })
})

test('every position is an integer below 100,000', () => {
  const bucketing = bucketingOf('x')
  for (let user = 0; user < 10_000; user++) {
    const position = positionOf(bucketing, String(user))
    expect(Number.isInteger(position) && position >= 0 && position < limits.weightTotal).toBe(true)
  }
})
