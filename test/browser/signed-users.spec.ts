import { createHmac } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, signIn, startConsole } from './console.ts'
import { ask, becomeMember, projectPath } from './console-member.ts'
import { startSite } from './flag-server.ts'

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

declare const flags: import('@telltale/browser/flags').Flags

const environment = (env: string) => `${projectPath}/environments/${env}`
const panelOf = async (page: Page, env: string) => {
  await page.goto(`${server.url}/p/pedal-post/settings/environments/${env}`)
  return page.getByRole('region', { name: 'Signed users' })
}
const sign = (secret: string, user: string) =>
  `v1..${createHmac('sha256', secret).update(`v1..${user}`).digest('base64url')}`

async function clientKeyOf(page: Page, env: string): Promise<string> {
  const keys = await ask<{ items: { kind: string; value: string }[] }>(page, server, {
    path: `${environment(env)}/keys`,
  })
  return keys.items.find(({ kind }) => kind === 'client')?.value ?? ''
}

async function evaluate(key: string, context: object): Promise<number> {
  const answer = await fetch(`${server.url}/ofrep/v1/evaluate/flags`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ context }),
  })
  return answer.status
}

test('a secret is created, unsigned users are counted and then refused, and a viewer can only read', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  const panel = await panelOf(page, 'staging')
  await expect(panel.getByRole('radio', { name: 'Count' })).toBeDisabled()
  await panel.getByRole('button', { name: 'Create secret' }).press('Enter')
  const shown = page.getByRole('dialog', { name: 'The new signing secret' })
  const secret = (await shown.getByText(/^tsk_/).textContent()) ?? ''
  await expectAccessibleInThemes(page)
  await shown.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(panel.getByText(`tsk_…${secret.slice(-4)}`)).toBeVisible()
  await expect(page.getByText(secret)).toBeHidden()

  await panel.getByRole('radio', { name: 'Count' }).click()
  await expect(panel.getByText('No request has named a user yet.')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Revoke…' })).toBeDisabled()
  const key = await clientKeyOf(page, 'staging')
  const ada = { targetingKey: 'ada', signature: sign(secret, 'ada') }
  const bob = { targetingKey: 'bob' }
  // Servers learn of the mode a moment later, and write their counts every few seconds.
  const counted = async () => {
    expect([await evaluate(key, ada), await evaluate(key, bob)]).toEqual([200, 200])
    const { days } = await ask<{ days: unknown[] }>(page, server, {
      path: `${environment('staging')}/signed-users`,
    })
    return days.length
  }
  await expect.poll(counted, { timeout: 40_000, intervals: [500] }).toBe(1)
  await page.reload()
  await expect(panel.getByText(/^\d+ of \d+ requests for flags had no valid signature/)).toBeVisible()
  await expect(panel.getByRole('table', { name: 'Requests that named a user, by day' })).toBeVisible()
  await expectAccessibleInThemes(page)

  await panel.getByRole('radio', { name: 'Require' }).click()
  const dialog = page.getByRole('dialog', { name: 'Require signed users' })
  await expect(dialog.getByText(/requests for flags had no valid signature/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Require signatures' }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(panel.getByRole('radio', { name: 'Require' })).toBeChecked()
  await expect.poll(() => evaluate(key, bob)).toBe(403)
  expect(await evaluate(key, ada)).toBe(200)

  await panel.getByRole('button', { name: 'Rotate secret' }).press('Enter')
  await shown.getByRole('button', { name: 'Done' }).press('Enter')
  await panel.getByRole('button', { name: 'Revoke…' }).last().press('Enter')
  await page.getByRole('button', { name: 'Revoke secret' }).press('Enter')
  await expect(panel.getByText(`tsk_…${secret.slice(-4)}`)).toBeHidden()
  await expect.poll(() => evaluate(key, ada)).toBe(403)

  await becomeMember(page, server, 'viewer')
  await page.reload()
  await expect(panel.getByText('Read-only')).toBeVisible()
  await expect(panel.getByRole('radio', { name: 'Off' })).toBeDisabled()
  await expect(panel.getByRole('button', { name: 'Rotate secret' })).toBeDisabled()
  await expectAccessibleInThemes(page)
  expect(complaints).toEqual([])
})

test('a page whose user is refused says why once, and gets its flags with the next signature', async ({
  page,
}) => {
  const body = { key: 'menu', name: 'Menu', valueType: 'boolean', clientVisible: true }
  await ask(page, server, { method: 'POST', path: `${projectPath}/flags`, body })
  const config = { enabled: true, offVariation: 'off', prerequisites: [], rules: [], version: 1 }
  await ask(page, server, {
    method: 'PUT',
    path: `${environment('production')}/flags/menu/config`,
    body: { ...config, fallthrough: { variation: 'on' } },
  })
  const path = `${environment('production')}/signed-users`
  const { value } = await ask<{ value: string }>(page, server, { method: 'POST', path: `${path}/secrets` })
  await ask(page, server, { method: 'PUT', path, body: { mode: 'require' } })
  const key = await clientKeyOf(page, 'production')
  await expect.poll(() => evaluate(key, { targetingKey: 'ada' })).toBe(403)

  const options = JSON.stringify({ key, context: { targetingKey: 'ada' } })
  await using site = await startSite({
    '/': `<!doctype html><title>Shop</title><script src="${server.url}/sdk/v1/telltale.js"></script>
      <script>globalThis.flags = telltale.init(${options})</script>`,
  })
  const warnings: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text())
  })
  await page.goto(site.url)
  expect(await page.evaluate(() => flags.whenReady())).toBe('error')
  expect(await page.evaluate(() => flags.getBoolean('menu', false))).toBe(false)
  await expect.poll(() => warnings).toEqual([expect.stringMatching(/^Telltale: .*no signature/)])
  const setContext = (signature: string) =>
    page.evaluate((given) => flags.setContext({ targetingKey: 'ada', signature: given }), signature)
  expect(await setContext(sign(value, 'bob'))).toBe('error')
  expect(await setContext(sign(value, 'ada'))).toBe('ready')
  expect(await page.evaluate(() => flags.getBoolean('menu', false))).toBe(true)
  expect(warnings).toHaveLength(1)
})
