import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, signIn, startConsole } from './console.ts'
import { ask, becomeMember, projectPath } from './console-member.ts'

let server: BuiltServer
let flags = 0

test.beforeAll(async ({ browser }) => {
  server = await startConsole()
  const page = await browser.newPage()
  await signIn(page, server)
  const segment = { key: 'staff', name: 'Our people', when: { match: 'any', of: [] } }
  await ask(page, server, { method: 'POST', path: `${projectPath}/segments`, body: segment })
  await page.close()
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

const rule = (description: string, plan: string, variation = 'on') => ({
  description,
  when: { match: 'all', of: [{ attribute: 'plan', operator: 'equals', value: plan }] },
  serve: { variation },
})
const configOf = (change: object = {}) => ({
  enabled: true,
  offVariation: 'off',
  prerequisites: [],
  rules: [rule('Staff', 'staff'), rule('Trade', 'trade'), rule('Guests', 'none', 'off')],
  fallthrough: { variation: 'off' },
  ...change,
})
const pathOf = (key: string, env: string) => `${projectPath}/environments/${env}/flags/${key}/config`

interface Saved {
  version: number
  enabled: boolean
  rules: { id: string; description: string; when: { of: object[] }; serve: object }[]
}

/** A flag of its own for every test, saved as version 2. */
async function makeFlag(page: Page, { env = 'development', config = configOf() } = {}) {
  flags += 1
  const key = `flag-${flags}`
  const body = { key, name: `Flag ${flags}`, valueType: 'boolean' }
  await ask(page, server, { method: 'POST', path: `${projectPath}/flags`, body })
  await save(page, key, { env, version: 1, config })
  return { key, read: () => ask<Saved>(page, server, { path: pathOf(key, env) }) }
}

function save(
  page: Page,
  key: string,
  { env, version, config }: { env: string; version: number; config: object },
) {
  return ask<Saved>(page, server, { method: 'PUT', path: pathOf(key, env), body: { ...config, version } })
}

async function open(page: Page, key: string, env = 'development') {
  await page.goto(`${server.url}/p/pedal-post/flags/${key}/targeting?env=${env}`)
  await expect(page.getByRole('heading', { name: 'Rules', exact: true })).toBeVisible()
}

const names = (page: Page) =>
  page
    .getByRole('list', { name: /^Rules/ })
    .getByRole('heading', { level: 3 })
    .allInnerTexts()
const bar = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' })

test('rules are reordered by keyboard and mouse, and every step can be undone', async ({ page }) => {
  const complaints = listenForComplaints(page)
  const { key } = await makeFlag(page)
  await open(page, key)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Move Guests' }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => names(page)).toEqual(['Guests', 'Staff', 'Trade'])
  await expect(page.getByRole('button', { name: 'Move Guests: position 1 of 3' })).toBeFocused()
  await expect(page.getByText('Guests moved to position 1 of 3.')).toBeAttached()
  await expect(bar(page)).toContainText('1 unsaved change')

  const handle = page.getByRole('button', { name: 'Move Staff' })
  const target = page.getByRole('listitem', { name: 'Rule 3: Trade' })
  const [from, to] = [await handle.boundingBox(), await target.boundingBox()]
  await page.mouse.move((from?.x ?? 0) + 8, (from?.y ?? 0) + 8)
  await page.mouse.down()
  await page.mouse.move((from?.x ?? 0) + 8, (to?.y ?? 0) + (to?.height ?? 0) - 4, { steps: 5 })
  await page.mouse.up()
  await expect.poll(() => names(page)).toEqual(['Guests', 'Trade', 'Staff'])

  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await expect.poll(() => names(page)).toEqual(['Staff', 'Guests', 'Trade'])
  await page.keyboard.press('Control+Shift+Z')
  await expect.poll(() => names(page)).toEqual(['Guests', 'Staff', 'Trade'])
  await page.getByRole('button', { name: 'More for Trade' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect.poll(() => names(page)).toEqual(['Guests', 'Staff', 'Trade', 'Trade (copy)'])
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => names(page)).toEqual(['Staff', 'Trade', 'Guests'])
  expect(complaints).toEqual([])
})

test('a rule with conditions and a split is created, reviewed with its consequence, and saved', async ({
  page,
}) => {
  // High enough for all of it: what the save bar covers by half is no target of its size.
  await page.setViewportSize({ width: 1440, height: 1600 })
  const { key, read } = await makeFlag(page, { config: configOf({ rules: [] }) })
  await open(page, key)
  await page.keyboard.press('a')
  await expect(page.getByLabel('Description')).toBeFocused()
  await page.keyboard.type('Riders')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Incomplete')).toBeVisible()
  await expect(page.getByText('Enter an attribute.').last()).toBeVisible()

  await page.getByRole('combobox', { name: 'Attribute' }).fill('country')
  await page.getByLabel('Operator').selectOption('is one of')
  const values = page.getByLabel('Values', { exact: true })
  await values.fill('GB')
  await values.press('Enter')
  await values.fill('IE')
  await values.press('Enter')
  await page.getByRole('button', { name: 'Segment', exact: true }).click()
  await page.getByRole('combobox', { name: 'Segment' }).fill('staff')
  await page.keyboard.press('Escape')

  const card = page.getByRole('listitem', { name: 'Rule 1: Riders' })
  await card.getByRole('button', { name: 'Split' }).click()
  await card.getByLabel('Weight of on').fill('33.3334')
  await expect(card.getByText(/at most three decimals/)).toBeVisible()
  await card.getByLabel('Weight of on').fill('33.333')
  await expect(card.getByLabel('Weight of off')).toHaveValue('66.667')
  await expectAccessible(page)

  await page.keyboard.press('Control+s')
  const review = page.getByRole('dialog', { name: /^Review 1 change/ })
  await expect(review).toContainText('Users who match “Riders” get a split (66.667% off, 33.333% on)')
  await expect(review).toContainText('country is one of GB, IE')
  await expect(review.getByLabel(/^Reason/)).toBeFocused()
  await expect(review.getByRole('region', { name: 'Blast radius' })).toContainText(
    'No users in the last 7 days',
  )
  await expectAccessible(page)
  await page.keyboard.type('Requested by sales')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Saved to Development.')).toBeVisible()
  await expect(bar(page)).toBeHidden()
  expect(await read()).toMatchObject({ version: 3, rules: [{ description: 'Riders' }] })
})

test('before a save it shows which recent users would get something else', async ({ page }) => {
  const env = 'staging'
  const { key } = await makeFlag(page, { env, config: configOf({ rules: [] }) })
  const keysPath = `${projectPath}/environments/${env}/keys`
  const { items } = await ask<{ items: { kind: string; value: string }[] }>(page, server, { path: keysPath })
  const client = items.find(({ kind }) => kind === 'client')?.value ?? ''
  for (const [targetingKey, plan] of [
    ['ann', 'trade'],
    ['ben', 'trade'],
    ['cleo', 'none'],
  ]) {
    await page.request.post(`${server.url}/ofrep/v1/evaluate/flags`, {
      headers: { authorization: `Bearer ${client}` },
      data: { context: { targetingKey, plan } },
    })
  }
  const identities = `${projectPath}/environments/${env}/identities`
  await expect
    .poll(async () => (await ask<{ items: object[] }>(page, server, { path: identities })).items.length)
    .toBe(3)

  await open(page, key, env)
  await page.keyboard.press('a')
  await page.keyboard.type('Trade')
  await page.getByRole('combobox', { name: 'Attribute' }).fill('plan')
  await page.getByLabel('Value', { exact: true }).fill('trade')
  const card = page.getByRole('listitem', { name: 'Rule 1: Trade' })
  await card.getByLabel('Variation').selectOption('on')
  await page.keyboard.press('Control+s')
  const radius = page.getByRole('region', { name: 'Blast radius' })
  await expect(radius).toContainText('2 of the 3 users of the last 7 days would get a different variation')
  await expect(radius.getByRole('row', { name: /off to on/ })).toContainText('2')
  await radius.getByText('Examples').click()
  await expect(radius.getByRole('link', { name: 'ann' })).toHaveAttribute('href', /identities\/ann/)
  await expectAccessible(page)
})

test('a rejected condition is reported at its place, and no input is lost', async ({ page }) => {
  const { key } = await makeFlag(page, { config: configOf({ rules: [rule('Staff', 'staff')] }) })
  await open(page, key)
  await page.getByRole('button', { name: 'Edit Staff' }).click()
  await page.getByLabel('Operator').selectOption('is at least version')
  await page.getByLabel('Value', { exact: true }).fill('no version')
  await page.keyboard.press('Control+s')
  const review = page.getByRole('dialog', { name: /^Review/ })
  await review.getByRole('button', { name: 'Save to Development' }).click()
  await expect(page.getByText('Invalid targeting rule')).toBeVisible()
  await expect(page.getByLabel('Value', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Value', { exact: true }).fill('1.2.3')
  await expect(page.getByText('Invalid targeting rule')).toBeHidden()
})

test('after a concurrent save, independent changes are merged and the rest is chosen', async ({ page }) => {
  const { key, read } = await makeFlag(page)
  await open(page, key)
  await page.getByRole('button', { name: 'Edit Staff' }).click()
  await page.getByLabel('Description').fill('Staff, mine')
  await page.getByRole('button', { name: 'Edit Trade' }).click()
  const trade = page.getByRole('listitem', { name: /Trade/ })
  await trade.getByLabel('Variation', { exact: true }).selectOption('off')

  const { rules } = await read()
  const theirs = rules.map((one) =>
    one.description === 'Staff' ? { ...one, description: 'Staff, theirs' } : one,
  )
  await save(page, key, {
    env: 'development',
    version: 2,
    config: configOf({ enabled: false, rules: theirs }),
  })

  await page.keyboard.press('Control+s')
  await page.keyboard.press('Control+Enter')
  const conflict = page.getByRole('dialog', { name: /saved flag-\d+ in Development first/ })
  await expect(conflict).toContainText('1 part was changed on both sides')
  await expect(conflict.getByRole('button', { name: 'Review result' })).toBeDisabled()
  await expectAccessible(page)
  await conflict.getByRole('button', { name: 'Mine', exact: true }).click()
  await conflict.getByRole('button', { name: 'Review result' }).click()
  await expect(page.getByRole('dialog', { name: /^Review/ })).toContainText('Staff, mine')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Saved to Development.')).toBeVisible()
  expect(await read()).toMatchObject({
    version: 4,
    enabled: false,
    rules: [{ description: 'Staff, mine' }, { serve: { variation: 'off' } }, {}],
  })
})

test('testing shows every step, for the draft and for the saved version', async ({ page }) => {
  const { key } = await makeFlag(page, { config: configOf({ rules: [rule('Staff', 'staff')] }) })
  await open(page, key)
  const panel = page.getByRole('complementary')
  await panel.getByLabel('Targeting key').fill('ada')
  await panel.getByRole('button', { name: 'Attribute' }).click()
  await panel.getByRole('combobox', { name: 'Attribute' }).fill('plan')
  await panel.getByLabel('Value').fill('staff')
  await page.keyboard.press('Enter')
  await expect(panel).toContainText('Rule 1 “Staff” applies')
  await expect(panel).toContainText('As saved.')

  await page.getByRole('button', { name: 'More for Staff' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await panel.getByRole('button', { name: 'Try it' }).click()
  await expect(panel).toContainText('With unsaved changes.')
  await expect(panel).toContainText('Serves off')
  await panel.getByRole('button', { name: 'Saved', exact: true }).click()
  await panel.getByRole('button', { name: 'Try it' }).click()
  await expect(panel).toContainText('Rule 1 “Staff” applies')
  await panel.getByRole('button', { name: 'JSON' }).click()
  await expect(panel).toContainText('"plan": "staff"')
})

test('overrides apply immediately; leaving with unsaved changes is confirmed first', async ({ page }) => {
  const { key } = await makeFlag(page)
  await open(page, key)
  await page.getByLabel('Identity to override').fill('ada@example.com')
  await page.getByRole('button', { name: 'Add override' }).click()
  const list = page.getByRole('list', { name: 'Identity overrides' })
  await expect(list).toContainText('ada@example.com')
  await list.getByRole('button', { name: 'Remove override of ada@example.com' }).click()
  await expect(list).toBeHidden()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(list).toContainText('ada@example.com')

  await page.getByRole('switch', { name: 'On in Development' }).click()
  await page.getByRole('link', { name: 'Segments' }).click()
  const leave = page.getByRole('dialog', { name: /^Leave the targeting/ })
  await leave.getByRole('button', { name: 'Cancel' }).click()
  await expect(bar(page)).toContainText('1 unsaved change')
})

test("a change is scheduled in the environment's time zone, shown, and cancelled", async ({ page }) => {
  const { key, read } = await makeFlag(page)
  await open(page, key)
  await page.getByRole('switch', { name: 'On in Development' }).click()
  await bar(page).getByRole('button', { name: 'Schedule…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Schedule this change/ })
  await dialog.getByLabel(/^Date and time/).fill('2020-01-01T09:00')
  await dialog.getByRole('button', { name: 'Schedule change' }).click()
  await expect(dialog.getByText('Choose a time in the future.')).toBeVisible()
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)
  await dialog.getByLabel(/^Date and time/).fill(tomorrow)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Schedule change' }).click()
  await expect(bar(page)).toBeHidden()
  await page.getByRole('button', { name: 'Show scheduled change' }).click()
  await expect(page.getByRole('dialog')).toContainText('the flag is off')
  await page.getByRole('button', { name: 'Cancel change' }).click()
  await expect(page.getByRole('region', { name: 'Pending changes' })).toBeHidden()
  expect((await read()).version).toBe(2)
})

test('with required approval a save becomes a change request; viewers only look', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { key, read } = await makeFlag(page, { env: 'staging' })
  const env = `${projectPath}/environments/staging`
  await ask(page, server, { method: 'PATCH', path: env, body: { protected: true, approvalRequired: true } })
  await open(page, key, 'staging')
  await page.getByLabel('Variation when off').selectOption('on')
  await bar(page)
    .getByRole('button', { name: /^Review changes/ })
    .click()
  const review = page.getByRole('dialog', { name: /^Review/ })
  await expect(review).toContainText('Requires approval by a second maintainer')
  await review.getByLabel('Reason').fill('The calm one won')
  await review.getByRole('button', { name: 'Request approval' }).click()
  await expect(page.getByText('Waiting for approval')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open change request' })).toBeVisible()
  await expectAccessible(page)
  expect((await read()).version).toBe(2)

  await becomeMember(page, server, 'viewer')
  await open(page, key, 'staging')
  await expect(page.getByText('Your role in this project is viewer')).toBeVisible()
  await expect(page.getByRole('switch')).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Add rule' })).toBeHidden()
  await expectAccessible(page)
})
