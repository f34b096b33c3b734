import { expect, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, owner, signIn, startConsole } from './console.ts'

let server: BuiltServer

test.beforeAll(async () => {
  // Its engines are on the screen of the installation.
  server = await startConsole({ ownEngines: true })
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

test('account and installation are accessible in both themes, wide and narrow', async ({ page }) => {
  const complaints = listenForComplaints(page)
  const places = [
    { path: '/account', shows: page.getByLabel('Current password') },
    { path: '/account/sessions', shows: page.getByText('This session') },
    { path: '/account/tokens', shows: page.getByText('No tokens yet') },
    { path: '/admin', shows: page.getByText('Running', { exact: true }) },
    { path: '/admin/users', shows: page.getByText(owner.email) },
    { path: '/admin/audit', shows: page.getByRole('button', { name: 'pedal-post', exact: true }) },
  ]
  for (const { path, shows } of places) {
    await page.goto(server.url + path)
    await expect(shows).toBeVisible()
    await expectAccessibleInThemes(page)
  }
  expect(complaints).toEqual([])
})

test('a new e-mail requires the password, and a wrong one is reported at its field', async ({ page }) => {
  await page.goto(`${server.url}/account`)
  await page.getByLabel('E-mail', { exact: true }).fill('mara@example.com')
  await page.getByLabel('Your password').fill('not this one at all')
  await page.getByRole('button', { name: 'Save profile' }).click()
  await expect(page.getByLabel('Your password')).toHaveAccessibleDescription('The password is wrong.')
  await expect(page.getByLabel('E-mail', { exact: true })).toHaveValue('mara@example.com')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByLabel('E-mail', { exact: true })).toHaveValue(owner.email)

  await page.getByLabel('Name', { exact: true }).fill('Mara O.')
  await page.getByLabel('Name', { exact: true }).press('Enter')
  await expect(page.getByText('Profile saved.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Account: Mara O.' })).toBeVisible()
})

test('the password is changed with the old one, and every other session ends', async ({
  page,
  playwright,
}) => {
  const elsewhere = await playwright.request.newContext()
  await elsewhere.post(`${server.url}/api/v1/sign-in`, {
    headers: { origin: server.url },
    data: { email: owner.email, password: owner.password },
  })
  await page.goto(`${server.url}/account`)
  await page.getByLabel('Current password').fill('not this one at all')
  await page.getByLabel('New password').fill('six loud crows fly south')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByLabel('Current password')).toHaveAccessibleDescription('The password is wrong.')
  await page.getByLabel('Current password').fill(owner.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Password changed. All other sessions have ended.')).toBeVisible()
  expect((await elsewhere.get(`${server.url}/api/v1/account`)).status()).toBe(401)
  await elsewhere.dispose()

  // Back to the one that the other tests sign in with.
  await page.request.put(`${server.url}/api/v1/account/password`, {
    headers: { origin: server.url },
    data: { current: 'six loud crows fly south', next: owner.password },
  })
})

test('a token is shown once, works, and is revoked', async ({ page, playwright }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${server.url}/account/tokens`)
  await expect(page.getByText('No tokens yet')).toBeVisible()
  await page.keyboard.press('c')
  await expect(page.getByRole('button', { name: 'Create token' })).toBeInViewport({ ratio: 1 })
  await page.getByLabel('Name', { exact: true }).fill('Deploy pipeline')
  await page.keyboard.press('Enter')
  const shown = page.getByRole('dialog', { name: 'The token Deploy pipeline' })
  const token = await shown.getByRole('code').textContent()
  await expectAccessible(page)
  await shown.getByRole('button', { name: 'Done' }).click()

  const script = await playwright.request.newContext()
  const ask = async () =>
    (
      await script.get(`${server.url}/api/v1/projects`, { headers: { authorization: `Bearer ${token}` } })
    ).status()
  expect(await ask()).toBe(200)
  await page.getByRole('button', { name: 'Revoke Deploy pipeline…' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByRole('row', { name: /Deploy pipeline.*Revoked/ })).toBeVisible()
  expect(await ask()).toBe(401)
  await script.dispose()
})

test('a device is approved by its code, with the chosen role', async ({ page, playwright }) => {
  const device = await playwright.request.newContext()
  const at = `${server.url}/api/v1/device-logins`
  const asked = await device.post(at, { data: { name: 'telltale on a laptop' } })
  const { deviceCode, userCode } = await asked.json()
  const redeem = async () => (await device.post(`${at}/token`, { data: { deviceCode } })).json()
  expect(await redeem()).toEqual({ state: 'waiting' })

  await page.goto(`${server.url}/account/device`)
  await page.getByLabel('Code').fill('bcdfghjk')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No device waits with the code BCDF-GHJK')).toBeVisible()
  await page.goto(`${server.url}/account/device?code=${userCode}`)
  await expect(page.getByRole('heading', { name: 'telltale on a laptop' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Role' }).selectOption('Viewer')
  await expectAccessibleInThemes(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('Device signed in')).toBeVisible()

  const { state, token } = await redeem()
  expect(state).toBe('approved')
  const headers = { authorization: `Bearer ${token}` }
  expect((await device.get(`${server.url}/api/v1/projects`, { headers })).status()).toBe(200)
  expect((await device.post(`${at}/token`, { data: { deviceCode } })).status()).toBe(410)
  await page.goto(`${server.url}/account/tokens`)
  await page.getByRole('button', { name: 'Revoke telltale on a laptop…' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByRole('row', { name: /telltale on a laptop.*Revoked/ })).toBeVisible()
  await device.dispose()
})

test('another session can be ended here', async ({ page, playwright }) => {
  const elsewhere = await playwright.request.newContext({ userAgent: 'curl/8.5.0' })
  await elsewhere.post(`${server.url}/api/v1/sign-in`, {
    headers: { origin: server.url },
    data: { email: owner.email, password: owner.password },
  })
  await page.goto(`${server.url}/account/sessions`)
  await page.getByRole('button', { name: 'End the session of curl/8.5.0' }).click()
  await expect(page.getByText('curl/8.5.0')).toBeHidden()
  expect((await elsewhere.get(`${server.url}/api/v1/account`)).status()).toBe(401)
  await elsewhere.dispose()
})

test('the chosen time zone applies to every screen', async ({ page }) => {
  await page.request.patch(`${server.url}/api/v1/projects/pedal-post/environments/production`, {
    headers: { origin: server.url },
    data: { timeZone: 'Asia/Kathmandu' },
  })
  await page.goto(`${server.url}/p/pedal-post/settings/audit`)
  await expect(page.getByText('Times in Asia/Kathmandu')).toBeVisible()
  await page.goto(`${server.url}/account`)
  await page.getByRole('radio', { name: 'UTC', exact: true }).click()
  await page.goto(`${server.url}/p/pedal-post/settings/audit`)
  await expect(page.getByText('Times in UTC')).toBeVisible()
})

test('owners find, disable and enable a user; the last owner cannot be disabled', async ({ page }) => {
  const invited = await page.request.post(`${server.url}/api/v1/projects/pedal-post/invitations`, {
    headers: { origin: server.url },
    data: { email: 'ines@pedalandpost.example', role: 'viewer' },
  })
  const token = new URL((await invited.json()).url).hash.slice(1)
  await fetch(`${server.url}/api/v1/invitation/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, name: 'Ines Weber', password: 'nine quiet otters swim north' }),
  })
  await page.goto(`${server.url}/admin/users?q=ines`)
  const ines = page.getByRole('row', { name: /Ines Weber/ })
  await expect(ines).toBeVisible()
  await expect(page.getByText(owner.email)).toBeHidden()
  for (const [item, verb, state] of [
    ['Disable…', 'Disable user', 'Disabled'],
    ['Enable…', 'Enable user', 'Active'],
  ] as const) {
    await page.getByRole('button', { name: 'Actions of Ines Weber' }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('button', { name: verb }).click()
    await expect(ines).toContainText(state)
  }
  await page.getByRole('button', { name: 'Actions of Ines Weber' }).click()
  await page.getByRole('menuitem', { name: 'Password link…' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  await expect(page.getByRole('dialog').getByRole('code')).toContainText('/password-reset')
  await page.getByRole('button', { name: 'Done' }).click()

  await page.goto(`${server.url}/admin/users?q=mara`)
  await page.getByRole('button', { name: /^Actions of Mara/ }).click()
  await page.getByRole('menuitem', { name: 'Make a member…' }).click()
  await page.getByRole('button', { name: 'Make member' }).click()
  await expect(page.getByRole('alert')).toContainText('The last owner cannot be removed')
})
