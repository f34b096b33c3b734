import { expect, test } from 'vitest'
import { readAddress } from './address.ts'
import { cutLine, cutText } from './clean-text.ts'
import { scrubText } from './scrub.ts'

test.each([
  ['no user mara.olsen+x@pedal-post.example.com found', 'no user [email] found'],
  ['card 4111 1111 1111 1111 refused', 'card [card] refused'],
  ['card 4111-1111-1111-1112 is no card', 'card 4111-1111-1111-1112 is no card'],
  ['at 1790000000000 nothing happened', 'at 1790000000000 nothing happened'],
  ['GET https://shop.example/reset?token=secret failed', 'GET https://shop.example/reset failed'],
  ['at pay (https://shop.example/app.js?v=7:1:2)', 'at pay (https://shop.example/app.js:1:2)'],
  ['at pay (https://shop.example/app.js?t=a:secret&u=b:1:2)', 'at pay (https://shop.example/app.js:1:2)'],
  ['at pay (https://shop.example/a?q=(my)secret:1:2)', 'at pay (https://shop.example/a:1:2)'],
  ["GET /find?q=o'secret then ('/b?c=secret')", "GET /find then ('/b')"],
  ['GET /reset?token=secret failed', 'GET /reset failed'],
  ["no route '/a/b#secret'", "no route '/a/b'"],
  ['socket wss://shop.example/live?key=secret', 'socket wss://shop.example/live'],
  ['https://mara:secret@shop.example/', 'https://shop.example/'],
  ['img data:text/plain;base64,c2VjcmV0 broken', 'img data: broken'],
  ['no answer of search?q=secret&b=secret', 'no answer of search'],
  ['search?q=secret:12 broke (list?filter[name]=secret)', 'search:12 broke (list)'],
  ['is a=b? c=d', 'is a=b? c=d'],
  ['and/or? 3/4? why?', 'and/or? 3/4? why?'],
  ['plain words', 'plain words'],
])('%s', (text, scrubbed) => {
  expect(scrubText(text)).toBe(scrubbed)
})

test.each([
  [
    'https://mara:pw@Shop.example/a/b?token=1&utm_source=mail#frag',
    { host: 'shop.example', path: '/a/b', kept: 'https://shop.example/a/b?utm_source=mail' },
  ],
  ['https://shop.example', { host: 'shop.example', path: '/', kept: 'https://shop.example/' }],
  ['/cart/mara@shop.example', { host: '', path: '/cart/[email]', kept: '/cart/[email]' }],
  ['data:text/plain;base64,AAAA', { host: '', path: '', kept: 'data:' }],
  ['', { host: '', path: '', kept: '' }],
])('the address %s', (text, kept) => {
  expect(readAddress(text)).toMatchObject(kept)
})

test('text is cut without leaving half a character', () => {
  expect(cutText('ab\u{1F600}', 3)).toBe('ab\uFFFD')
  expect(cutText('a\uD800b', 10)).toBe('a\uFFFDb')
  expect(cutLine('  Pay\n now ', 10)).toBe('Pay  now')
})

test('long text of anybody is looked through in little time', () => {
  const begun = performance.now()
  for (const part of ['http://', 'a@', '4111 ', 'a.a@a.', '"', ' (', ':1:1', '-', '?', '?a', '?a=']) {
    const text = part.repeat(16_000 / part.length)
    scrubText(text)
    readAddress(text)
  }
  expect(performance.now() - begun).toBeLessThan(2_000)
})
