import { expect, test } from 'vitest'
import { isAllowedOrigin } from './allowed-origin.ts'

const allowed = ['https://shop.example', 'https://*.pedal.example', 'http://localhost:5173']

test.each([
  ['https://shop.example', true],
  ['http://shop.example', false],
  ['https://shop.example:8443', false],
  ['https://evil.shop.example', false],
  ['https://www.pedal.example', true],
  ['https://a.b.pedal.example', true],
  ['https://pedal.example', false],
  ['https://.pedal.example', false],
  ['https://evilpedal.example', false],
  ['https://www.pedal.example.evil.example', false],
  ['http://localhost:5173', true],
  ['null', false],
])('%s: %s', (origin, expected) => {
  expect(isAllowedOrigin(origin, allowed)).toBe(expected)
})
