// What replays show of a page, as it is set in the console.

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

const inProject = '/api/v1/projects/pedal-post'

/** `call`: method and path. */
async function send(page: Page, call: string, data?: unknown) {
  const [method = '', path = ''] = call.split(' ')
  const answer = await page.request.fetch(server.url + path, {
    method,
    headers: { origin: server.url },
    ...(data === undefined ? {} : { data }),
  })
  expect(answer.ok()).toBe(true)
  return answer.json()
}

async function open(page: Page, environment: string) {
  await page.goto(`${server.url}/p/pedal-post/settings/environments/${environment}`)
  const panel = page.getByRole('region', { name: 'Replay privacy' })
  await expect(panel.getByRole('switch', { name: 'Allow unmasking' })).toBeVisible()
  return panel
}

/** As browsers get it. */
async function configOf(page: Page, environment: string) {
  const keys = await send(page, `GET ${inProject}/environments/${environment}/keys`)
  return send(page, `GET /sdk/v1/config?key=${keys.items[0].value}`)
}

test('rules are added, corrected and removed with the keyboard, and reach browsers', async ({ page }) => {
  const complaints = listenForComplaints(page)
  const panel = await open(page, 'staging')
  const selector = (number: number) => panel.getByLabel(`Selector of rule ${number}`)
  const action = (number: number) => panel.getByLabel(`Action of rule ${number}`)
  await expect(panel.getByText(/^No rules\./)).toBeVisible()

  await panel.getByRole('button', { name: 'Add rule' }).press('Enter')
  await expect(selector(1)).toBeFocused()
  await page.keyboard.type('.iban[')
  await page.keyboard.press('Tab')
  await expect(selector(1)).toHaveAccessibleDescription(/bracket .* not closed/)
  await selector(1).fill('.iban:strange')
  await expect(selector(1)).toHaveAccessibleDescription('This is not a valid CSS selector.')
  await selector(1).fill('.iban')
  await expect(selector(1)).not.toHaveAttribute('aria-invalid')

  await panel.getByRole('button', { name: 'Add rule' }).press('Enter')
  await page.keyboard.type('main > h1')
  await action(2).selectOption('unmask')
  await expect(selector(2)).toHaveAccessibleDescription('No effect: unmasking is not allowed.')
  await panel.getByRole('switch', { name: 'Allow unmasking' }).press('Space')
  await expect(selector(2)).not.toHaveAttribute('aria-describedby')

  // An empty rule is not saved: the focus moves to it.
  await panel.getByRole('button', { name: 'Add rule' }).press('Enter')
  await selector(1).press('Enter')
  await expect(selector(3)).toBeFocused()
  await expect(selector(3)).toHaveAccessibleDescription('Enter a CSS selector.')
  await panel.getByRole('button', { name: 'Remove rule 3' }).press('Enter')
  await expect(panel.getByRole('button', { name: 'Remove rule 2' })).toBeFocused()
  await expectAccessibleInThemes(page)
  await selector(1).press('Enter')
  await expect(page.getByText('Settings of Staging saved.')).toBeVisible()

  const saved = await send(page, `GET ${inProject}/environments/staging`)
  expect(saved).toMatchObject({
    unmaskAllowed: true,
    privacyRules: [
      { selector: '.iban', action: 'mask' },
      { selector: 'main > h1', action: 'unmask' },
    ],
  })
  await expect
    .poll(async () => (await configOf(page, 'staging')).masking)
    .toEqual({ permitsUnmask: true, rules: { mask: ['.iban'], unmask: ['main > h1'], block: [] } })

  await page.reload()
  await expect(selector(2)).toHaveValue('main > h1')
  await expect(action(2)).toHaveValue('unmask')
  await panel.getByRole('radio', { name: 'Mask inputs' }).check()
  await expect(selector(2)).toHaveAccessibleDescription('No effect: this privacy level does not mask text.')
  await panel.getByRole('button', { name: 'Remove rule 1' }).press('Enter')
  await expect(panel.getByRole('button', { name: 'Remove rule 1' })).toBeFocused()
  await panel.getByRole('button', { name: 'Remove rule 1' }).press('Enter')
  await expect(panel.getByRole('button', { name: 'Add rule' })).toBeFocused()
  await page.getByRole('button', { name: 'Discard' }).press('Enter')
  await expect(selector(1)).toHaveValue('.iban')
  expect(complaints).toEqual([])
})

test('console and requests are allowed by rule, never credentials, and reach browsers', async ({ page }) => {
  await open(page, 'development')
  const panel = page.getByRole('region', { name: 'Console and network in replays' })
  await expect(panel.getByText(/^No rules\. No headers/)).toBeVisible()
  await panel.getByRole('switch', { name: 'Record console messages' }).press('Space')
  await panel.getByRole('button', { name: 'Add request rule' }).press('Enter')
  const field = (name: string) => panel.getByLabel(name, { exact: true })
  await expect(field('Host')).toBeFocused()
  await field('Host').fill('API.shop.example')
  await field('Path').fill('/v1/*')
  await field('Headers').fill('Content-Type, Authorization')
  await field('Body fields').fill('total, items.name')
  await field('Body fields').press('Enter')
  await expect(field('Headers')).toBeFocused()
  await expect(field('Headers')).toHaveAccessibleDescription('authorization is never recorded.')
  await field('Headers').fill('Content-Type')
  await expectAccessibleInThemes(page)
  await field('Headers').press('Enter')
  await expect(page.getByText('Settings of Development saved.')).toBeVisible()

  const rule = {
    ...{ host: 'api.shop.example', path: '/v1/*' },
    ...{ headers: ['content-type'], fields: ['total', 'items.name'] },
  }
  await expect
    .poll(async () => (await configOf(page, 'development')).capture)
    .toEqual({ console: true, requests: [rule], masked: [] })
  await page.reload()
  await expect(field('Host')).toHaveValue('api.shop.example')
  await panel.getByRole('button', { name: 'Remove request rule 1' }).press('Enter')
  await expect(panel.getByRole('button', { name: 'Add request rule' })).toBeFocused()
})

test('the audit log shows each rule in one line', async ({ page }) => {
  const { id } = await send(page, `PATCH ${inProject}/environments/production`, {
    unmaskAllowed: true,
    privacyRules: [{ selector: '#chat', action: 'block' }],
  })
  await page.goto(`${server.url}/p/pedal-post/settings/audit?entity=environment&id=${id}`)
  await page.getByRole('button', { name: 'production', exact: true }).first().click()
  const change = (name: string) => page.getByRole('region', { name: `Change of ${name}`, exact: true })
  await expect(change('/privacyRules')).toContainText('"block #chat"')
  await expect(change('/unmaskAllowed')).toContainText('true')
})

test('a viewer reads the rules, and changes nothing', async ({ page, browser }) => {
  await send(page, `PATCH ${inProject}/environments/development`, {
    unmaskAllowed: false,
    privacyRules: [
      { selector: '#chat', action: 'block' },
      { selector: 'h1', action: 'unmask' },
    ],
  })
  const viewer = { email: 'vera@pedalandpost.example', password: 'nine quiet otters swim north' }
  const invitation = await send(page, `POST ${inProject}/invitations`, {
    email: viewer.email,
    role: 'viewer',
  })
  const context = await browser.newContext()
  const guest = await context.newPage()
  await guest.goto(invitation.url)
  await guest.getByLabel('Your name').fill('Vera Blom')
  await guest.getByLabel('Password').fill(viewer.password)
  await guest.getByRole('button', { name: 'Join Pedal & Post' }).click()
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Overview')

  const panel = await open(guest, 'development')
  await expect(panel.getByRole('switch', { name: 'Allow unmasking' })).toBeDisabled()
  await expect(panel.getByRole('listitem')).toHaveText([
    'Block#chat',
    'Unmaskh1 No effect: unmasking is not allowed.',
  ])
  await expect(panel.getByRole('textbox')).toHaveCount(0)
  await expect(panel.getByRole('button', { name: 'Add rule' })).toHaveCount(0)
  await expectAccessible(guest)
  await context.close()
})
