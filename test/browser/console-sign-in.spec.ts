import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { fillSignIn, listenForComplaints, owner, signIn, startConsole } from './console.ts'

let server: BuiltServer

test.beforeAll(async () => {
  server = await startConsole()
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

test('a wrong password is reported without naming the field, and the next attempt works', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await page.goto(server.url)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
  await expect(page).toHaveTitle('Sign in · Telltale')
  await expectAccessible(page)

  await fillSignIn(page, 'seven calm geese walk away')
  await expect(page.getByRole('alert')).toContainText('Wrong e-mail or password')
  await expect(page.getByLabel('Password')).toBeFocused()
  await expect(page.getByLabel('E-mail')).toHaveValue(owner.email)

  await fillSignIn(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Projects')
  expect(complaints).toEqual([])
})

test('a link that requires sign-in leads to its target, with all parameters', async ({ page }) => {
  await page.goto(`${server.url}/p/pedal-post?env=staging`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
  await fillSignIn(page)

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview')
  expect(new URL(page.url()).search).toBe('?env=staging')
  await expect(page.getByRole('button', { name: 'Environment: Staging' })).toBeVisible()
})

test('a link cannot redirect to another site', async ({ page }) => {
  for (const to of ['https://example.com/', '//example.com/', '/\\example.com/']) {
    await page.context().clearCookies()
    await page.goto(`${server.url}/sign-in?to=${encodeURIComponent(to)}`)
    await fillSignIn(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Projects')
    expect(new URL(page.url()).origin).toBe(server.url)
  }
})

test('too many attempts are reported with the time to wait', async ({ page }) => {
  await page.route('**/api/v1/sign-in', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '42', 'content-type': 'application/problem+json' },
      body: JSON.stringify({ type: '/errors/rate-limited', title: 'Too many requests', status: 429 }),
    }),
  )
  await page.goto(`${server.url}/sign-in`)
  await fillSignIn(page)
  await expect(page.getByRole('alert')).toContainText('Wait 42 seconds')
})

test('a forgotten password: requested, with an explanation for installations without mail', async ({
  page,
}) => {
  await page.goto(`${server.url}/sign-in`)
  await page.getByRole('link', { name: 'Forgot password' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot password')
  await expectAccessible(page)
  await page.getByLabel('E-mail').fill(owner.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ask an owner')
})

test('an expired password link is reported', async ({ page }) => {
  await page.goto(`${server.url}/password-reset?token=worn-out`)
  await page.getByLabel('New password').fill('eight calm geese walk home')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByLabel('New password')).toHaveValue('eight calm geese walk home')
})

test('an expired session asks for the password above the screen, and input stays', async ({ page }) => {
  await signIn(page, server)
  await page.goto(server.url)
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Workshop')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Create project' }).click()

  const again = page.getByRole('dialog', { name: 'Sign in again' })
  await expect(again).toBeVisible()
  await again.getByLabel('Password').fill(owner.password)
  await again.getByRole('button', { name: 'Sign in' }).click()
  await expect(again).toBeHidden()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Workshop')
  await page.getByRole('button', { name: 'Create project' }).click()
  await expect(page).toHaveURL(/\/p\/workshop/)
})

test('signing out leaves no data behind', async ({ page }) => {
  await signIn(page, server)
  await page.goto(server.url)
  await page.getByRole('button', { name: `Account: ${owner.name}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
  await page.goto(`${server.url}/p/pedal-post`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
})
