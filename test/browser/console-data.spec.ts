import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, signIn, startConsole } from './console.ts'
import { becomeMember } from './console-member.ts'

let server: BuiltServer

test.beforeAll(async () => {
  server = await startConsole()
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

const address = () => `${server.url}/p/pedal-post/settings/data`

/** What a store would say that took telemetry for a while. */
async function pretend(page: Page): Promise<void> {
  const hour = new Date().toISOString()
  const of = (kind: string, reason: string, count: number) => ({
    hour,
    kind,
    source: 'telltale',
    reason,
    count,
  })
  await page.route('**/intake/outcomes?*', (route) =>
    route.fulfill({
      json: {
        from: hour,
        to: hour,
        quarantined: 12,
        outcomes: [
          of('view', 'accepted', 120_000),
          of('batch', 'repeated', 4),
          of('custom', 'invalid', 240),
          of('view', 'timestamp_out_of_range', 12),
        ],
      },
    }),
  )
  const waiting = [
    {
      id: '0123456789abcdef',
      table: 'events',
      code: 6,
      reason: `Cannot parse string '${'long '.repeat(40)}' as Float32`,
      count: 12,
      since: hour,
      sample: { kind: 'custom', name: 'x'.repeat(200), user_key: 'mara' },
    },
  ]
  await page.route('**/intake/quarantine', (route) =>
    route.fulfill({ json: { items: waiting, complete: true } }),
  )
  await page.route('**/intake/quarantine/discard', (route) => {
    waiting.length = 0
    return route.fulfill({ json: { discarded: 12 } })
  })
  await page.route('**/intake/quarantine/retry', (route) => route.fulfill({ json: { stored: 3, left: 9 } }))
}

test('dropped and waiting data is shown with reasons, retried and discarded', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await pretend(page)
  await pretendStorage(page)
  await page.goto(address())
  const dropped = page.getByRole('region', { name: 'Dropped events' })
  await expect(dropped.getByRole('row')).toHaveText([/Reason/, /Invalid.*custom 240.*240/, /Wrong time/])
  await expect(dropped.getByText('120,000 events stored')).toBeVisible()
  await expectAccessibleInThemes(page)

  const quarantine = page.getByRole('region', { name: 'Quarantine' })
  await quarantine.getByText('Examples').click()
  await expect(quarantine.getByText('mara', { exact: true })).toBeVisible()
  await quarantine.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('3 rows stored, 9 rejected again.')).toBeVisible()
  await quarantine.getByRole('button', { name: 'Discard…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Discard 12 rows of events' })
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(quarantine.getByText('Quarantine is empty')).toBeVisible()
  expect(complaints).toEqual([])
})

test('rules are saved, an invalid one is reported at its field, and a narrow screen fits it all', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(address())
  await expect(page.getByText('Only the privacy level allow keeps query values.')).toBeVisible()
  const expressions = page.getByLabel('Expressions', { exact: true })
  await expressions.fill('cust-[0-9]+\nbroken(')
  await page.getByRole('button', { name: 'Save rules' }).click()
  await expect(page.getByText(/^broken\(: Invalid expression/)).toBeVisible()
  await expressions.fill('cust-[0-9]+')
  await page.getByLabel('Parameters', { exact: true }).fill('voucher')
  await page.getByRole('button', { name: 'Save rules' }).click()
  await expect(page.getByText('Rules saved.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Parameters', { exact: true })).toHaveValue('voucher')
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
})

/** Of a store that has kept for a while, with too much on its disk. */
async function pretendStorage(page: Page): Promise<void> {
  const { items } = await page.request
    .get(`${server.url}/api/v1/projects/pedal-post/environments`)
    .then((answer) => answer.json())
  const kinds = [
    { kind: 'events', rows: 9_400_000, bytes: 420_000_000, firstDay: '2026-08-23' },
    { kind: 'replays', rows: 41_000, bytes: 2_300_000_000, firstDay: '2026-10-22' },
    { kind: 'profiles', rows: 0, bytes: 0, firstDay: null },
    { kind: 'exposures', rows: 800_000, bytes: 31_000_000, firstDay: '2026-01-04' },
  ]
  const environments = items.map(({ id, key }: { id: string; key: string }) => ({
    id,
    key,
    bytes: 2_751_000_000,
    kinds,
  }))
  let budgetBytes: number | null = 2_000_000_000
  await page.route('**/projects/pedal-post/storage', (route) =>
    route.fulfill({
      json: {
        budgetBytes,
        usedBytes: 8_253_000_000,
        overBudget: budgetBytes !== null,
        keptBytes: 12_000_000,
        environments,
        disk: { freeBytes: 4_000_000_000, totalBytes: 100_000_000_000, nearlyFull: true },
        measuredAt: new Date().toISOString(),
      },
    }),
  )
  await page.route('**/storage/budget', async (route) => {
    budgetBytes = route.request().postDataJSON().bytes
    await route.continue()
  })
}

/** What would go, and what the last nights removed. */
async function pretendNights(page: Page): Promise<void> {
  const going = (kind: string, days: number, rows: number) => ({
    kind,
    days,
    rows,
    sessions: Math.round(rows / 12),
    bytes: rows * 48,
    from: '2026-11-14T00:00:00Z',
    firstDay: '2026-11-14',
  })
  await page.route('**/retention/preview?*', (route) => {
    const days = Number(new URL(route.request().url()).searchParams.get('events'))
    const kinds = [
      going('events', days, 1_204_881),
      going('replays', 30, 0),
      going('profiles', 30, 0),
      going('exposures', 400, 0),
    ]
    return route.fulfill({ json: { kinds } })
  })
  const night = (day: string, state: string, rows: number) => ({
    night: day,
    state,
    reason: state === 'failed' ? 'Memory limit exceeded' : null,
    startedAt: `${day}T02:03:00Z`,
    endedAt: `${day}T02:03:14Z`,
    removed: rows === 0 ? [] : [{ kind: 'events', reason: 'days', rows, bytes: rows * 48 }],
  })
  await page.route('**/retention', (route) =>
    route.fulfill({
      json: {
        next: new Date(Date.now() + 9 * 3_600_000).toISOString(),
        nights: [
          night('2026-11-21', 'done', 12_400),
          night('2026-11-20', 'failed', 300),
          night('2026-11-19', 'done', 0),
        ],
      },
    }),
  )
}

test('shorter retention is saved after a preview, by keyboard; longer retention immediately', async ({
  page,
}) => {
  await pretendNights(page)
  await page.goto(address())
  const nights = page.getByRole('list', { name: 'Nights' })
  await expect(nights.getByRole('listitem')).toHaveText([
    /21 Nov 2026.*Events 12.4k.rows.*Done in 14/,
    /A part failed: Memory limit exceeded/,
    /Nothing/,
  ])
  const events = page.getByLabel('Keep events')
  await events.fill('4000')
  await events.press('Enter')
  await expect(events).toHaveAccessibleDescription('Enter a whole number from 1 to 400.')
  await expect(events).toBeFocused()

  await events.fill('7')
  await events.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Reduce retention of Production' })
  await expect(
    dialog.getByRole('row', { name: /Events Kept from 14 Nov 2026 90 → 7 1,204,881 100,407/ }),
  ).toBeVisible()
  await expectAccessibleInThemes(page)
  await page.keyboard.press('Escape')
  await expect(events).toHaveValue('7')
  await events.press('Enter')
  await dialog.getByRole('button', { name: 'Save retention' }).press('Enter')
  await expect(page.getByText('Retention saved.')).toBeVisible()
  await expect(dialog).toBeHidden()

  await events.fill('60')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Unsaved changes')).toBeHidden()
  await page.reload()
  await expect(events).toHaveValue('60')
})

test('disk usage is shown by kind, with a warning, and a budget is set', async ({ page }) => {
  await pretendStorage(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(address())
  const disk = page.getByRole('region', { name: 'Disk' })
  await expect(disk.getByText('The disk is nearly full: 4 GB of 100 GB are free')).toBeVisible()
  await expect(disk.getByText('Over budget by 6.25 GB')).toBeVisible()
  await expect(disk.getByRole('img', { name: 'Replays: 2.3 GB' })).toBeVisible()
  await expectAccessibleInThemes(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await disk.getByRole('button', { name: 'Change the budget…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Budget of the project' })
  await dialog.getByLabel('Budget in GB').fill('0.01')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Budget in GB')).toHaveAccessibleDescription(/Enter a number from 0\.10/)
  await dialog.getByLabel('Budget in GB').fill('5')
  await expect(dialog.getByText('The next nightly cleanup deletes about 3.25 GB')).toBeVisible()
  await dialog.getByLabel('Budget in GB').fill('')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Budget saved.')).toBeVisible()
  await expect(disk.getByRole('button', { name: 'Set a budget…' })).toBeVisible()
})

test("a user's data is exported as a file whose name does not identify the user", async ({ page }) => {
  const requested: string[] = []
  await page.route('**/people/*', (route) => {
    const url = new URL(route.request().url())
    requested.push(decodeURIComponent(url.pathname.split('/').at(-1) ?? ''))
    const isFirst = url.searchParams.get('cursor') === null
    const identity = {
      targetingKey: 'ada/1',
      traits: { plan: 'pro' },
      firstSeenAt: '2026-11-01T00:00:00Z',
      lastSeenAt: '2026-11-02T00:00:00Z',
    }
    const row = { session_id: isFirst ? 'one' : 'two' }
    return route.fulfill({
      json: {
        identities: [identity],
        overrides: [],
        items: [{ table: 'events', row }],
        next: isFirst ? '0.0.1' : null,
      },
    })
  })
  await page.goto(address())
  await page.getByLabel('Targeting key', { exact: true }).fill('ada/1')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).press('Enter')
  const download = await downloading
  expect(download.suggestedFilename()).toBe('person-production.ndjson')
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
  expect(lines.map((line) => Object.keys(JSON.parse(line))[0])).toEqual(['identity', 'table', 'table'])
  expect(requested).toEqual(['ada/1', 'ada/1'])
  await expect(page.getByText(/3.lines exported\./)).toBeVisible()
})

test('a receipt shows the later checks, and what remains until when', async ({ page }) => {
  const at = new Date().toISOString()
  const receipt = {
    id: '01a1fec8-cc98-72e6-a27d-9ef793bc9952',
    person: 'sha256 0123456789ab…',
    state: 'erased',
    requestedBy: 'Mara Oduya',
    requestedAt: at,
    erasedAt: at,
    blockedUntil: at,
    checkedAt: at,
    tables: [{ table: 'events', rows: 812 }],
  }
  const remains = [
    { place: 'telemetry-files', until: null, names: [] },
    { place: 'spool', until: null, names: [] },
    { place: 'erasure', until: at, names: [] },
    { place: 'backups', until: null, names: [at, at] },
    { place: 'configuration', until: null, names: ['flag checkout', 'segment friends'] },
  ]
  const second = {
    ...receipt,
    remains: [],
    id: '01a1fec8-cc98-72e6-a27d-9ef793bc9953',
    state: 'closed',
    offDiskAt: at,
  }
  await page.route('**/erasures', (route) =>
    route.fulfill({ json: { items: [{ ...receipt, remains, offDiskAt: null }, second], next: null } }),
  )
  await page.goto(address())
  await expect(page.getByRole('list', { name: 'Receipts' })).toBeVisible()
  await expect(page.getByText(/Checked again .*: nothing found/)).toHaveCount(2)
  await expect(page.getByText(/Removed from the telemetry store's files/)).toHaveCount(1)
  await expect(page.getByRole('list', { name: 'Remains' }).getByRole('listitem')).toHaveText([
    /^Replaced files of the telemetry store: removed within minutes$/,
    /^Spool: removed/,
    /^This receipt keeps the IDs to find late data until /,
    /^2 backups, the newest from .*: deleted as newer ones replace them$/,
    /flag checkout, segment friends$/,
  ])
  await expect(page.getByText('Nothing remains.')).toHaveCount(1)
})

test('while the store is unavailable the rest works, and an erasure has a receipt', async ({ page }) => {
  await page.goto(address())
  const dropped = page.getByRole('region', { name: 'Dropped events' })
  await expect(dropped.getByRole('button', { name: 'Try again' })).toBeVisible({ timeout: 15_000 })
  await page.getByLabel('Targeting key', { exact: true }).fill('ada')
  await page.getByRole('button', { name: 'Erase…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase ada' })
  await dialog.getByLabel('Type ada to confirm').fill('ada')
  await page.keyboard.press('Enter')
  const receipts = page.getByRole('list', { name: 'Receipts' })
  await expect(receipts.getByText('Waiting for the telemetry store')).toBeVisible()
  await expect(receipts).not.toContainText(/\bada\b/)
})

test('a viewer sees retention and usage, and changes nothing', async ({ page }) => {
  await pretendStorage(page)
  await becomeMember(page, server, 'viewer')
  await page.goto(address())
  await expect(page.getByText(/This needs the role admin; yours is viewer/)).toBeVisible()
  await expect(page.getByLabel('Keep events')).toBeDisabled()
  const disk = page.getByRole('region', { name: 'Disk' })
  await expect(disk.getByRole('img', { name: 'Replays: 2.3 GB' })).toBeVisible()
  await expect(disk.getByRole('button')).toHaveCount(0)
  await expect(page.getByText(/Only admins of the project can erase and export users/)).toBeVisible()
})
