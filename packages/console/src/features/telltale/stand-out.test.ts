import { expect, test } from 'vitest'
import type { UnguardedTelltale } from '../../api/telltales.ts'
import { orderByDifference } from './stand-out.ts'

const at = '2026-11-19T14:31:00.000Z'
const harm = (flag: string, usersPerHour: number): UnguardedTelltale => ({
  kind: 'unguarded',
  env: 'production',
  flag,
  split: flag,
  place: 'fallthrough',
  epoch: 1,
  control: 'off',
  treatment: 'on',
  startedAt: at,
  checkedAt: at,
  users: { treatment: 400, control: 400 },
  override: 'fluttering',
  worst: null,
  regressed: ['inp'],
  harm: { metric: 'inp', usersPerHour },
  alpha: 0.02,
})

test('a flag that everybody has alike is never chosen', () => {
  const seen = [
    { value: 'everyone=on', count: 900 },
    { value: 'rare=off', count: 890 },
    { value: 'rare=on', count: 10 },
    { value: 'half=on', count: 300 },
    { value: 'half=off', count: 280 },
  ]
  expect(orderByDifference(seen, [])).toEqual({ flags: ['half', 'rare', 'everyone'], standsOut: 'half' })
  expect(orderByDifference(seen.slice(0, 1), [harm('everyone', 5)])).toEqual({
    flags: ['everyone'],
    standsOut: undefined,
  })
  expect(orderByDifference([], [])).toEqual({ flags: [], standsOut: undefined })
})

test('harm stands out before equal shares, the largest first', () => {
  const seen = ['a', 'b', 'c'].flatMap((flag, index) => [
    { value: `${flag}=on`, count: 100 },
    { value: `${flag}=off`, count: 100 - index },
  ])
  const calm = { ...harm('a', 0), override: null }
  expect(orderByDifference(seen, [calm, harm('b', 3), harm('c', 90)]).flags).toEqual(['c', 'b', 'a'])
})
