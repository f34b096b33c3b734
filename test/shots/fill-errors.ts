// What went wrong in the shop of the pictures: errors of several kinds, one of them in a minified script with its map.

import { expect, type Page } from '@playwright/test'
import { v7 as newId } from 'uuid'
import { project } from '../browser/console.ts'
import { buildCheckout } from '../browser/minified-checkout.ts'
import { context, event, type Line, send, toLines } from '../intake/visitor.ts'

const browsers = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
]
const hour = 3_600_000
const packages = Array.from(
  { length: 5 },
  (_, depth) => `    at r${depth} (https://shop.example/assets/vendor-a1b2c3d4.js:1:${90 * depth + 5})`,
).join('\n')

const filled = new WeakSet<object>()

/** Once for each context of the pictures' browser; the events are the same people's, so a second time changes nothing. */
export async function fillErrors(page: Page): Promise<void> {
  if (filled.has(page.context())) return
  filled.add(page.context())
  const { origin } = new URL(page.url())
  const home = `${origin}/api/v1/projects/${project.key}`
  const issues = `${home}/environments/production/issues`
  const isOpen = async () => (await page.request.get(issues)).status()
  await expect.poll(isOpen, { timeout: 30_000 }).toBe(200)
  const { items } = await (await page.request.get(issues)).json()
  if (items.length > 0) return

  const { items: keys } = await (await page.request.get(`${home}/environments/production/keys`)).json()
  const key: string = keys.find(({ kind }: Line) => kind === 'client').value
  const checkout = await buildCheckout()
  const other = await page.context().newPage()
  const stack = `${await checkout.throwIn(other)}\n${packages}`
  await other.close()
  await page.request.put(`${home}/source-maps?file=/assets/checkout.js&version=2.1.0`, {
    headers: { origin, 'content-type': 'application/octet-stream' },
    data: Buffer.from(checkout.map),
  })
  for (let visitor = 0; visitor < 60; visitor += 1) {
    await send(origin, toLines(visitOf(visitor, stack)), {
      key,
      headers: { 'user-agent': browsers[visitor % 2] ?? '' },
    })
  }
  const isSeen = async () => (await (await page.request.get(issues)).json()).items.length
  await expect.poll(isSeen, { timeout: 30_000 }).toBeGreaterThan(3)
}

function visitOf(visitor: number, stack: string): Line[] {
  const at = Date.now() - ((visitor * 23) % 60) * 0.35 * hour
  const isOnePage = visitor % 2 === 0
  const said = (type: string, message: string, of: string) =>
    event('error', { at, source: 'uncaught', handled: false, type, message, stack: of })
  return [
    context({
      session: newId(),
      anonymousId: newId(),
      userKey: visitor % 3 ? `cus_${10_000 + visitor}` : '',
      page: '/checkout',
      version: visitor % 4 ? '2.1.0' : '2.0.4',
      attributes: { plan: 'pro' },
      reads: [{ flag: 'checkout.one-page', variation: isOnePage ? 'on' : 'off' }],
    }),
    event('view', { at: at - 30_000 }),
    event('action', { at: at - 20_000, name: 'Pay now', target: 'button.pay' }),
    ...(isOnePage && visitor % 3 > 0 ? [said('TypeError', 'no card', stack)] : []),
    ...(visitor % 7 === 0
      ? [
          said(
            'RangeError',
            `Invalid ${'time value '.repeat(40)}`,
            'x\n    at Lt (https://shop.example/b.js:1:9)',
          ),
        ]
      : []),
    ...(visitor % 9 === 0 ? [said('', 'Script error.', '')] : []),
    ...(visitor % 11 === 0
      ? [said('SyntaxError', 'Unexpected end of JSON input', stack.replace('pay', 'read'))]
      : []),
  ]
}
