import { expect, test } from 'vitest'
import { keyOf, samplePosition } from './keys.ts'

test('the sample position of a session is its last eight digits, between 0 and 1', () => {
  expect(samplePosition('01a1fd81-29ff-7ba7-b53e-609c00000000')).toBe(0)
  expect(samplePosition('01a1fd81-29ff-7ba7-b53e-609c80000000')).toBe(0.5)
  expect(samplePosition('01a1fd81-29ff-7ba7-b53e-609cffffffff')).toBeLessThan(1)
})

test('derives a key from a name', () => {
  expect(keyOf('Pedal & Post')).toBe('pedal-post')
  expect(keyOf('Über Café 2')).toBe('uber-cafe-2')
  expect(keyOf('&')).toBe('')
})
