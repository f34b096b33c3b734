import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { isSpike, isSpikeOver, usualEvents } from './detect-spike.ts'

const { spikeFloor: floor, spikeFactor: factor, spikeLiftFactor: lift } = limits
const minute = 60_000

test('what is usual is a median, so that one earlier spike does not raise it', () => {
  expect(usualEvents([100, 120])).toBeUndefined()
  expect(usualEvents([100, 9_000, 120])).toBe(120)
  expect(usualEvents([100, 9_000, 120, 140])).toBe(130)
})

test('a spike is tenfold of the usual, and of the floor on a quiet site', () => {
  const usual = 4 * floor
  expect(isSpike(factor * usual - 1, usual)).toBe(false)
  expect(isSpike(factor * usual, usual)).toBe(true)
  expect(isSpike(factor * floor - 1, 3)).toBe(false)
  expect(isSpike(factor * floor, 3)).toBe(true)
})

test('it is over only well below where it began', () => {
  const usual = 2 * floor
  const spanOf = (times: number) => ({ arrived: (times * usual) / 6, span: 10 * minute })
  expect(isSpikeOver(spanOf(factor), usual)).toBe(false)
  expect(isSpikeOver(spanOf(lift + 0.1), usual)).toBe(false)
  expect(isSpikeOver(spanOf(lift - 0.1), usual)).toBe(true)
  expect(isSpikeOver(spanOf(0), usual)).toBe(true)
})
