import { expect, test } from 'vitest'
import {
  bytesText,
  changeText,
  countOf,
  countText,
  durationText,
  lengthText,
  shareText,
  signedShareText,
  signedText,
  vitalText,
} from './measure-text.ts'

test('counts up to 9,999 are exact, and abbreviated beyond', () => {
  expect([0, 1, 9_999, 10_000, 96_412, 1_234_567, 2.4e9].map(countText)).toEqual([
    '0',
    '1',
    '9,999',
    '10k',
    '96.4k',
    '1.23M',
    '2.4B',
  ])
  expect([1, 2].map((count) => countOf(count, 'session'))).toEqual(['1\u00a0session', '2\u00a0sessions'])
})

test('durations change units at one second and at two minutes', () => {
  expect([0.4, 171, 999, 1_000, 2_314, 119_000, 180_000].map(durationText)).toEqual([
    '0.4\u00a0ms',
    '171\u00a0ms',
    '999\u00a0ms',
    '1\u00a0s',
    '2.31\u00a0s',
    '119\u00a0s',
    '3\u00a0min',
  ])
  expect([0, 192_000, 3_849_000].map(lengthText)).toEqual(['0:00', '3:12', '1:04:09'])
  expect([vitalText('CLS', 0.061), vitalText('INP', 171)]).toEqual(['0.06', '171\u00a0ms'])
})

test('shares near 0 and 100 % are marked as such', () => {
  expect([0, 0.0004, 0.004, 0.78, 0.9, 0.999, 0.99999, 1].map(shareText)).toEqual([
    '0%',
    '<0.1%',
    '0.4%',
    '78%',
    '90%',
    '99.9%',
    '>99.9%',
    '100%',
  ])
})

test('changes have a sign, with a true minus', () => {
  expect([0.031, -0.12, 2.12, 0.0001, -1].map(signedShareText)).toEqual([
    '+3.1%',
    '\u221212%',
    '+212%',
    '0%',
    '\u2212100%',
  ])
  expect(changeText(2, 0)).toBeUndefined()
  expect(changeText(null, 2)).toBeUndefined()
  expect(changeText(3, 2)).toBe('+50%')
  expect(signedText(-0.014, (value) => value.toFixed(2))).toBe('\u22120.01')
  expect(signedText(0.001, (value) => value.toFixed(2))).toBe('0.00')
})

test('bytes use decimal units', () => {
  expect([0, 512, 1_000, 1_234_567, 9.9e12].map(bytesText)).toEqual([
    '0\u00a0B',
    '512\u00a0B',
    '1\u00a0kB',
    '1.23\u00a0MB',
    '9.9\u00a0TB',
  ])
})
