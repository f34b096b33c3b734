import { expect, test } from 'vitest'
import { samplePosition } from './keys.ts'

test('the sample position of a session is its last eight digits, between 0 and 1', () => {
  expect(samplePosition('01a1fd81-29ff-7ba7-b53e-609c00000000')).toBe(0)
  expect(samplePosition('01a1fd81-29ff-7ba7-b53e-609c80000000')).toBe(0.5)
  expect(samplePosition('01a1fd81-29ff-7ba7-b53e-609cffffffff')).toBeLessThan(1)
})
