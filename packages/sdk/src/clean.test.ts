import { expect, test } from 'vitest'
import { cleanAttributes, cleanDeep, cleanText, cleanUrl } from './clean.ts'

test('only the names of query parameters are kept, unless values are allowed', () => {
  const address = 'https://shop.example/search?q=my%20secret&page=2#top'
  expect(cleanUrl(address, false)).toBe('https://shop.example/search?q&page')
  expect(cleanUrl(address, true)).toBe('https://shop.example/search?q=my%20secret&page=2')
})

test('a fragment is kept if it is a route, without its query', () => {
  expect(cleanUrl('https://shop.example/#/cart?voucher=abc', false)).toBe(
    'https://shop.example/#/cart?voucher',
  )
  expect(cleanUrl('https://shop.example/#!/cart', false)).toBe('https://shop.example/#!/cart')
})

test('user names, passwords and data in URLs do not leave the page', () => {
  expect(cleanUrl('https://ada:secret@shop.example/a', true)).toBe('https://shop.example/a')
  expect(cleanUrl('data:text/plain,secret', true)).toBe('data:')
  expect(cleanUrl('blob:https://shop.example/1', false)).toBe('blob:')
})

test('URLs in messages, stacks and script names lose their query values; line and column stay', () => {
  const stack =
    'Error: no https://a:b@shop.example/p?q=secret#secret\n    at pay (https://shop.example/a.js?t=x:secret:10:5)'
  expect(cleanText(stack, false)).toBe(
    'Error: no https://shop.example/p?q\n    at pay (https://shop.example/a.js?t:10:5)',
  )
  expect(cleanText("GET '/search?q=secret' failed, data:text/plain,secret", false)).toBe(
    "GET '/search?q' failed, data:",
  )
  expect(cleanText('https://shop.example/p?q=seen#secret', true)).toBe('https://shop.example/p?q=seen')
  expect(cleanText('a and/or b? 3/4', false)).toBe('a and/or b? 3/4')
  const clean = (text: string) => cleanText(text, false)
  expect(cleanDeep({ scripts: [{ function: 'https://shop.example/?q=secret', ms: 3 }] }, clean)).toEqual({
    scripts: [{ function: 'https://shop.example/?q', ms: 3 }],
  })
})

test('a URL in text may contain brackets and quotes, or be only a query', () => {
  const texts = {
    'at f (https://shop.example/p?q=(my)secret:1:5)': 'at f (https://shop.example/p?q:1:5)',
    "https://shop.example/p#o'secret": 'https://shop.example/p',
    'GET search?q=secret&page=secret failed': 'GET search?q&page failed',
    "no '?mail=secret', see (/a?b=secret), ok": "no '?mail', see (/a?b), ok",
    'what? a=b': 'what? a=b',
  }
  for (const [text, clean] of Object.entries(texts)) {
    expect(cleanText(text, false)).toBe(clean)
    expect(cleanDeep({ text }, (json) => cleanText(json, false))).toEqual({ text: clean })
  }
})

test('unsupported attributes become text without affecting others', () => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  expect(cleanAttributes({ plan: 'pro', seats: 3, trial: false, none: null })).toEqual({
    plan: 'pro',
    seats: 3,
    trial: false,
    none: null,
  })
  expect(cleanAttributes({ order: { id: 1 }, rate: Number.NaN, circle })).toEqual({
    order: '{"id":1}',
    rate: 'NaN',
    circle: 'object',
  })
  expect(cleanAttributes(undefined)).toBeUndefined()
})
