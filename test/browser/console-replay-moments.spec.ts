// From whatever went wrong to the recording that shows it, at the moment: one recorded visit, and one that is not.

import { expect, type Page, test } from '@playwright/test'
import { v7 as newId } from 'uuid'
import { segment, sendAttachment } from '../intake/attachments.ts'
import { context, event, type Line, send, toLines } from '../intake/visitor.ts'
import { expectAccessible, expectAccessibleInThemes } from './accessibility.ts'
import { signIn } from './console.ts'
import { clientKey, type FlagServer, shopOwner, startFlagServer } from './flag-server.ts'
import { chrome } from './seed-events.ts'

const minute = 60_000
let server: FlagServer
const [recorded, other] = [newId(), newId()]
const began = Date.now() - 20 * minute

test.beforeAll(async () => {
  server = await startFlagServer({ telemetry: true, environment: { sampling: { replay: 100 } } })
  for (const [session, at] of [
    [recorded, began],
    [other, began + 5 * minute],
  ] as const) {
    const own = context({
      session,
      tab: session,
      userKey: session === recorded ? 'mara' : 'noa',
      anonymousId: session,
      page: '/cart',
      url: 'https://shop.example/cart',
    })
    // What says nothing of itself is a program, and left out.
    const headers = { 'user-agent': chrome }
    const { status } = await send(server.url, toLines([own, ...visitFrom(at)]), { key: clientKey, headers })
    expect(status).toBe(202)
  }
  for (const index of [0, 1]) {
    const startedAt = began + index * 45_000
    const body = segment({
      session: recorded,
      tab: recorded,
      index,
      startedAt,
      about: { endedAt: startedAt + 45_000 },
    })
    const sent = await sendAttachment(server.url, { kind: 'replay', body, key: clientKey })
    expect(sent.body).toMatchObject({ accepted: 1 })
  }
  // Refused while the engine starts.
  await expect(async () => {
    const { total } = await ask('replays/moments?of=error')
    expect(total).toBe(1)
    expect((await ask('sessions/facets?fields=browser')).sessions).toBe(2)
  }).toPass({ timeout: 30_000 })
})
test.afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})
test.beforeEach(({ page }) => signIn(page, server, shopOwner))

function visitFrom(at: number): Line[] {
  return [
    event('view', { at, name: 'load' }),
    event('vital', { at: at + 5_200, name: 'LCP', value: 5_200, target: 'main > img' }),
    event('action', { at: at + 31_000, name: 'Find address', frustration: ['rage'] }),
    event('error', {
      at: at + 42_500,
      source: 'uncaught',
      type: 'TypeError',
      handled: false,
      message: 'lines of nothing',
      stack: 'TypeError: lines of nothing\n    at find (a.js:3:1)',
    }),
    event('resource', {
      at: at + 60_000,
      type: 'fetch',
      method: 'GET',
      url: 'https://api.shop.example/address/17',
      status: 504,
      duration: 8_000,
      failed: true,
    }),
  ]
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape is what they test
const ask = async (path: string): Promise<any> =>
  server.get(`/api/v1/projects/shop/environments/production/${path}`)
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const watch = (page: Page, name: string) => panel(page, name).getByRole('link', { name: /^Watch/ })

test('the session list shows which sessions are recorded, filters by it, and opens the replay', async ({
  page,
}) => {
  await page.goto(`${server.url}/p/shop/sessions?t=6h`)
  const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row')
  await expect(rows).toHaveCount(3)
  await expect(rows.filter({ hasText: 'mara' })).toContainText('1:30')
  await expect(page.getByRole('link', { name: /Watch the replay/ })).toHaveCount(1)
  await expectAccessible(page)

  await page.goto(`${server.url}/p/shop/sessions?t=6h&q=replay-length%3A%3E60000`)
  await expect(rows).toHaveCount(2)
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  const peek = page.getByRole('complementary', { name: 'Session' })
  await expect(peek.getByRole('link', { name: 'Watch 1:30 of it' })).toHaveAttribute('href', /#t=0$/)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /Watch the replay/ }).click()
  await expect(page).toHaveURL(new RegExp(`${recorded}.*#t=0$`))
  await expect(page.getByRole('heading', { name: /^mara, / })).toBeFocused()
})

test('an error, a slow page, a click in anger and a failed request lead to their moment', async ({
  page,
}) => {
  const [issue] = (await ask('issues')).items
  await page.goto(`${server.url}/p/shop/errors/${issue.id}?t=6h`)
  await expect(watch(page, 'Replays')).toHaveText(/TypeError: lines of nothing.*mara.*1:30 recorded/)
  await expect(watch(page, 'Replays')).toHaveAttribute('href', new RegExp(`${recorded}.*#t=42.5$`))
  await expectAccessibleInThemes(page)

  await page.goto(`${server.url}/p/shop/pages/${encodeURIComponent('/cart')}?t=6h`)
  await expect(watch(page, 'Replays of slow visits')).toHaveAttribute('href', /#t=0$/)
  await expect(watch(page, 'Replays with frustration')).toHaveAttribute('href', /#t=31$/)

  const endpoint = encodeURIComponent('/address/:id')
  await page.goto(`${server.url}/p/shop/requests/${endpoint}?t=6h&method=GET&host=api.shop.example`)
  await watch(page, 'Replays').click()
  await expect(page).toHaveURL(/#t=60$/)
  await expect(page.locator('[data-moment][aria-current=true]')).toContainText('GET /address/:id 504')

  await page.goto(`${server.url}/p/shop/errors/${issue.id}?t=6h&q=user%3Anoa`)
  await expect(panel(page, 'Replays')).toContainText('No recordings with this error in this time range.')
})
