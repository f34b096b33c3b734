// How many users with equal use would tell as much, against a count by hand over what each user did in all stages together.
import { expect, test } from 'vitest'
import { noSums, type SharedSums, type UnitSums } from '../statistics/sums.ts'
import { effectiveUnits } from './quality.ts'

/** By user, the views in each stage; all in the treatment. */
function sumsOf(users: readonly (readonly [number, number])[]) {
  const stage = (at: 0 | 1): UnitSums => {
    const seen = users.map((views) => views[at]).filter((n) => n > 0)
    const n = seen.reduce((sum, own) => sum + own, 0)
    return { ...noSums, units: seen.length, n, nn: seen.reduce((sum, own) => sum + own ** 2, 0) }
  }
  const both = users.filter(([first, second]) => first > 0 && second > 0)
  const shared: SharedSums = {
    earlier: 0,
    later: 1,
    units: both.length,
    ny: 0,
    yn: 0,
    yy: 0,
    nn: both.reduce((sum, [first, second]) => sum + first * second, 0),
  }
  const stages = ([0, 1] as const).map((at) => ({ treatment: stage(at), control: noSums }))
  return { stages, shared: { treatment: [shared], control: [] } }
}

test('a user who returns in a later stage counts once, with the views of both', () => {
  const returning = Array.from({ length: 60 }, (): [number, number] => [5, 5])
  expect(effectiveUnits(sumsOf(returning))).toEqual({ treatment: 60, control: 0 })
  const others = Array.from({ length: 60 }, (_, user): [number, number] => (user % 2 ? [5, 0] : [0, 5]))
  expect(effectiveUnits(sumsOf(others)).treatment).toBe(60)
})

test('one user with as many views as a hundred others leaves an effective number of four', () => {
  const users = [[50, 50], ...Array.from({ length: 100 }, () => [1, 0])] as [number, number][]
  const views = users.map(([first, second]) => first + second)
  const all = views.reduce((sum, own) => sum + own, 0)
  const squares = views.reduce((sum, own) => sum + own ** 2, 0)
  expect(effectiveUnits(sumsOf(users)).treatment).toBeCloseTo(all ** 2 / squares, 9)
  expect(all ** 2 / squares).toBeLessThan(5)
})
