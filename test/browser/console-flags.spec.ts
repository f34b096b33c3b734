import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'

let server: BuiltServer
let home: string

test.beforeAll(async () => {
  server = await startConsole()
  home = `${server.url}/p/${project.key}`
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

test('a project without flags says what a flag is; the first one is made and opens', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(`${home}/flags`)
  await expect(page.getByRole('heading', { name: 'No flags yet' })).toBeVisible()
  await expectAccessible(page)

  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New flag' })
  await dialog.getByLabel('Name').fill('Banner colour')
  await expect(dialog.getByLabel('Key')).toHaveValue('banner-colour')
  await dialog.getByLabel('Kind of value').selectOption('Text')
  await dialog.getByLabel('Variations').fill('blue')
  await dialog.getByRole('button', { name: 'Create the flag' }).click()
  await expect(dialog.getByLabel('Variations')).toHaveAccessibleDescription(/Line 1 needs/)
  await expectAccessible(page)
  await dialog.getByLabel('Variations').fill('blue = #00f\nred = #f00')
  await dialog.getByRole('button', { name: 'Create the flag' }).dblclick()
  await expect(page).toHaveURL(`${home}/flags/banner-colour/targeting`)
  await expect(page.getByRole('tab', { name: 'Targeting' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('the list finds by key, name and lifecycle, and the address keeps it', async ({ page }) => {
  await page.goto(`${home}/flags?q=banner&state=new`)
  const table = page.getByRole('table', { name: 'Flags' })
  await expect(table.getByRole('link', { name: 'banner-colour' })).toBeVisible()
  await expectAccessible(page)

  await page.goto(`${home}/flags?q=nothing-like-it`)
  await expect(page.getByText('No flag fits the filter')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect(page).toHaveURL(`${home}/flags`)
  await table.getByRole('link', { name: 'banner-colour' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'banner-colour' })).toBeFocused()
})

test('settings are saved; archived, brought back, and deleted with the key typed out', async ({ page }) => {
  await page.goto(`${home}/flags/banner-colour/settings`)
  await page.getByLabel('Tags').fill('growth, shop, growth')
  await page.getByRole('button', { name: 'Save the settings' }).click()
  await expect(page.getByText('The settings of banner-colour are saved.')).toBeVisible()
  await expect(page.getByLabel('Tags')).toHaveValue('growth, shop')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Archive the flag' }).click()
  await expect(page.getByText('This flag is archived')).toBeVisible()
  await page.goto(`${home}/flags?state=archived`)
  await expect(page.getByRole('link', { name: 'banner-colour' })).toBeVisible()

  await page.goto(`${home}/flags/banner-colour/settings`)
  await page.getByRole('button', { name: 'Delete the flag' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('banner-colour')
  await dialog.getByRole('button', { name: 'Delete the flag' }).click()
  await expect(page).toHaveURL(`${home}/flags`)
  await page.goto(`${home}/flags/banner-colour`)
  await expect(page.getByText('There is no flag with this key')).toBeVisible()
})
