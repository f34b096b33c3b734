import { expect, test } from 'vitest'
import { isClockTrusted } from './clock-jump.ts'

const day = 86_400_000
const now = new Date('2026-11-24T02:00:00Z')
const nights = (...given: [daysAgo: number, state: string][]) =>
  given.map(([daysAgo, state]) => ({ startedAt: new Date(now.getTime() - daysAgo * day), state }))
const installed = (daysAgo: number) => new Date(now.getTime() - daysAgo * day)

test.each([
  ['the night before was one', nights([1, 'done']), 400, true],
  ['a weekend without power', nights([3, 'done']), 400, true],
  ['a jump', nights([400, 'done']), 800, false],
  ['the second night after a jump', nights([1, 'held'], [400, 'done']), 800, false],
  ['the third', nights([1, 'held'], [2, 'held'], [400, 'done']), 800, false],
  ['after three', nights([1, 'held'], [2, 'held'], [3, 'held'], [400, 'done']), 800, true],
  ['another jump between held nights', nights([300, 'held'], [301, 'held'], [302, 'held']), 800, false],
  ['a corrected clock', nights([1, 'failed'], [2, 'done']), 400, true],
  ['no night, on the first day', [], 0.5, true],
  ['no night, and a jump', [], 400, false],
] as const)('%s', (...[, past, installedDaysAgo, isTrusted]) => {
  expect(isClockTrusted(now, { nights: past, installedAt: installed(installedDaysAgo) })).toBe(isTrusted)
})
