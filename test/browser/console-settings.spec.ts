import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, signIn, startConsole } from './console.ts'

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

const settings = () => `${server.url}/p/pedal-post/settings`

async function send(
  page: Page,
  { method = 'POST', path, data }: { method?: string; path: string; data: unknown },
) {
  const address = `${server.url}/api/v1${path}`
  const answer = await page.request.fetch(address, { method, headers: { origin: server.url }, data })
  expect(answer.ok()).toBe(true)
  return answer.json()
}

test('every screen of the settings is accessible in both themes, wide and narrow', async ({ page }) => {
  const complaints = listenForComplaints(page)
  const places = [
    { path: '/general', shows: page.getByRole('button', { name: 'Delete project…' }) },
    { path: '/environments', shows: page.getByRole('link', { name: 'Production' }) },
    { path: '/environments/production', shows: page.getByText('telltale.init(') },
    { path: '/members', shows: page.getByText('No invitations yet.') },
    { path: '/roles', shows: page.getByRole('rowheader', { name: 'privacy.manage' }) },
    { path: '/tokens', shows: page.getByText('No tokens for this project') },
    { path: '/audit', shows: page.getByRole('button', { name: 'pedal-post', exact: true }) },
  ]
  for (const { path, shows } of places) {
    await page.goto(settings() + path)
    await expect(shows).toBeVisible()
    await expectAccessibleInThemes(page)
  }
  expect(complaints).toEqual([])
})

test('an environment is created, moved, changed and deleted by keyboard', async ({ page }) => {
  await page.goto(`${settings()}/environments`)
  await expect(page.getByRole('link', { name: 'Production' })).toBeVisible()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New environment' })
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type('Rehearsal')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/settings\/environments\/rehearsal/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rehearsal')

  await page.getByLabel('Allowed origins').fill('shop.example')
  await page.keyboard.press('Tab')
  await page.getByLabel('Record replays').press('Enter')
  await expect(page.getByLabel('Allowed origins')).toHaveAccessibleDescription(
    /shop\.example is not an origin/,
  )
  await page.getByLabel('Allowed origins').fill('https://shop.example')
  await page.getByLabel('Record sessions').fill('30')

  // Leaving asks first, and staying keeps what was typed.
  await page.getByRole('link', { name: 'Members', exact: true }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Leave this screen without saving' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByLabel('Record sessions').press('Enter')
  await expect(page.getByText('Settings of Rehearsal saved.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Allowed origins')).toHaveValue('https://shop.example')
  await expect(page.getByLabel('Record sessions')).toHaveValue('30')

  await page.getByRole('link', { name: 'Environments and keys' }).last().press('Enter')
  await page.getByRole('button', { name: 'Move Rehearsal up' }).press('Enter')
  await expect(page.getByRole('listitem').nth(2)).toContainText('Rehearsal')

  await page.getByRole('link', { name: 'Rehearsal' }).press('Enter')
  await page.getByRole('button', { name: 'Delete environment…' }).press('Enter')
  const confirmation = page.getByRole('dialog', { name: 'Delete Rehearsal' })
  await expect(confirmation.getByRole('button', { name: 'Delete environment' })).toBeDisabled()
  await confirmation.getByLabel('Type rehearsal to confirm').fill('rehearsal')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/settings\/environments(\?|$)/)
  await expect(page.getByRole('link', { name: 'Rehearsal' })).toBeHidden()
})

test('the A/A test is turned on, has no results yet, and is restarted', async ({ page }) => {
  await page.goto(`${settings()}/environments/staging`)
  const panel = page.getByRole('region', { name: 'False alarms on this site' })
  await expect(page.getByRole('switch', { name: 'A/A test' })).toBeVisible()
  await expect(panel).toBeHidden()
  await page.getByRole('switch', { name: 'A/A test' }).press('Space')
  await page.getByRole('button', { name: 'Save settings' }).press('Enter')
  await expect(panel.getByText('No results yet')).toBeVisible()
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Restart…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Restart the A/A test of Staging' })
  await dialog.getByRole('button', { name: 'Restart', exact: true }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(panel.getByText('No results yet')).toBeVisible()
})

test("the second of two members sees the first one's changes, and keeps both", async ({ page }) => {
  await page.goto(`${settings()}/environments/staging`)
  await page.getByLabel('Record replays').fill('14')
  await send(page, {
    method: 'PATCH',
    path: '/projects/pedal-post/environments/staging',
    data: { timeZone: 'Europe/Berlin' },
  })
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByRole('alert')).toContainText('Someone else saved first')
  await expect(page.getByRole('region', { name: 'What someone else changed' })).toContainText('Europe/Berlin')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save mine too' }).click()
  await expect(page.getByText('Settings of Staging saved.')).toBeVisible()
  await expect(page.getByLabel('Record replays')).toHaveValue('14')
  await expect(page.getByLabel('Time zone')).toHaveValue('Europe/Berlin')
})

test('a server key is shown once, rotated with an overlap, and revoked', async ({ page, request }) => {
  await page.goto(`${settings()}/environments/production`)
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Label (optional)').fill('Back end')
  await page.getByRole('button', { name: 'Create key' }).dblclick()
  const shown = page.getByRole('dialog', { name: 'The new server key' })
  const first = await shown.getByRole('code').textContent()
  await expectAccessible(page)
  await page.mouse.click(5, 400)
  await shown.getByRole('button', { name: 'Done' }).click()
  const keys = page.getByRole('table', { name: 'SDK keys' })
  await expect(keys.getByRole('row', { name: /Back end/ })).toHaveCount(1)
  await expect(keys).not.toContainText(first ?? 'nothing was shown')

  await page.getByRole('button', { name: 'Actions of Back end' }).click()
  await page.getByRole('menuitem', { name: 'Rotate…' }).click()
  await page.getByRole('button', { name: 'Rotate key' }).click()
  const second = await shown.getByRole('code').textContent()
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(keys.getByRole('row', { name: /Back end.*Expires in/ })).toBeVisible()
  const ask = async (key: string | null) =>
    (
      await request.get(`${server.url}/sdk/v1/ruleset`, { headers: { authorization: `Bearer ${key}` } })
    ).status()
  expect([await ask(first), await ask(second)]).toEqual([200, 200])

  await keys
    .getByRole('row', { name: /Back end.*Expires in/ })
    .getByRole('button', { name: /^Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Revoke…' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(keys.getByRole('row', { name: /Back end/ })).toHaveCount(1)
  await expect.poll(() => ask(first)).toBe(401)
  await page.getByRole('switch', { name: 'Show revoked' }).click()
  await expect(page).toHaveURL(/revoked=true/)
  await expect(keys.getByRole('row', { name: /Back end.*Revoked/ })).toBeVisible()
})

test('a rotated key shows its expiry, and then that it has expired', async ({ page, request }) => {
  const path = '/projects/pedal-post/environments/staging/keys'
  const rotate = async (label: string, span: number) => {
    const { key, value } = await send(page, { path, data: { kind: 'server', label } })
    const revokeAt = new Date(Date.now() + span).toISOString()
    await send(page, { path: `${path}/${key.id}/rotate`, data: { revokeAt } })
    return value
  }
  const short = await rotate('Nearly over', 5_000)
  await rotate('Over in an hour', 3_600_000)
  await expect
    .poll(async () => {
      const headers = { authorization: `Bearer ${short}` }
      return (await request.get(`${server.url}/sdk/v1/ruleset`, { headers })).status()
    })
    .toBe(401)

  await page.clock.install()
  await page.goto(`${settings()}/environments/staging?revoked=true`)
  const rows = page.getByRole('table', { name: 'SDK keys' }).getByRole('row')
  await expect(rows.filter({ hasText: /Nearly over.*Revoked/ })).toHaveCount(1)
  await expect(rows.filter({ hasText: /Nearly over.*Active/ })).toHaveCount(1)
  const ending = rows.filter({ hasText: /Over in an hour.*Expires in\s(60|59)\smin/ })
  await expect(ending).toHaveCount(1)

  // The page comes to know by its own clock.
  await page.clock.fastForward('01:00:10')
  await expect(rows.filter({ hasText: /Over in an hour.*Revoked/ })).toHaveCount(1)
  await expect(rows.filter({ hasText: 'Expires' })).toHaveCount(0)
  await page.getByRole('switch', { name: 'Show revoked' }).click()
  await expect(rows.filter({ hasText: 'Over in an hour' })).toHaveCount(1)
})

test('an invitation without mail is a link to copy; its role can be changed and undone', async ({
  page,
  browser,
}) => {
  await page.goto(`${settings()}/members`)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const invitation = page.getByRole('dialog')
  await invitation.getByLabel('E-mail', { exact: true }).fill('ines@pedalandpost.example')
  await invitation.getByLabel('Role', { exact: true }).selectOption('viewer')
  await page.keyboard.press('Control+Enter')
  const link = page.getByRole('dialog', { name: 'The invitation of ines@pedalandpost.example' })
  await expect(link).toContainText('Not e-mailed')
  await link.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Actions of ines@pedalandpost.example' }).click()
  await page.getByRole('menuitem', { name: 'New link' }).click()
  const url = (await link.getByRole('code').textContent()) ?? ''
  await link.getByRole('button', { name: 'Done' }).click()

  const context = await browser.newContext()
  const guest = await context.newPage()
  await guest.goto(url)
  await guest.getByLabel('Your name').fill('Ines Weber')
  await guest.getByLabel('Password').fill('nine quiet otters swim north')
  await guest.getByRole('button', { name: 'Join Pedal & Post' }).click()
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Overview')

  // What a viewer may not do is off, and the reason stands there.
  await guest.goto(`${settings()}/environments/production`)
  await expect(guest.getByText('This needs the role admin; yours is viewer.')).toBeVisible()
  await expect(guest.getByRole('button', { name: 'New key' })).toBeDisabled()
  await expect(guest.getByLabel('Allowed origins')).toBeDisabled()
  await expectAccessible(guest)
  await guest.goto(`${settings()}/audit`)
  await expect(guest.getByText("You don't have access")).toBeVisible()
  await guest.goto(`${server.url}/admin/users`)
  await expect(guest.getByText('managed by its owners')).toBeVisible()
  await context.close()

  await page.reload()
  const role = page.getByLabel('Role of Ines Weber')
  await role.selectOption('editor')
  await expect(page.getByText('Ines Weber is editor now.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(role).toHaveValue('viewer')
  await page.getByRole('button', { name: 'Remove Ines Weber…' }).click()
  await page.getByRole('button', { name: 'Remove member' }).click()
  await expect(page.getByText('Only owners so far')).toBeVisible()
})

test('the audit log is filtered by URL, and shows changes', async ({ page }) => {
  await send(page, {
    method: 'PATCH',
    path: '/projects/pedal-post/environments/development',
    data: { protected: true },
  })
  await page.goto(`${settings()}/audit?entity=environment&from=2020-01-01`)
  await page.getByRole('button', { name: 'development', exact: true }).first().press('Enter')
  const detail = page.getByRole('complementary')
  await expect(detail).toContainText('environment.update')
  await expect(detail.getByRole('region', { name: 'Change of /protected' })).toContainText('true')
  await expect(detail.getByText('Request')).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(detail).toContainText('/protected')

  await detail.getByRole('button', { name: 'All changes of this environment' }).click()
  await expect(page).toHaveURL(/id=/)
  await expect(page.getByRole('row', { name: /production/ })).toBeHidden()
  await page.goto(`${settings()}/audit`)
  await page.getByRole('searchbox', { name: 'Search' }).fill('devel environment.upd')
  await expect(page).toHaveURL(/q=devel/)
  await expect(page.getByRole('row', { name: /production/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download as JSON lines' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  const exported = file.trimEnd().split('\n')
  expect(exported.map((line) => JSON.parse(line).action)).toContain('environment.update')
  expect(file).not.toContain('project.create')

  await page.goto(`${settings()}/audit?to=2020-01-01`)
  await expect(page.getByText('No matches')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await expect(page.getByRole('row', { name: /project\.create/ })).toBeVisible()
})

test('the first steps wait for an evaluation, and name its flag', async ({ page, request }) => {
  await page.goto(`${server.url}/p/pedal-post?env=development`)
  await expect(page.getByText('Waiting for the first evaluation or event.')).toBeVisible()
  await page.getByText('No data yet? Checklist').press('Enter')
  await expect(page.getByText(/^script-src http/)).toBeVisible()
  await expectAccessibleInThemes(page)
  await send(page, {
    path: '/projects/pedal-post/flags',
    data: { key: 'headline', name: 'Headline', valueType: 'boolean', clientVisible: true },
  })
  const { items } = await (
    await page.request.get(`${server.url}/api/v1/projects/pedal-post/environments/development/keys`)
  ).json()
  const key = items.find((one: { value: string | null }) => one.value !== null).value
  await expect
    .poll(async () => {
      const answer = await request.post(`${server.url}/ofrep/v1/evaluate/flags/headline`, {
        headers: { authorization: `Bearer ${key}` },
        data: { context: { targetingKey: 'rider-1' } },
      })
      return answer.status()
    })
    .toBe(200)
  await expect(page.getByText('Receiving evaluations.')).toBeVisible({ timeout: 15_000 })
  await expect(page.getByRole('heading', { name: 'See data arrive (done)' })).toBeVisible()
})

test('an event completes the first steps too, and unreadable events are reported', async ({ page }) => {
  const used = {
    items: [{ kind: 'client', value: 'tt_used', revokedAt: null, lastUsedAt: new Date().toISOString() }],
  }
  await page.route('**/environments/staging/keys', (route) => route.fulfill({ json: used }))
  let isAway = true
  await page.route('**/environments/staging/events?*', (route) => {
    const event = { kind: 'view', page: '/cart/:id', receivedAt: new Date().toISOString() }
    return isAway ? route.fulfill({ status: 503 }) : route.fulfill({ json: { items: [event], next: null } })
  })
  await page.goto(`${server.url}/p/pedal-post?env=staging`)
  await expect(page.getByText('The telemetry store does not respond')).toBeVisible()
  isAway = false
  await expect(page.getByText('Receiving events.')).toBeVisible({ timeout: 15_000 })
  await expect(page.getByText('/cart/:id')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'See data arrive (done)' })).toBeVisible()
  await expectAccessibleInThemes(page)
})
