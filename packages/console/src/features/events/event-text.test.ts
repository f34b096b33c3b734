import { expect, test } from 'vitest'
import { liveEvent } from '../../screens/live/live-event.testing.ts'
import { eventText } from './event-text.ts'

test.each([
  [{ kind: 'view', url: 'https://shop.example/cart', page: '/cart' }, 'https://shop.example/cart'],
  [{ kind: 'vital', name: 'LCP', value: 2_310, target: 'img' }, 'LCP 2.31\u00a0s img'],
  [{ kind: 'vital', name: 'CLS', value: 0.104 }, 'CLS 0.10'],
  [{ kind: 'action', name: 'Pay', frustration: ['rage'], target: 'button' }, 'Pay rage click button'],
  [
    { kind: 'resource', method: 'POST', status: 503, host: 'api.example', endpoint: '/pay', duration: 81 },
    'POST 503 api.example/pay 81\u00a0ms',
  ],
  [{ kind: 'resource', method: 'GET', failed: true, endpoint: '/pay' }, 'GET failed /pay 0\u00a0ms'],
  [{ kind: 'error', errorType: 'TypeError', errorMessage: 'No card' }, 'TypeError: No card'],
  [{ kind: 'long_frame', duration: 120, blocking: 60 }, '120\u00a0ms, blocking 60\u00a0ms'],
  [{ kind: 'custom', name: 'bought', value: 3 }, 'bought 3'],
  [{ kind: 'exposure', name: 'checkout', flags: ['a=b', 'checkout=new'] }, 'checkout=new'],
])('%j reads %s', (draft, text) => {
  expect(eventText(liveEvent(draft))).toBe(text)
})
