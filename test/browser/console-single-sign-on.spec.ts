import { expect, type Page, test } from '@playwright/test'
import { openSignInProvider, type TestProvider } from '../sign-in-provider.ts'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, owner, project, signIn, startConsole } from './console.ts'

let server: BuiltServer
let provider: TestProvider
/** Another site than the provider, as in life: cookies of one do not reach the other. */
let url: string

test.beforeEach(async () => {
  server = await startConsole({ settings: { TELLTALE_WEBHOOK_NETWORKS: '127.0.0.0/8' } })
  url = server.url.replace('127.0.0.1', 'localhost')
  provider = await openSignInProvider({ sites: [url] })
  provider.accounts.set('ada', {
    email: 'ada@shop.example',
    email_verified: true,
    name: 'Ada',
    groups: ['dev'],
  })
})
test.afterEach(async () => {
  await server[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

async function atProvider(page: Page, account: string) {
  await page.getByLabel('Account').fill(account)
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('a provider is set up, tested and switched on; accounts, roles and sign-outs follow from it', async ({
  page,
  browser,
}) => {
  test.slow()
  const complaints = listenForComplaints(page)
  await signIn(page, { url })
  await page.goto(`${url}/admin/single-sign-on`)
  await expect(page.getByText('No sign-in provider')).toBeVisible()
  await page.getByRole('button', { name: 'Add provider…' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New sign-in provider' })
  await dialog.getByRole('button', { name: 'Add provider' }).click()
  await expect(dialog.getByLabel('Issuer')).toHaveAccessibleDescription(/https/)
  await dialog.getByLabel('Button text').fill('Sign in with Okta')
  await dialog.getByLabel('Key', { exact: true }).fill('okta')
  await dialog.getByLabel('Issuer').fill(provider.url)
  await dialog.getByLabel('Client ID').fill('telltale')
  await dialog.getByLabel('Client secret').fill(provider.clientSecret)
  await dialog.getByLabel('Scopes').fill('email profile groups offline_access')
  await dialog.getByLabel('E-mail domains').fill('shop.example')
  await dialog.getByLabel('Groups claim').fill('groups')
  await dialog.getByRole('button', { name: 'Add role' }).click()
  await dialog.getByLabel('Group', { exact: true }).fill('dev')
  await dialog.getByLabel('Role', { exact: true }).selectOption('Editor')
  await expectAccessibleInThemes(page)
  await dialog.getByRole('button', { name: 'Add provider' }).click()
  await expect(page.getByText(`${url}/sign-in/callback/okta`)).toBeVisible()

  await page.getByRole('button', { name: 'Test sign-in' }).click()
  await atProvider(page, 'ada')
  await expect(page.getByText('Signs in as ada@shop.example')).toBeVisible()
  await expect(page.getByText(`${project.key}: editor`)).toBeVisible()
  await expectAccessibleInThemes(page)
  await page.getByRole('link', { name: 'Back to single sign-on' }).click()
  await page.getByRole('switch', { name: 'Off' }).click()
  await expect(page.getByRole('switch', { name: 'On' })).toBeVisible()
  await expectAccessibleInThemes(page)

  const other = await browser.newContext()
  const member = await other.newPage()
  await member.goto(`${url}/p/${project.key}/flags`)
  await member.getByRole('button', { name: 'Sign in with Okta' }).click()
  await atProvider(member, 'ada')
  await expect(member).toHaveURL(new RegExp(`^${url}/p/${project.key}/`))
  await expect(member.getByRole('heading', { name: 'Flags', exact: true })).toBeVisible()

  // A sign-out here leads to the provider and back; the group was lost meanwhile.
  provider.accounts.set('ada', { email: 'ada@shop.example', email_verified: true, name: 'Ada', groups: [] })
  await member.getByRole('button', { name: /^Account/ }).click()
  await member.getByRole('menuitem', { name: 'Sign out' }).click()
  await member.getByRole('button', { name: /yes/i }).click()
  await expect(member).toHaveURL(new RegExp(`^${url}/sign-in`))
  await member.getByRole('button', { name: 'Sign in with Okta' }).click()
  await atProvider(member, 'ada')
  await expect(member).toHaveURL(`${url}/`)
  await expect(member.getByText(project.name)).toBeHidden()

  // A sign-out at the provider ends the session here.
  await member.goto(`${provider.url}/session/end`)
  await member.getByRole('button', { name: /yes/i }).click()
  await expect(member.getByText(/sign-out success/i)).toBeVisible()
  await expect
    .poll(async () => (await member.request.get(`${url}/api/v1/account`)).status(), { timeout: 15_000 })
    .toBe(401)

  await page.getByRole('button', { name: 'Require single sign-on…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Require single sign-on' }).click()
  await expect(page.getByRole('button', { name: 'Allow passwords' })).toBeVisible()
  await member.goto(`${url}/sign-in`)
  await expect(member.getByLabel('Password')).toBeHidden()
  await expectAccessibleInThemes(member)
  await member.getByRole('button', { name: 'Use a password' }).click()
  await member.getByLabel('E-mail').fill(owner.email)
  await member.getByLabel('Password').fill(owner.password)
  await member.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(member.getByText(project.name).first()).toBeVisible()
  expect(complaints).toEqual([])
  await other.close()
})
