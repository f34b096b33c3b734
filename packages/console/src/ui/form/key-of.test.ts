import { expect, test } from 'vitest'
import { keyOf } from './key-of.ts'

test('derives a key from a name', () => {
  expect(keyOf('Pedal & Post')).toBe('pedal-post')
  expect(keyOf('Über Café 2')).toBe('uber-cafe-2')
  expect(keyOf('&')).toBe('')
})
