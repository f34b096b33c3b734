import { expect, test } from 'vitest'
import { alignSteps, closenessOf, isCloseMatch, type Walk } from './similar-sessions.ts'

const walk = (pages: string[], more: Partial<Walk> = {}): Walk => ({
  pages,
  device: 'mobile',
  country: 'DE',
  browser: 'Safari',
  hour: 14,
  ...more,
})

test('the same path on the same device at the same hour is the maximum similarity', () => {
  const found = closenessOf(walk(['/', '/cart', '/pay']), walk(['/', '/cart', '/pay']))
  expect(found).toMatchObject({ pages: 1, sameDevice: true, hoursApart: 0 })
  expect(found.whole).toBeCloseTo(1)
})

test('the path counts more than everything else together', () => {
  const mine = walk(['/', '/cart', '/pay'])
  const elsewhere = closenessOf(mine, walk(['/help', '/about', '/jobs']))
  const abroad = closenessOf(
    mine,
    walk(['/', '/cart', '/pay'], { country: 'FR', browser: 'Chrome', hour: 2 }),
  )
  expect(abroad.whole).toBeGreaterThan(elsewhere.whole)
  expect(isCloseMatch(abroad)).toBe(true)
  expect(isCloseMatch(elsewhere)).toBe(false)
  expect(isCloseMatch(closenessOf(mine, walk(['/', '/cart', '/pay'], { device: 'desktop' })))).toBe(false)
})

test('hours wrap around midnight', () => {
  expect(closenessOf(walk([], { hour: 23 }), walk([], { hour: 1 })).hoursApart).toBe(2)
})

test('shared steps are found in order, with any steps in between', () => {
  expect(alignSteps(['open', 'add', 'pay'], ['open', 'look', 'add', 'look', 'pay'])).toEqual([
    [0, 0],
    [1, 2],
    [2, 4],
  ])
  expect(alignSteps(['a', 'b', 'a'], ['b', 'a', 'a'])).toHaveLength(2)
  expect(alignSteps(['a'], ['b'])).toEqual([])
  expect(alignSteps([], ['b'])).toEqual([])
})
