import { expect, test } from 'vitest'
import { parseUrl } from './parse-url.ts'

test('an international name is a URL, however often it is asked', () => {
  // URL.canParse is wrong after some thousand calls.
  for (let time = 0; time < 50_000; time++) parseUrl(`https://shop.example/${time}`)
  expect(parseUrl('https://bücher.example')?.host).toBe('xn--bcher-kva.example')
})

test('text that is no URL is undefined; a path is one with a base', () => {
  expect(parseUrl('shop.example')).toBeUndefined()
  expect(parseUrl('/cart', 'https://shop.example')?.href).toBe('https://shop.example/cart')
})
