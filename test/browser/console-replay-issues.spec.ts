// The keys that go from one issue of a session to the next, with a recording and without one.

import { expect, test } from '@playwright/test'
import { v7 as newId } from 'uuid'
import { context, event, send, toLines } from '../intake/visitor.ts'
import { signIn } from './console.ts'
import { clientKey, type FlagServer, shopOwner, startFlagServer } from './flag-server.ts'
import { sendPieces } from './recorded-sessions.ts'
import { current, row, slider } from './replay-screen.ts'
import { chrome } from './seed-events.ts'

const environment = '/api/v1/projects/shop/environments/production'
let server: FlagServer

test.beforeAll(async () => {
  const sampling = { session: 100, replay: 100, profile: 0 }
  server = await startFlagServer({ telemetry: true, environment: { sampling } })
  // The store opens while the server already accepts requests.
  await expect(() => server.get(`${environment}/events`)).toPass({ timeout: 40_000 })
})
test.afterAll(() => server?.[Symbol.asyncDispose]())
test.beforeEach(({ page }) => signIn(page, server, shopOwner))

test('issues of one millisecond are visited one by one, and the end of all changes is shown', async ({
  page,
}) => {
  const at = Date.now() - 180_000
  for (const isRecorded of [true, false]) {
    const session = newId()
    if (isRecorded) await sendPieces(server.url, { session, at })
    const cart = context({ session, hasReplay: isRecorded, page: '/cart', url: 'https://shop.example/cart' })
    const lines = [
      cart,
      event('view', { name: 'load', at }),
      event('action', { name: 'Pay now', at: at + 3_000, frustration: ['rage'] }),
      event('resource', {
        type: 'fetch',
        method: 'POST',
        url: 'https://shop.example/api/pay',
        at: at + 3_000,
        status: 503,
        failed: true,
        duration: 20,
      }),
      event('error', {
        source: 'uncaught',
        type: 'TypeError',
        message: 'no answer',
        handled: false,
        at: at + 3_000,
      }),
      event('action', { name: 'Read on', at: at + 100_000 }),
    ]
    const headers = { 'user-agent': chrome }
    const sent = await send(server.url, toLines(lines), { key: clientKey, headers })
    expect(sent.body).toMatchObject({ dropped: [] })
    const path = `${environment}/sessions/${session}`
    await expect(() => server.get(isRecorded ? `${path}/replay` : path)).toPass({ timeout: 30_000 })

    await page.goto(`${server.url}/p/shop/sessions/${session}?env=production`)
    await expect(row(page, 'Read on')).toBeVisible()
    if (isRecorded) await expect(slider(page)).toBeVisible()
    const visited: string[] = []
    for (const key of ['n', 'n', 'n', 'Shift+N', 'Shift+N']) {
      await page.keyboard.press(key)
      await expect(current(page)).not.toContainText(visited.at(-1) ?? 'nothing')
      const text = (await current(page).textContent()) ?? ''
      visited.push(/Pay now|pay 503|TypeError/.exec(text)?.[0] ?? text)
    }
    expect(new Set(visited)).toEqual(new Set(['Pay now', 'pay 503', 'TypeError']))
    expect(visited.slice(3)).toEqual([visited[1], visited[0]])
    if (!isRecorded) continue
    await row(page, 'Read on').click()
    await expect(page.getByText(/^No changes recorded after 0:\d\d$/)).toBeVisible()
    await expect(page.getByText('Not recorded any more')).toHaveCount(0)
  }
})
