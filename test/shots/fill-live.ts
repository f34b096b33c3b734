// Events of a shop, handed in while the live tail is open.

import type { Page } from '@playwright/test'
import { project } from '../browser/console.ts'
import { context, event, type Line, send, toLines, views } from '../intake/visitor.ts'

async function hand(page: Page, lines: readonly Line[]): Promise<void> {
  const { origin } = new URL(page.url())
  const path = `${origin}/api/v1/projects/${project.key}/environments/production/keys`
  const { items } = await (await page.request.get(path)).json()
  const client = items.find(({ kind }: { kind: string }) => kind === 'client')
  await send(origin, toLines(lines), { key: client.value })
}

const linesOf = (page: Page) => page.locator('[data-line]')

export async function showEvents(page: Page): Promise<void> {
  await page.getByText('Running', { exact: true }).waitFor()
  const visitors = [
    'mara@pedalandpost.example',
    'noa',
    'visitor-with-a-key-as-long-as-keys-of-machines-can-become',
  ]
  for (const [index, userKey] of visitors.entries()) {
    const url = `https://shop.example/${['', 'cart', 'orders/8121/a-very-long-part-of-an-address/that-goes-on'][index]}`
    const reads = [
      { flag: 'checkout.one-page', variation: 'on', split: '7', epoch: 1, by: 'targetingKey', unit: userKey },
      { flag: 'banner.colour', variation: 'green' },
    ]
    await hand(page, [
      context({ userKey, url, reads, service: 'shop', version: '1.4.2', attributes: { plan: 'pro' } }),
      event('view', { name: 'load' }),
      event('exposure', { flag: 'checkout.one-page' }),
      event('vital', { name: 'LCP', value: 2_310, target: 'main > img' }),
      event('action', { name: 'Pay now', target: 'button', frustration: ['rage'] }),
      event('resource', {
        type: 'fetch',
        method: 'POST',
        url: 'https://api.shop.example/orders/12',
        status: 503,
        duration: 812,
      }),
      event('error', {
        source: 'uncaught',
        type: 'TypeError',
        handled: false,
        message: "Cannot read properties of undefined (reading 'card')",
        stack:
          'TypeError\n    at pay (https://shop.example/assets/checkout.js:12:9)\n    at onClick (form.js:3:1)',
      }),
      event('long_frame', { duration: 120, blocking: 60 }),
      event('custom', { name: 'bought', value: 3 }),
    ])
    await linesOf(page)
      .nth(8 * (index + 1) - 1)
      .waitFor()
  }
}

export async function showOneEvent(page: Page): Promise<void> {
  await showEvents(page)
  await page
    .getByRole('button', { name: /TypeError/ })
    .first()
    .click()
  await page.getByRole('complementary', { name: 'error' }).waitFor()
}

export async function showDropping(page: Page): Promise<void> {
  await showEvents(page)
  for (let burst = 0; burst < 4; burst += 1) await hand(page, [context(), ...views(3_000)])
  await page.getByText(/^Dropping/).waitFor()
}

export async function showPaused(page: Page): Promise<void> {
  await showEvents(page)
  await page.getByRole('button', { name: /^Pause/ }).click()
  await hand(page, [context({ reads: [{ flag: 'checkout.one-page', variation: 'on' }] }), ...views(12)])
  await page.getByRole('button', { name: '12 new' }).waitFor()
}
