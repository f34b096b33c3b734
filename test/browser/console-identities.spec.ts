import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, signIn, startConsole } from './console.ts'
import { ask, becomeMember, projectPath } from './console-member.ts'

let server: BuiltServer
let list: string
let clientKey: string
const oddKey = 'https://shop.example/ü/?x=1#y 日本 %2F'
const longKey = `long-${'k'.repeat(507)}`

test.beforeAll(async ({ browser }) => {
  server = await startConsole()
  list = `${server.url}/p/pedal-post/identities`
  const page = await browser.newPage()
  await signIn(page, server)
  await prepare(page)
  await page.close()
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

test('without identities the screen explains how they are created, and any key can be opened', async ({
  page,
}) => {
  await page.goto(`${list}?env=staging`)
  await expect(page.getByRole('heading', { name: 'No identities in Staging yet' })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Search by key prefix').fill('next/week')
  await page.getByRole('link', { name: 'Open next/week anyway' }).click()
  await expect(page.getByText('Never seen in Staging')).toBeVisible()
  await expect(page.getByRole('row', { name: /checkout/ })).toContainText('Off')
})

test('identities are found by key prefix and by trait, and the URL keeps both', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(`${list}?env=development`)
  const rows = page.getByRole('table', { name: 'Identities' }).getByRole('row')
  await expect(page.getByText('the first 50')).toBeVisible()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(page.getByText('56 in all')).toBeVisible()

  await page.keyboard.press('/')
  await page.keyboard.type('rider-1')
  await expect(page).toHaveURL(/q=rider-1/)
  await expect(page.getByText('11 in all')).toBeVisible()
  await page.getByRole('button', { name: 'Trait' }).click()
  await page.getByRole('combobox', { name: 'Trait' }).fill('age')
  await page.getByLabel('Equals').fill('18')
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 in all', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByText('1 in all', { exact: true })).toBeVisible()
  await expect(rows.nth(1)).toContainText('rider-18')

  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  await expect(page.getByRole('complementary', { name: 'Identity' })).toContainText('rider-18')
  await expectAccessible(page)
  expect(complaints).toEqual([])
})

test('every flag has its value and reason, and every step on demand', async ({ page }) => {
  await page.goto(`${list}/ada?env=development`)
  await expect(page.getByRole('row', { name: /^checkout/ })).toContainText('Rule 1: in segment staff')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'checkout', exact: true }).click()
  const peek = page.getByRole('complementary', { name: 'checkout' })
  await expect(peek).toContainText('email ends with @here.example · is ada@here.example')
  await expect(page).toHaveURL(/flag=checkout/)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(peek).toBeHidden()

  await page.getByRole('link', { name: 'checkout', exact: true }).click()
  await peek.getByRole('link', { name: 'Open flag' }).click()
  await expect(page).toHaveURL(/\/flags\/checkout\/targeting\?.*env=development/)
})

test("testing with only the key gives the same result as the identity's page: its traits are loaded", async ({
  page,
}) => {
  await page.goto(`${server.url}/p/pedal-post/flags/checkout/targeting?env=development`)
  const panel = page.getByRole('complementary')
  const key = panel.getByLabel('Targeting key')
  await key.fill('ada')
  await panel.getByRole('button', { name: 'Try it' }).click()
  await expect(panel).toContainText('Yes: Rule 1')
  await expect(panel.getByRole('combobox', { name: 'Attribute' }).first()).toHaveValue(/email|plan/)

  await page.reload()
  await key.fill('ad')
  await page.getByRole('option', { name: 'ada' }).click()
  await expect(panel.getByText('Traits of this identity are filled in.')).toBeVisible()
  await panel.getByRole('button', { name: 'Try it' }).click()
  await expect(panel).toContainText('Yes: Rule 1')
  // Of nobody: what was typed is all there is.
  await page.reload()
  await key.fill('nobody')
  await panel.getByRole('button', { name: 'Try it' }).click()
  await expect(panel).toContainText('No: Rule 1 does not apply')
})

test('the palette offers existing identities, and none for letters only', async ({ page }) => {
  await page.goto(`${list}?env=development`)
  await expect(page.getByText('the first 50')).toBeVisible()
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Search' })
  await search.fill('rider-1')
  const identities = page.getByRole('option', { name: /^rider-1/ })
  await expect(identities).toHaveCount(5)
  await search.fill('gon')
  await expect(page.getByRole('option', { name: 'gone' })).toBeVisible()
  const answered = page.waitForResponse((answer) => answer.url().includes('search=zzq'))
  await search.fill('zzq')
  await answered
  await expect(page.getByText('No matches.')).toBeVisible()
})

test('an override is set, changed, undone and removed', async ({ page }) => {
  await page.goto(`${list}/ada?env=development`)
  await page.getByRole('button', { name: 'Override a flag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Override for ada in Development' })
  await dialog.getByRole('combobox', { name: 'Flag' }).fill('check')
  await expect(page.getByRole('option', { name: /^checkout/ })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add override' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Choose a variation.')
  await dialog.getByRole('radio', { name: 'off' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add override' }).click()
  const row = page.getByRole('row', { name: /^checkout/ })
  await expect(row).toContainText('Override')
  await expect(row).toContainText('false')

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText('Rule 1')
  await expect(page.getByText('No overrides')).toBeVisible()

  await put(page, 'ada', 'off')
  await page.reload()
  await page.getByRole('button', { name: 'Change override of checkout' }).click()
  await dialog.getByRole('radio', { name: 'on' }).click()
  await page.getByRole('button', { name: 'Change override' }).click()
  await expect(row).toContainText('true')
  await page.getByRole('button', { name: 'Remove override of checkout' }).click()
  await expect(row).toContainText('Rule 1')
})

test('keys of any length and character are found, opened and reloaded', async ({ page }) => {
  const complaints = listenForComplaints(page)
  for (const key of [oddKey, longKey]) {
    await page.goto(`${list}?env=development&q=${encodeURIComponent(key.slice(0, 12))}`)
    await page.getByRole('link', { name: key }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(key)
    await expect(page.getByText('plan', { exact: true })).toBeVisible()
    await page.reload()
    await expect(page.getByText('plan', { exact: true })).toBeVisible()
    await expectAccessible(page)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  expect(complaints).toEqual([])
})

test("a user's data is deleted with the typed key", async ({ page }) => {
  await page.goto(`${list}/gone?env=development`)
  await page.getByRole('button', { name: 'Delete user data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete data of gone in Development' })
  const verb = dialog.getByRole('button', { name: 'Delete data' })
  await expect(verb).toBeDisabled()
  await dialog.getByLabel('Type gone to confirm').fill('gone')
  await verb.click()
  await expect(page).toHaveURL(/identities\?env=development$/)
  await page.goto(`${list}/gone?env=development`)
  await expect(page.getByText('Never seen in Development')).toBeVisible()
})

test('a viewer sees that a sensitive trait exists, but not its value', async ({ page }) => {
  await becomeMember(page, server, 'viewer')
  await page.goto(`${list}/ada?env=development&flag=checkout`)
  await expect(page.getByText('hidden from your role').first()).toBeVisible()
  await expect(page.getByText('ada@here.example')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Override a flag' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Delete user data' })).toBeDisabled()
  await expectAccessibleInThemes(page)
  await page.goto(`${list}?env=development&trait=email&value=x`)
  await expect(page.getByText('sensitive.view')).toBeVisible()
})

test('an editor cannot set overrides reserved for maintainers', async ({ page }) => {
  await becomeMember(page, server, 'editor')
  await page.goto(`${list}/ada?env=production`)
  await expect(page.getByText('Production is protected: only maintainers can add overrides.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add override' })).toBeDisabled()
})

/** A flag for staff, and who was there. */
async function prepare(page: Page): Promise<void> {
  const environment = `${projectPath}/environments/development`
  await ask(page, server, {
    method: 'POST',
    path: `${projectPath}/segments`,
    body: {
      key: 'staff',
      name: 'Staff',
      when: { match: 'any', of: [{ attribute: 'email', operator: 'ends-with', value: '@here.example' }] },
    },
  })
  await ask(page, server, {
    method: 'POST',
    path: `${projectPath}/flags`,
    body: { key: 'checkout', name: 'Checkout', valueType: 'boolean' },
  })
  await ask(page, server, {
    method: 'PUT',
    path: `${environment}/flags/checkout/config`,
    headers: { 'if-match': '"1"' },
    body: {
      enabled: true,
      offVariation: 'off',
      prerequisites: [],
      rules: [
        {
          when: { match: 'all', of: [{ operator: 'in-segment', segment: 'staff' }] },
          serve: { variation: 'on' },
        },
      ],
      fallthrough: { variation: 'off' },
    },
  })
  const { version } = await ask<{ version: number }>(page, server, { path: environment })
  await ask(page, server, {
    method: 'PATCH',
    path: environment,
    headers: { 'if-match': `"${version}"` },
    body: { sensitiveTraits: ['email'] },
  })
  const { items } = await ask<{ items: { kind: string; value: string }[] }>(page, server, {
    path: `${environment}/keys`,
  })
  clientKey = items.find(({ kind }) => kind === 'client')?.value ?? ''
  await see(page, { targetingKey: 'ada', email: 'ada@here.example', plan: 'internal' })
  await see(page, { targetingKey: 'gone', plan: 'trade' })
  await Promise.all([
    ...[oddKey, longKey].map((targetingKey) => see(page, { targetingKey, plan: 'trade' })),
    ...Array.from({ length: 52 }, (_, age) => see(page, { targetingKey: `rider-${age}`, age })),
  ])
  // Who was seen is written in the background.
  await expect
    .poll(
      async () => {
        const answer = await ask<{ items: unknown[] }>(page, server, {
          path: `${environment}/identities?limit=200`,
        })
        return answer.items.length
      },
      { timeout: 15_000 },
    )
    .toBe(56)
}

async function see(page: Page, context: object): Promise<void> {
  await ask(page, server, {
    method: 'POST',
    path: '/ofrep/v1/evaluate/flags',
    headers: { authorization: `Bearer ${clientKey}` },
    body: { context },
  })
}

async function put(page: Page, targetingKey: string, variation: string): Promise<void> {
  await ask(page, server, {
    method: 'PUT',
    path: `${projectPath}/environments/development/flags/checkout/overrides/${targetingKey}`,
    body: { variation },
  })
}
