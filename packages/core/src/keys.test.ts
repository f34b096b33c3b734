import { expect, test } from 'vitest'
import { lotOf } from './keys.ts'

test('the lot of a session is its last eight digits, between 0 and 1', () => {
  expect(lotOf('01a1fd81-29ff-7ba7-b53e-609c00000000')).toBe(0)
  expect(lotOf('01a1fd81-29ff-7ba7-b53e-609c80000000')).toBe(0.5)
  expect(lotOf('01a1fd81-29ff-7ba7-b53e-609cffffffff')).toBeLessThan(1)
})
