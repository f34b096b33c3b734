// A day of invented visitors, so that the screens of monitoring have something to show.

import type { Page } from '@playwright/test'
import type { BuiltServer } from '../browser/built-server.ts'
import { chrome, firefox, openSeeder } from '../browser/seed-events.ts'
import { event } from '../intake/visitor.ts'

const minute = 60_000
const visits = 120
const pages = ['/', '/c/:category', '/p/:product', '/cart', '/checkout']

/** The same at every run, but for the time. */
const wave = (index: number, of: number) => Math.floor(Math.abs(Math.sin(index * 12.9898)) * of)

export async function fillTelemetry(page: Page, server: BuiltServer): Promise<void> {
  const seeder = await openSeeder(page, server)
  let count = 0
  for (let visit = 0; visit < visits; visit += 1) {
    const at = Date.now() - visit * 11 * minute
    const variation = visit % 4 === 0 ? 'on' : 'off'
    const events = eventsOf(visit, at, variation === 'on')
    count += events.length
    await seeder.visit({
      about: {
        url: 'https://shop.example/',
        page: pages[visit % pages.length],
        version: visit < visits / 2 ? '1.4.0' : '1.3.9',
        reads: [{ flag: 'checkout.one-page', variation }],
      },
      events,
      browser: visit % 3 === 0 ? firefox : chrome,
    })
  }
  await seeder.untilStored(count)
}

function eventsOf(visit: number, at: number, isSlow: boolean) {
  const request = (url: string, more: object) =>
    event('resource', {
      at,
      type: 'fetch',
      method: 'GET',
      url,
      status: 200,
      size: 700 + wave(visit, 4_000),
      ...more,
    })
  return [
    event('view', { at, name: 'load' }),
    event('vital', { at, name: 'LCP', value: 1_200 + wave(visit, 2_500), target: 'main > img' }),
    event('vital', { at, name: 'INP', value: 60 + wave(visit + 1, 240), target: 'button.add' }),
    event('vital', { at, name: 'CLS', value: wave(visit + 2, 20) / 100 }),
    request(`https://api.shop.example/products/${visit}`, { duration: 90 + wave(visit, 200) }),
    request('https://api.shop.example/cart', { duration: 60 + wave(visit + 3, 120), method: 'POST' }),
    request('https://pay.example/quote', {
      duration: (isSlow ? 900 : 300) + wave(visit, 500),
      method: 'POST',
      ...(visit % 9 === 0 ? { status: 503, failed: true } : {}),
    }),
    ...(visit % 6 === 0
      ? [
          event('error', {
            at,
            source: 'uncaught',
            type: 'TypeError',
            handled: false,
            message: "Cannot read properties of undefined (reading 'card')",
            stack: 'TypeError\n    at pay (https://shop.example/assets/checkout.js:12:9)',
          }),
        ]
      : []),
    ...(visit % 7 === 0
      ? [event('action', { at, name: 'Pay now', target: 'button.pay', frustration: ['rage'] })]
      : []),
  ]
}
