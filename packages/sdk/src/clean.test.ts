import { expect, test } from 'vitest'
import { cleanAttributes, cleanDeep, cleanText, cleanUrl } from './clean.ts'

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

test('addresses in messages, stacks and names of scripts lose what their queries say; line and column stay', () => {
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

test('an address in a text goes on behind brackets and quotes, and may be a query alone', () => {
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

test('attributes that the wire cannot carry become text, and cost nothing else', () => {
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
