import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, signIn, startConsole } from './console.ts'
import { ask, becomeMember, projectPath } from './console-member.ts'

let server: BuiltServer
let list: string
const staff = { match: 'any', of: [{ attribute: 'email', operator: 'ends-with', value: '@here.example' }] }

test.beforeAll(async () => {
  server = await startConsole()
  list = `${server.url}/p/pedal-post/segments`
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

test('a project without segments explains them, and the first one is created by keyboard', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await page.goto(list)
  await expect(page.getByRole('heading', { name: 'No segments yet' })).toBeVisible()
  await expectAccessible(page)

  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New segment' })
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Enter a name.')
  await page.keyboard.type('Trade accounts')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${list}/trade-accounts`)
  await expect(page.getByText('No conditions: no user matches.')).toBeVisible()
  // The dialog that closed gives the focus away last.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await page.getByRole('button', { name: 'Condition', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Attribute' })).toBeFocused()
  await page.keyboard.type('plan')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await page.keyboard.type('is one')
  await page.keyboard.press('Tab')
  await page.keyboard.type('trade')
  await page.keyboard.press('Enter')
  await page.keyboard.type('reseller')
  await page.keyboard.press('Control+s')
  const review = page.getByRole('dialog', { name: 'Change segment trade-accounts' })
  await expect(review).toContainText('plan is one of trade, reseller')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText('saved as version 2')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Unsaved changes' })).toBeHidden()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Remove reseller' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('loading segments have placeholders, and a failure can be retried', async ({ page }) => {
  let answer: 'wait' | 'fail' | 'pass' = 'wait'
  await page.route('**/pedal-post/segments?*', async (route) => {
    if (answer === 'wait') await expect.poll(() => answer).not.toBe('wait')
    if (answer === 'fail') return route.fulfill({ status: 400, body: '{"title":"Not this time"}' })
    return route.continue()
  })
  await page.goto(list)
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  answer = 'fail'
  await expect(page.getByRole('heading', { name: 'Not this time' })).toBeVisible()
  await expectAccessible(page)
  answer = 'pass'
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('link', { name: 'trade-accounts' })).toBeVisible()
})

test('every operand has its control and its errors, and a pasted list becomes several values', async ({
  page,
}) => {
  await create(page, 'operands', { match: 'all', of: [] })
  await page.goto(`${list}/operands`)
  const add = page.getByRole('button', { name: 'Condition', exact: true }).last()
  const condition = (number: number) => page.getByRole('group', { name: `Condition ${number}`, exact: true })
  async function addCondition(number: number, operator: string) {
    await add.click()
    await condition(number).getByRole('combobox', { name: 'Attribute' }).fill('a')
    await condition(number).getByLabel('Operator').selectOption(operator)
  }

  await addCondition(1, 'matches')
  await condition(1).getByLabel('Value').fill('(abc')
  await expect(condition(1).getByLabel('Value')).toHaveAccessibleDescription(/Invalid expression/)
  await condition(1).getByLabel('Value').fill('^abc$')
  await expect(condition(1).getByLabel('Value')).toHaveAccessibleDescription(/RE2/)
  await addCondition(2, 'semver-less')
  await condition(2).getByLabel('Value').fill('v1')
  await expect(condition(2).getByLabel('Value')).toHaveAccessibleDescription(/Must be a version/)
  await condition(2).getByLabel('Value').fill('1.2.3')
  await addCondition(3, 'greater')
  await page.keyboard.press('Control+s')
  await expect(condition(3).getByLabel('Number', { exact: true })).toBeFocused()
  await expect(condition(3).getByLabel('Number', { exact: true })).toHaveAccessibleDescription(
    'Enter a number.',
  )
  await condition(3).getByLabel('Compare as').selectOption('date')
  await condition(3).getByLabel('Date and time, UTC').fill('2026-01-31T12:00:00')
  await addCondition(4, 'percentage')
  await condition(4).getByLabel('Percentage').fill('12.5')
  await addCondition(5, 'in')
  await condition(5)
    .getByLabel('Values', { exact: true })
    .evaluate((field) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', 'one\ntwo\nthree')
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
  await expect(condition(5).getByText('3 added.')).toBeVisible()
  await expectAccessible(page)

  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Save segment' }).click()
  await expect(page.getByText('saved as version 2')).toBeVisible()
  const saved = await ask<{ when: unknown }>(page, server, { path: `${projectPath}/segments/operands` })
  expect(saved.when).toMatchObject({
    match: 'all',
    of: [
      { operator: 'matches', value: '^abc$' },
      { operator: 'semver-less', value: '1.2.3' },
      { operator: 'greater', value: '2026-01-31T12:00:00Z' },
      { operator: 'percentage', weight: 12_500 },
      { operator: 'in', values: ['one', 'two', 'three'] },
    ],
  })
})

test('a typed value of a list is accepted by any click or key', async ({ page }) => {
  const long = Array.from({ length: 6 }, (_, index) => `a-plan-with-a-long-name-${index}`)
  await create(page, 'plans', {
    match: 'all',
    of: [{ attribute: 'plan', operator: 'in', values: long }],
  })
  await page.goto(`${list}/plans`)
  const condition = page.getByRole('group', { name: 'Condition 1', exact: true })
  const field = condition.getByLabel('Values', { exact: true })
  const chip = (value: string) => condition.getByRole('button', { name: `Remove ${value}`, exact: true })

  // What stands below moves when the list grows by a line: the press reaches it all the same.
  await field.fill('first-of-those-that-are-typed')
  await page.getByRole('button', { name: 'Condition', exact: true }).last().click()
  await expect(chip('first-of-those-that-are-typed')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Condition 2', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Remove condition 2' }).click()

  await field.fill('12')
  await condition.getByLabel('Type of values').selectOption('number')
  await expect(field).toHaveValue('12')
  await page.getByRole('heading', { name: 'About' }).click()
  await expect(chip('12')).toBeVisible()
  await field.fill('twelve')
  await page.getByRole('heading', { name: 'About' }).click()
  await expect(field).toHaveValue('twelve')
  await expect(field).toHaveAccessibleDescription(/Not a number/)
  await condition.getByLabel('Type of values').selectOption('text')
  await chip(long[0] ?? '').click()
  await expect(field).toHaveValue('twelve')

  await page.keyboard.press('Control+s')
  await expect(page.getByRole('dialog')).toContainText('twelve')
  await page.getByRole('button', { name: 'Save segment' }).click()
  await expect(page.getByText('saved as version 2')).toBeVisible()
  const saved = await ask<{ when: unknown }>(page, server, { path: `${projectPath}/segments/plans` })
  expect(saved.when).toMatchObject({
    of: [{ values: [...long.slice(1), 'first-of-those-that-are-typed', 12, 'twelve'] }],
  })
})

test('the second of two members sees both changes and keeps both', async ({ page }) => {
  await create(page, 'shared', staff)
  await page.goto(`${list}/shared`)
  await page.getByLabel('Value', { exact: true }).fill('@mine.example')
  await ask(page, server, {
    method: 'PATCH',
    path: `${projectPath}/segments/shared`,
    body: { name: 'Their name' },
    headers: { 'if-match': '"1"' },
  })
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Save segment' }).click()
  await expect(page.getByRole('region', { name: 'What they changed' })).toContainText('Their name')
  await expect(page.getByRole('region', { name: 'What you changed' })).toContainText('@mine.example')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Merge' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Their name')
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Save segment' }).click()
  await expect(page.getByText('saved as version 3')).toBeVisible()
})

test('unsaved changes are never lost without a warning', async ({ page }) => {
  await create(page, 'kept', staff)
  await page.goto(`${list}/kept`)
  await page.getByLabel('Name', { exact: true }).fill('Changed')
  await page.getByRole('link', { name: 'Segments' }).first().click()
  const warning = page.getByRole('dialog', { name: 'Leave the segment kept without saving' })
  await expect(warning).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Changed')
  await page.getByRole('link', { name: 'Segments' }).first().click()
  await warning.getByRole('button', { name: 'Leave and discard' }).click()
  await expect(page).toHaveURL(list)
})

test('a used segment lists its flags and cannot be deleted; an unused one can', async ({ page }) => {
  await create(page, 'used', staff)
  await useInFlag(page, 'checkout', 'used')
  await page.goto(list)
  const row = page.getByRole('row', { name: /^used/ })
  await expect(row).toContainText('1 flag')
  await page.getByLabel('Filter by key, name or description').fill('USED')
  await expect(page).toHaveURL(`${list}?q=USED`)
  await expect(page.getByText(/^1 of \d+$/)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')

  await page.goto(`${list}?q=used`)
  await expect(row).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  await expect(page.getByRole('complementary', { name: 'used' })).toContainText('@here.example')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${list}/used`)
  await page.getByRole('button', { name: 'Delete segment' }).click()
  const refusal = page.getByRole('dialog', { name: 'used is still in use' })
  await expect(refusal).toContainText('checkout')
  await expect(refusal).toContainText('Production')
  await refusal.getByRole('button', { name: 'Close' }).first().click()

  await create(page, 'unused', staff)
  await page.goto(`${list}/unused`)
  await page.getByRole('button', { name: 'Delete segment' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete segment' }).click()
  await expect(page).toHaveURL(list)
  await expect(page.getByRole('row', { name: /^unused/ })).toBeHidden()
  await page.goto(`${list}/unused`)
  await expect(page.getByRole('heading', { name: 'Segment not found' })).toBeVisible()

  await page.goto(`${list}/used`)
  await page.getByRole('link', { name: 'checkout' }).click()
  await expect(page).toHaveURL(/\/flags\/checkout\/targeting\?.*env=production/)
})

test('an editor sees before and after editing what a protected environment requires', async ({ page }) => {
  await create(page, 'guarded', staff)
  await useInFlag(page, 'guarded-flag', 'guarded')
  await becomeMember(page, server, 'editor')
  await page.goto(`${list}/guarded`)
  await expect(page.getByText('Used by rules in Production')).toBeVisible()
  await page.getByLabel('Value', { exact: true }).fill('@else.example')
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Save segment' }).click()
  await expect(page.getByRole('alert')).toContainText('Requires a maintainer')
  await expect(page.getByRole('dialog')).toContainText('@else.example')
})

test('a viewer reads everything and changes nothing, on a narrow screen in both themes', async ({ page }) => {
  await create(page, 'read-by-viewers', { match: 'all', of: [staff, { match: 'none', of: staff.of }] })
  await becomeMember(page, server, 'viewer')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(list)
  await expect(page.getByRole('button', { name: 'New segment' })).toBeDisabled()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('link', { name: 'read-by-viewers' }).click()
  await expect(page.getByText('Read-only')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).not.toBeEditable()
  await expect(page.getByRole('button', { name: 'Delete segment' })).toBeDisabled()
  await expectAccessibleInBothThemes(page)
})

async function create(page: Page, key: string, when: object): Promise<void> {
  await ask(page, server, {
    method: 'POST',
    path: `${projectPath}/segments`,
    body: { key, name: `Named ${key}`, when },
  })
}

/** A flag that is on in the protected environment and whose rule names the segment. */
async function useInFlag(page: Page, flag: string, segment: string): Promise<void> {
  await ask(page, server, {
    method: 'POST',
    path: `${projectPath}/flags`,
    body: { key: flag, name: flag, valueType: 'boolean' },
  })
  await ask(page, server, {
    method: 'PUT',
    path: `${projectPath}/environments/production/flags/${flag}/config`,
    headers: { 'if-match': '"1"' },
    body: {
      enabled: true,
      offVariation: 'off',
      prerequisites: [],
      rules: [
        { when: { match: 'all', of: [{ operator: 'in-segment', segment }] }, serve: { variation: 'on' } },
      ],
      fallthrough: { variation: 'off' },
    },
  })
}
