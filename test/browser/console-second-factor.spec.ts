import { expect, type Page, test } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { fillSignIn, listenForComplaints, owner, signIn, startConsole } from './console.ts'

let server: BuiltServer
/** Browsers refuse passkeys at IP addresses. */
let url: string

test.beforeEach(async ({ page }) => {
  server = await startConsole()
  url = server.url.replace('127.0.0.1', 'localhost')
  await signIn(page, { url })
})
test.afterEach(async () => {
  await server[Symbol.asyncDispose]()
})

async function givePassword(page: Page) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password').fill(owner.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
}

/** The code of the next half minute: that of this one was used. */
const codeOf = (secret: string, later = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later })

test('an authenticator app is added and asked for, and recovery codes are shown once', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(`${url}/account/second-factor`)
  await page.getByRole('button', { name: 'Add authenticator app…' }).click()
  await givePassword(page)
  const dialog = page.getByRole('dialog', { name: 'Add authenticator app' })
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await expectAccessibleInThemes(page)
  const secret = (await dialog.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
  await dialog.getByRole('textbox', { name: 'Code' }).fill('000000')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('textbox', { name: 'Code' })).toHaveAccessibleDescription(/not valid/)
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
  await page.keyboard.press('Enter')
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  const recoveryCode = (await codes.getByRole('listitem').first().textContent()) ?? ''
  await expectAccessibleInThemes(page)
  await codes.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('10 codes left')).toBeVisible()
  await expectAccessibleInThemes(page)

  await page.context().clearCookies()
  await page.goto(`${url}/account/second-factor`)
  await fillSignIn(page)
  await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Code' })).toHaveAccessibleDescription(/wrong/)
  await expectAccessibleInThemes(page)
  await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret, 30_000))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${url}/account/second-factor`)

  await page.context().clearCookies()
  await page.goto(url)
  await fillSignIn(page)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCode)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByLabel('Recovery code')).toBeHidden()
  await page.goto(`${url}/account/second-factor`)
  await expect(page.getByText('9 codes left')).toBeVisible()
  expect(complaints).toEqual([])
})

test('a passkey signs in without a password, and confirms a dangerous change', async ({ page }) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  await page.goto(`${url}/account/second-factor`)
  await page.getByRole('button', { name: 'Add passkey…' }).click()
  await page.getByLabel('Name of the device or key').fill('Work laptop')
  await givePassword(page)
  await page.getByRole('dialog', { name: 'Recovery codes' }).getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('table', { name: 'Passkeys' })).toContainText('Work laptop')
  await expectAccessibleInThemes(page)

  await page.context().clearCookies()
  await page.goto(`${url}/account/second-factor`)
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await expect(page).toHaveURL(`${url}/account/second-factor`)

  // As after 15 minutes.
  let refusals = 0
  await page.route('**/api/v1/account/passkeys/*', (route) => {
    refusals += 1
    if (refusals > 1) return route.continue()
    const body = { type: '/errors/confirmation-required', title: 'Confirm that it is you', status: 403 }
    return route.fulfill({ status: 403, contentType: 'application/problem+json', body: JSON.stringify(body) })
  })
  await page.getByRole('button', { name: 'Remove passkey Work laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expectAccessibleInThemes(page)
  await confirm.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText('Passkey removed.')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Passkeys' })).toHaveCount(0)
})

test('an installation that requires a second factor asks for it before anything else', async ({ page }) => {
  await page.goto(`${url}/admin/installation`)
  await page.getByRole('combobox', { name: 'Required of' }).selectOption('Everyone')
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.goto(`${url}/p/pedal-post/flags`)
  await expect(page).toHaveURL(`${url}/account/second-factor`)
  await expect(page.getByText('This installation requires a second factor')).toBeVisible()
  await expectAccessibleInThemes(page)
})
