// Saved views of a list: saved, recognised, changed, made the default, pinned and deleted.

import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { becomeMember } from './console-member.ts'

let server: BuiltServer

const flags = (search = '') => `${server.url}/p/${project.key}/flags${search}`
const menu = (page: Page) => page.getByRole('button', { name: /^Views: / })
const item = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name })

// One story, told in order.
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startConsole()
})
test.afterAll(() => server?.[Symbol.asyncDispose]())
test.beforeEach(({ page }) => signIn(page, server))

test('a view is saved by keyboard, recognised by its address and marked when modified', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(flags('?q=checkout'))
  await expect(menu(page)).toHaveAccessibleName('Views: none')
  await menu(page).press('Enter')
  await expect(page.getByText('No saved views yet')).toBeVisible()
  await item(page, 'Save as new view…').press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Save as new view' })
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(dialog.getByText('Give the view a name.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Checkout flags')
  await dialog.getByRole('checkbox', { name: 'Share with the project' }).check()
  await expectAccessibleInThemes(page)
  await dialog.getByRole('textbox', { name: 'Name' }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(menu(page)).toHaveAccessibleName('Views: Checkout flags')

  await page.goto(flags())
  await menu(page).click()
  await item(page, /^Checkout flags/).click()
  await expect(page).toHaveURL(/q=checkout/)
  await page.getByRole('searchbox').first().fill('checkout-v2')
  await expect(menu(page)).toHaveAccessibleName('Views: Checkout flags, modified')
  await menu(page).click()
  await item(page, 'Save changes').click()
  await expect(menu(page)).toHaveAccessibleName('Views: Checkout flags')
  expect(complaints).toEqual([])
})

test('the default opens where the address has no parameters, and a filter can still be cleared', async ({
  page,
}) => {
  await page.goto(flags('?q=checkout-v2'))
  await menu(page).click()
  await page.getByRole('menuitemcheckbox', { name: 'My default here' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Pin to the navigation' }).click()
  await page.keyboard.press('Escape')
  const pinned = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Checkout flags' })
  await expect(pinned).toHaveAttribute('aria-current', 'page')
  await menu(page).click()
  await expect(item(page, /^Checkout flags.*default/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expectAccessible(page)

  await page.goto(flags())
  await expect(page).toHaveURL(/q=checkout-v2/)
  await page.getByRole('searchbox').first().fill('')
  await expect(page).not.toHaveURL(/q=/)
  await page.goto(`${server.url}/p/${project.key}/segments`)
  await pinned.click()
  await expect(page).toHaveURL(/flags\?q=checkout-v2/)

  await page.setViewportSize({ width: 390, height: 844 })
  await menu(page).click()
  await expect(item(page, /^Checkout flags/)).toBeVisible()
  await expectAccessible(page)
})

test('a viewer opens shared views and changes none', async ({ page }) => {
  await becomeMember(page, server, 'viewer')
  await page.goto(flags())
  await menu(page).click()
  await item(page, /^Checkout flags/).click()
  await menu(page).click()
  await expect(item(page, 'Delete')).toBeDisabled()
  await expect(item(page, 'Rename or share…')).toBeDisabled()
  await item(page, 'Save as new view…').click()
  await expect(page.getByRole('checkbox', { name: 'Share with the project' })).toBeDisabled()
})

test('a deleted view comes back with Undo', async ({ page }) => {
  await page.goto(flags('?q=checkout-v2'))
  await menu(page).click()
  await item(page, 'Delete').click()
  await expect(menu(page)).toHaveAccessibleName('Views: none')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(menu(page)).toHaveAccessibleName('Views: Checkout flags')
})
