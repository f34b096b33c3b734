import { expect, test } from 'vitest'
import { daysLeftText, growthText } from './disk-words.ts'

test('a range is given unless it is one number', () => {
  expect(growthText({ low: 1e9, likely: 1.2e9, high: 1.5e9 })).toBe(
    '+1.2\u00a0GB a day (+1\u00a0GB to +1.5\u00a0GB)',
  )
  expect(growthText({ low: -5e6, likely: -5e6, high: -5e6 })).toBe('\u22125\u00a0MB a day')
  expect(daysLeftText({ soonest: 30.9, likely: 40.2, latest: 55 })).toBe('In about 40 days (30 to 55)')
  expect(daysLeftText({ soonest: 40, likely: 40.2, latest: 40.4 })).toBe('In about 40 days')
})

test('a volume that may never be full has no end', () => {
  expect(daysLeftText({ soonest: null, likely: null, latest: null })).toBe('Not in the next ten years')
  expect(daysLeftText({ soonest: 300, likely: null, latest: null })).toBe(
    'Not at the usual growth; in 300 days at the highest',
  )
  expect(daysLeftText({ soonest: 300, likely: 900, latest: null })).toBe('In about 900 days (300 or later)')
})
