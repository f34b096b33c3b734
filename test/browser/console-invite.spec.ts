import { expect, test } from '@playwright/test'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { signIn, startConsole } from './console.ts'

let server: BuiltServer

test.beforeAll(async () => {
  server = await startConsole()
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

test('an invited user sets a password and sees the project', async ({ page, browser }) => {
  await signIn(page, server)
  const answer = await page.request.post(`${server.url}/api/v1/projects/pedal-post/invitations`, {
    headers: { origin: server.url },
    data: { email: 'ines@pedalandpost.example', role: 'viewer' },
  })
  const { url } = await answer.json()

  const context = await browser.newContext()
  const guest = await context.newPage()
  await guest.goto(url)
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Join Pedal & Post')
  await expect(guest.getByText('Mara Oduya invites you as viewer.')).toBeVisible()
  await expectAccessibleInThemes(guest)
  await guest.getByLabel('Your name').fill('Ines Weber')
  await guest.getByLabel('Password').fill('password1234')
  await guest.getByRole('button', { name: 'Join Pedal & Post' }).click()
  await expect(guest.getByLabel('Password')).toHaveAttribute('aria-invalid', 'true')

  await guest.getByLabel('Password').fill('nine quiet otters swim north')
  await guest.getByRole('button', { name: 'Join Pedal & Post' }).click()
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Overview')
  await guest.goto(server.url)
  await expect(guest.getByRole('link', { name: 'Pedal & Post' })).toBeVisible()
  await expect(guest.getByRole('button', { name: 'New project' })).toBeHidden()

  await guest.goto(url)
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Invitation no longer valid')
  await expectAccessibleInThemes(guest)
  await context.close()
})
