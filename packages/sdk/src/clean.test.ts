import { expect, test } from 'vitest'
import { cleanAttributes, cleanUrl } from './clean.ts'

test('of a query only the names are kept, unless values may be seen', () => {
  const address = 'https://shop.example/search?q=my%20secret&page=2#top'
  expect(cleanUrl(address, false)).toBe('https://shop.example/search?q&page')
  expect(cleanUrl(address, true)).toBe('https://shop.example/search?q=my%20secret&page=2')
})

test('a fragment is kept when it is a route, and what is asked in it is not', () => {
  expect(cleanUrl('https://shop.example/#/cart?voucher=abc', false)).toBe(
    'https://shop.example/#/cart?voucher',
  )
  expect(cleanUrl('https://shop.example/#!/cart', false)).toBe('https://shop.example/#!/cart')
})

test('names and passwords in an address, and content in place of one, do not leave the page', () => {
  expect(cleanUrl('https://ada:secret@shop.example/a', true)).toBe('https://shop.example/a')
  expect(cleanUrl('data:text/plain,secret', true)).toBe('data:')
  expect(cleanUrl('blob:https://shop.example/1', false)).toBe('blob:')
})

test('attributes that the wire cannot carry become text, and cost nothing else', () => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  expect(cleanAttributes({ plan: 'pro', seats: 3, trial: false, none: null })).toEqual({
    ...{ plan: 'pro', seats: 3, trial: false, none: null },
  })
  expect(cleanAttributes({ order: { id: 1 }, rate: Number.NaN, circle })).toEqual({
    ...{ order: '{"id":1}', rate: 'NaN', circle: 'object' },
  })
  expect(cleanAttributes(undefined)).toBeUndefined()
})
