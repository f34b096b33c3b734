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

test('a wrong password is told without saying which field is wrong, and the next try works', async ({
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

test('whoever follows a link and has to sign in comes to what the link meant, with everything in it', async ({
  page,
}) => {
  await page.goto(`${server.url}/p/pedal-post?env=staging`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
  await fillSignIn(page)

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview')
  expect(new URL(page.url()).search).toBe('?env=staging')
  await expect(page.getByRole('button', { name: 'Environment: Staging' })).toBeVisible()
})

test('a link cannot lead out of the console', async ({ page }) => {
  for (const to of ['https://example.com/', '//example.com/', '/\\example.com/']) {
    await page.context().clearCookies()
    await page.goto(`${server.url}/sign-in?to=${encodeURIComponent(to)}`)
    await fillSignIn(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Projects')
    expect(new URL(page.url()).origin).toBe(server.url)
  }
})

test('too many attempts are told with the time to wait', async ({ page }) => {
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

test('a forgotten password: asked for, and said what happens on an installation without mail', async ({
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

test('a link for a new password that is over is told', async ({ page }) => {
  await page.goto(`${server.url}/password-reset?token=worn-out`)
  await page.getByLabel('New password').fill('eight calm geese walk home')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByLabel('New password')).toHaveValue('eight calm geese walk home')
})

test('a session that ends at work asks for the password above the screen, and what was typed stays', async ({
  page,
}) => {
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

test('signing out leaves nothing behind', async ({ page }) => {
  await signIn(page, server)
  await page.goto(server.url)
  await page.getByRole('button', { name: `Account: ${owner.name}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
  await page.goto(`${server.url}/p/pedal-post`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
})
