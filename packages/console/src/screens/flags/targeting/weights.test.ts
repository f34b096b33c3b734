import { expect, test } from 'vitest'
import { percentText, weightOf } from '../../../ui/text/weight-text.ts'
import { setWeight, spreadEvenly, weightsFault } from './weights.ts'

const arms = (...weights: number[]) => weights.map((weight, index) => ({ variation: `v${index}`, weight }))
const weightsOf = (of: { weight: number }[]) => of.map(({ weight }) => weight)

test('percentages have up to three decimals', () => {
  expect(weightOf('33.334')).toBe(33_334)
  expect(weightOf('33,3')).toBe(33_300)
  expect(weightOf(' 100 % ')).toBe(100_000)
  expect(weightOf('7.')).toBe(7_000)
  for (const wrong of ['', '33.3334', '100.001', '-1', 'a', '1000']) expect(weightOf(wrong)).toBeNaN()
  expect(percentText(33_334)).toBe('33.334')
  expect(percentText(50_000)).toBe('50')
  const all = Array.from({ length: 100_001 }, (_, weight) => weight)
  expect(all.filter((weight) => weightOf(percentText(weight)) !== weight)).toEqual([])
})

test('the last weight completes the others, and the first follows the last', () => {
  expect(weightsOf(setWeight(arms(50_000, 30_000, 20_000), 0, 60_000))).toEqual([60_000, 30_000, 10_000])
  expect(weightsOf(setWeight(arms(50_000, 50_000), 1, 20_000))).toEqual([80_000, 20_000])
})

test('weights never become negative or NaN; the fault names the difference', () => {
  const over = setWeight(arms(50_000, 30_000, 20_000), 0, 90_000)
  expect(weightsOf(over)).toEqual([90_000, 30_000, 20_000])
  expect(weightsFault(over)).toBe('They sum to 140%: 40% too much.')
  expect(weightsFault(arms(50_000, 49_999))).toBe('They sum to 99.999%: 0.001% missing.')
  expect(weightsFault(setWeight(arms(50_000, 50_000), 0, Number.NaN))).toMatch(/three decimals/)
  expect(weightsFault(arms(50_000, 50_000))).toBeUndefined()
})

test('even thirds sum to the whole', () => {
  const even = spreadEvenly(arms(0, 0, 100_000))
  expect(weightsOf(even)).toEqual([33_334, 33_333, 33_333])
  expect(weightsFault(even)).toBeUndefined()
})
