import { expect, test } from 'vitest'
import { normaliseOrigin } from './origin.ts'

test.each([
  ['https://shop.example', 'https://shop.example'],
  ['https://Shop.Example/', 'https://shop.example'],
  ['https://shop.example:443', 'https://shop.example'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['https://*.Shop.example', 'https://*.shop.example'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
])('%s is kept as browsers send it: %s', (text, origin) => {
  expect(normaliseOrigin(text)).toBe(origin)
})

test.each([
  'shop.example',
  'ftp://shop.example',
  'https://shop.example/basket',
  'https://shop.example?a=1',
  'https://me:secret@shop.example',
  'https://*',
  'https://*.',
  'https://shop.*.example',
  'https://*.*.example',
  'https://*shop.example',
  'null',
  '*',
])('%s is not a valid origin', (text) => {
  expect(normaliseOrigin(text)).toBeUndefined()
})
