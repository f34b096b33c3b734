import { expect, test } from 'vitest'
import { changeOf, intervalText, limitSentence, valueText } from './effect-text.ts'
import { cappedChangeText } from './measure-text.ts'

test("harm is a change in the metric's bad direction", () => {
  const harm = { lower: -0.009, estimate: 0.006, upper: 0.03 }
  expect(changeOf(harm, 'lower')).toEqual({ lo: -0.009, est: 0.006, hi: 0.03 })
  expect(changeOf(harm, 'higher')).toEqual({ lo: -0.03, est: -0.006, hi: 0.009 })
})

test('an interval has one percent sign, a true minus, and names a missing bound', () => {
  expect(intervalText({ lo: 0.006, hi: 0.058 })).toBe('+0.6 to +5.8%')
  expect(intervalText({ lo: -0.152, hi: 0.01 })).toBe('−15 to +1%')
  expect(intervalText({ lo: -1, hi: Number.POSITIVE_INFINITY })).toBe('−100% or more')
  expect(intervalText(changeOf({ lower: null, estimate: 0, upper: null }, 'higher'))).toBe('anything')
})

test('one-sided and extreme ratios have short labels', () => {
  const change = changeOf({ lower: 4.65, estimate: null, upper: null }, 'lower')
  expect([cappedChangeText(change.est), intervalText(change)]).toEqual(['>+10,000%', '+465% or more'])
  expect(intervalText({ lo: -0.99, hi: 3_660 })).toBe('−99% or more')
})

test('limits are shown as accepted changes', () => {
  expect(limitSentence(0.05, 'lower')).toBe('no more than +5%')
  expect(limitSentence(0.03, 'higher')).toBe('no less than −3%')
})

test('values have their unit', () => {
  expect(valueText({ measuredIn: 'ms', unit: 'ms' }, 171.4)).toBe('171\u00a0ms')
  expect(valueText({ measuredIn: 'score', unit: '' }, 0.061)).toBe('0.06')
  expect(valueText({ measuredIn: 'share', unit: '' }, 0.0412)).toBe('4.1%')
  expect(valueText({ measuredIn: 'value', unit: '€' }, 41.237)).toBe('41.2\u00a0€')
})
