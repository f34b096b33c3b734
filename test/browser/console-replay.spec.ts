// A page that the built library recorded, played in the console: picture, lists, keys, address, notes; and sessions that
// cannot be played.

import { expect, type Page, test } from '@playwright/test'
import type { ReplyOf } from '@telltale/core/contract/call'
import type { getReplay } from '@telltale/core/contract/replays'
import { v7 as newId } from 'uuid'
import { context, event, send, toLines } from '../intake/visitor.ts'
import { expectAccessibleInThemes } from './accessibility.ts'
import { listenForComplaints, signIn } from './console.ts'
import {
  clientKey,
  type FlagServer,
  type Site,
  shopOwner,
  startFlagServer,
  startSite,
} from './flag-server.ts'
import { sendPieces, sendWalk, type Walked } from './recorded-sessions.ts'
import { current, row, shownText, slider, textIn, timeOf } from './replay-screen.ts'
import { chrome } from './seed-events.ts'

const environment = '/api/v1/projects/shop/environments/production'
const shop = `<!doctype html><html><head><title>Shop</title>
<script>document.write('<script src="' + location.hash.slice(1) + '/sdk/v1/telltale.js"></' + 'script>')</script>
<script>window.app = telltale.init({ key: '${clientKey}' })</script>
</head><body><h1>Bicycles that arrive</h1>
<label>Name <input id="name"></label>
<button id="add">Add to cart</button><button id="pay">Pay now</button>
<script>
  add.onclick = () => {
    const item = document.createElement('p')
    item.textContent = 'One bell in the cart'
    document.body.append(item)
    history.pushState({}, '', '/cart' + location.hash)
  }
  pay.onclick = () => { throw new TypeError('lines of nothing') }
</script></body></html>`

let server: FlagServer
let site: Site
let recorded: string
const unsampled = newId()
const expired = newId()
/** Two tabs, a part that never arrived, and a recorder that stopped. */
const pieced = newId()
/** The same way, one with what is rolled out and slowly. */
const [harmed, calm] = [newId(), newId()]

test.beforeAll(async ({ browser }) => {
  const sampling = { session: 100, replay: 100, profile: 0 }
  server = await startFlagServer({ telemetry: true, environment: { sampling, privacyLevel: 'mask-inputs' } })
  site = await startSite({ '/': shop })
  // The store opens while the server already takes what comes.
  await expect.poll(() => answersOf(`${environment}/events`), { timeout: 40_000 }).toBe(true)
  const page = await browser.newPage({ viewport: { width: 800, height: 400 } })
  recorded = await record(page)
  await page.close()
  for (const [session, hasReplay] of [
    [unsampled, false],
    [expired, true],
  ] as const) {
    const lines = [
      context({ session, hasReplay, page: '/cart', url: 'https://shop.example/cart' }),
      event('view', { name: 'load', at: Date.now() - 60_000 }),
      event('action', { name: 'Pay now', at: Date.now() - 30_000, frustration: ['rage'] }),
    ]
    const headers = { 'user-agent': chrome }
    expect((await send(server.url, toLines(lines), { key: clientKey, headers })).status).toBe(202)
    await expect.poll(() => answersOf(`${environment}/sessions/${session}`), { timeout: 30_000 }).toBe(true)
  }
  await Promise.all([
    arriveInPieces(),
    walk(harmed, { variation: 'one-page', startedAt: Date.now() - 180_000, seconds: [2, 9] }),
    walk(calm, { variation: 'classic', startedAt: Date.now() - 300_000, seconds: [1, 3] }),
  ])
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})
test.beforeEach(({ page }) => signIn(page, server, shopOwner))

const answersOf = (path: string) =>
  server.get(path).then(
    () => true,
    () => false,
  )

/** Looks, types, adds, fails and leaves; comes back with the session once all of it is stored. */
async function record(page: Page): Promise<string> {
  const segment = () => page.waitForResponse((answer) => answer.url().includes('/intake/v1/replay'))
  const first = segment()
  await page.goto(`${site.url}/#${server.url}`)
  await expect.poll(() => page.evaluate(() => app.sessionId())).toBeTruthy()
  const session = await page.evaluate(() => app.sessionId() ?? '')
  await first
  await page.fill('#name', 'Ada Lovelace')
  await page.click('#add')
  await page.click('#pay')
  await segment()
  await page.goto('about:blank')
  const lengthOf = async () => (await replayOf(session)).tabs[0]?.segments.length ?? 0
  await expect.poll(() => lengthOf().catch(() => 0), { timeout: 30_000 }).toBeGreaterThanOrEqual(2)
  const errorsOf = async () => {
    const { items } = (await server.get(`${environment}/sessions/${session}/events?limit=200`)) as {
      items: { kind: string }[]
    }
    return items.some(({ kind }) => kind === 'error')
  }
  await expect.poll(() => errorsOf().catch(() => false), { timeout: 30_000 }).toBe(true)
  return session
}

const replayOf = async (session: string) =>
  (await server.get(`${environment}/sessions/${session}/replay`)) as ReplyOf<typeof getReplay>

async function arriveInPieces(): Promise<void> {
  await sendPieces(server.url, { session: pieced, at: Date.now() - 120_000 })
  const partsOf = async () => (await replayOf(pieced)).tabs.flatMap(({ segments }) => segments).length
  await expect.poll(() => partsOf().catch(() => 0), { timeout: 30_000 }).toBe(3)
}

async function walk(session: string, walked: Walked): Promise<void> {
  await sendWalk(server.url, session, walked)
  const path = `${environment}/sessions/${session}`
  const isThere = async () => (await answersOf(path)) && (await answersOf(`${path}/replay`))
  await expect.poll(isThere, { timeout: 30_000 }).toBe(true)
}

const open = (page: Page, session: string, rest = '') =>
  page.goto(`${server.url}/p/shop/sessions/${session}?env=production${rest}`)

test('a recording is played; lists, lanes and the URL follow', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await open(page, recorded)
  const player = page.getByRole('region', { name: 'Player' })
  await expect(player.getByText('input is masked on the device')).toBeVisible()
  await expect(player.getByText('800 × 400')).toBeVisible()
  await expect(page.getByText('Recorded because it is in the sample.')).toBeVisible()

  const before = await timeOf(page)
  await player.getByRole('button', { name: 'Play (space)' }).click()
  await expect.poll(() => timeOf(page)).toBeGreaterThan(before + 300)
  await player.getByRole('button', { name: 'Pause (space)' }).click()
  await expect(page).toHaveURL(/#t=\d/)

  await row(page, 'Add to cart').click()
  await expect(current(page)).toContainText('Add to cart')
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /Add to cart/)
  await page.locator('[data-moment]').first().click()
  await expect.poll(() => shownText(page)).toMatch(/^(?!.*One bell).*Bicycles that arrive/s)
  await row(page, 'TypeError').click()
  await expect.poll(() => shownText(page)).toContain('One bell in the cart')
  await expect(player.locator('code')).toContainText('/cart')
  await expect(page.getByRole('button', { name: /^Copy link at 0:\d\d$/ })).toBeVisible()
  await expectAccessibleInThemes(page)
  expect(complaints).toEqual([])
})

test('by keys alone: play, seek, speed, idle, trouble, tabs', async ({ page }) => {
  await open(page, recorded)
  const player = page.getByRole('region', { name: 'Player' })
  await expect(player.getByText('800 × 400')).toBeVisible()
  // Events are asked for by themselves: before they are here, there is no next issue.
  await expect(row(page, 'TypeError')).toBeVisible()
  await page.keyboard.press('n')
  // The click and what it threw are one instant apart, or none.
  await expect(current(page)).toContainText(/TypeError|Pay now/)
  const trouble = await timeOf(page)
  await expect(page).toHaveURL(new RegExp(`#t=${trouble / 1_000}`))
  await page.keyboard.press('ArrowLeft')
  expect(await timeOf(page)).toBe(Math.max(0, trouble - 5_000))
  await page.keyboard.press('ArrowRight')
  expect(await timeOf(page)).toBe(Math.max(5_000, trouble))
  await page.keyboard.press('8')
  await expect(player.getByRole('button', { name: '8×' })).toHaveAttribute('aria-pressed', 'true')
  await expect(player.getByRole('switch', { name: 'Skip idle' })).toBeChecked()
  await page.keyboard.press('i')
  await expect(player.getByRole('switch', { name: 'Skip idle' })).not.toBeChecked()
  await page.keyboard.press('1')
  await slider(page).focus()
  await page.keyboard.press('Home')
  await expect.poll(() => timeOf(page)).toBe(0)
  await page.keyboard.press('Space')
  await expect(player.getByRole('button', { name: 'Pause (space)' })).toBeVisible()
  await page.keyboard.press('Space')
  await expect(player.getByRole('button', { name: 'Play (space)' })).toBeVisible()

  await page.keyboard.press(']')
  await expect(page.getByRole('tab', { name: 'Console 1' })).toHaveAttribute('aria-selected', 'true')
  await slider(page).focus()
  await page.keyboard.press('End')
  await expect(current(page)).toContainText('lines of nothing')
  await page.keyboard.press(']')
  await expect(page.getByRole('tab', { name: /^Network/ })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog').getByText('Play or pause')).toBeVisible()
})

test('a link opens paused at its moment; a note and a reason to keep survive a reload', async ({ page }) => {
  await open(page, recorded, '&tab=notes#t=2.5')
  await expect(slider(page)).toHaveValue('2500')
  await expect(page.getByRole('button', { name: 'Play (space)' })).toBeVisible()
  await page.getByLabel('Note at 0:03').fill('Here she gives up')
  await page.getByRole('button', { name: 'Add note' }).click()
  const notes = page.getByRole('list', { name: 'Notes, oldest first' })
  await expect(notes.getByText('Here she gives up')).toBeVisible()
  await page.getByRole('button', { name: 'Keep…' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('To be shown to the team')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/Kept by Ada since .*: To be shown to the team/)).toBeVisible()

  await page.reload()
  await expect(slider(page)).toHaveValue('2500')
  await expect(page.getByText(/Kept by Ada since .*: To be shown to the team/)).toBeVisible()
  await slider(page).focus()
  await page.keyboard.press('End')
  await notes.getByText('Here she gives up').click()
  await expect.poll(() => timeOf(page)).toBe(2_500)
  await expectAccessibleInThemes(page)

  await notes.getByRole('button', { name: 'Delete note' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete note' }).click()
  await expect(notes.getByText('Here she gives up')).toHaveCount(0)
  await page.getByRole('button', { name: 'Release…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Release replay' }).click()
  await expect(page.getByRole('button', { name: 'Keep…' })).toBeVisible()
})

test('sessions without a replay give the reason, and show their events', async ({ page }) => {
  await open(page, unsampled)
  await expect(page.getByText('Recording not sampled: 2 events only')).toBeVisible()
  await expect(page.getByText('100% of sessions in production are recorded')).toBeVisible()
  // Events load beside the player: a key that comes before them has nowhere to go.
  await expect(row(page, 'Pay now')).toBeVisible()
  await page.keyboard.press('n')
  await expect(current(page)).toContainText('Pay now')
  await expectAccessibleInThemes(page)
  await page.getByRole('link', { name: 'Settings of production' }).click()
  await expect(page).toHaveURL(/settings\/environments\/production/)

  await open(page, expired)
  await expect(page.getByText('Recording deleted: 2 events only')).toBeVisible()

  const replays = `**/sessions/${recorded}/replay`
  const refuse = (status: number, problem: object) =>
    page.route(replays, (route) =>
      route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    )
  await refuse(403, { type: '/errors/forbidden', title: 'Not allowed', permission: 'replays.view' })
  await open(page, recorded)
  await expect(page.getByText('replays.view')).toBeVisible()
  await expect(row(page, 'Add to cart')).toBeVisible()
  await page.unrouteAll()
  await refuse(422, { type: '/errors/invalid-request', title: 'The request is not valid' })
  await page.reload()
  await expect(page.getByRole('alert').getByText('The request is not valid')).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('region', { name: 'Player' })).toBeVisible()
})

test('gaps, tabs and notes of the recorder are shown', async ({ page }) => {
  await open(page, pieced, '&tab=notes#t=2')
  const player = page.getByRole('region', { name: 'Player' })
  await expect.poll(() => shownText(page)).toContain('The first tab')
  await expect(player.getByText('masked on the device, never sent')).toBeVisible()
  await expect(page.getByText('Recorded because an error happened.')).toBeVisible()
  const notes = page.getByRole('list', { name: 'Notes, oldest first' })
  await expect(notes.getByRole('button')).toHaveText(/^0:04The recorder stopped: it used too much CPU time/)
  const tabs = player.getByLabel('Tab of the browser')
  await expect(tabs).toHaveText(/Tab in use \(1 of 2\)/)

  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(player.getByText('Not recorded: 1\u00a0part never arrived')).toBeVisible()
  await slider(page).focus()
  await page.keyboard.press('End')
  await expect.poll(() => shownText(page)).toContain('The second tab')
  await expect(tabs).toHaveText(/Tab in use \(2 of 2\)/)
  await tabs.selectOption('Tab 1')
  await expect(
    player.getByText('No recording of this tab at this time: recorded from 0:00 to 0:25'),
  ).toBeVisible()
  await slider(page).focus()
  await page.keyboard.press('Home')
  await expect.poll(() => shownText(page)).toContain('The first tab')
  await expectAccessibleInThemes(page)
})

test('from a filtered list to its next session, with its place', async ({ page }) => {
  await page.goto(`${server.url}/p/shop/sessions?t=1h&q=replay%3Atrue`)
  await page
    .getByRole('table', { name: 'Sessions' })
    .getByRole('row')
    .nth(1)
    .getByRole('link')
    .first()
    .click()
  await expect(page.getByText('1 of 4')).toBeVisible()
  await page.keyboard.press('Shift+J')
  await expect(page.getByText('2 of 4')).toBeVisible()
  await page.goto(`${server.url}/p/shop/sessions/${unsampled}?env=production&t=1h&q=replay%3Afalse`)
  await expect(page.getByText('1 of 1')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next session' })).toBeDisabled()
})

test('a session is shown beside a similar one: both go from shared step to shared step, each at its own time', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await page.goto(
    `${server.url}/p/shop/sessions/${harmed}/similar?env=production&flag=checkout&control=classic`,
  )
  await expect(page.getByText('Closest recorded session')).toBeVisible()
  await expect(page.getByText(/100% of the path in common, same device, browser/)).toBeVisible()
  const [own, similar] = [
    page.getByRole('region', { name: 'Session', exact: true }),
    page.getByRole('region', { name: 'Similar session' }),
  ]
  await expect(own).toContainText('checkout=one-page')
  await expect(similar).toContainText('checkout=classic')
  await expect(page.getByText('Step 0 of 3')).toBeVisible()

  await page.keyboard.press('n')
  await page.keyboard.press('n')
  await page.keyboard.press('n')
  await expect(page.getByText('Step 3 of 3')).toBeVisible()
  await expect(own).toContainText('0:09 /')
  await expect(similar).toContainText('0:03 /')
  const shown = () => Promise.all([own, similar].map((side) => textIn(side)))
  await expect
    .poll(shown)
    .toEqual([
      expect.stringContaining('The cart of one-page'),
      expect.stringContaining('The cart of classic'),
    ])
  await page.keyboard.press('Shift+N')
  await expect(own).toContainText('0:02 /')
  await expect(similar).toContainText('0:01 /')
  await expect(page.getByRole('button', { name: /^click Add to cart/ })).toHaveAttribute(
    'aria-current',
    'step',
  )
  await page.keyboard.press('Space')
  await expect(page.getByText('Step 3 of 3')).toBeVisible({ timeout: 30_000 })
  await page.keyboard.press('Space')

  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessibleInThemes(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(complaints).toEqual([])
})

test('without a similar session it gives the reason, and without a flag it lists the flags', async ({
  page,
}) => {
  const similar = `${server.url}/p/shop/sessions/${harmed}/similar?env=production`
  await page.goto(`${similar}&flag=checkout&control=hybrid`)
  await expect(page.getByRole('heading', { name: 'No similar session' })).toBeVisible()
  await expect(page.getByText(/No user with hybrid of checkout was recorded/)).toBeVisible()
  await page.goto(similar)
  await expect(page.getByRole('heading', { name: 'Choose a variation' })).toBeVisible()
})
