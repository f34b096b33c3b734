// The documentation that the server hands out: found from the console, searched by keys, in both themes and both widths.

import { expect, test } from '@playwright/test'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, signIn, startConsole } from './console.ts'

let server: BuiltServer

test.beforeAll(async () => {
  server = await startConsole()
})
test.afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})

test('the list of keys links to it, the search finds a section, and it is public', async ({
  page,
  context,
}) => {
  await signIn(page, server)
  await page.goto(`${server.url}/p/pedal-post`)
  await expect(page.getByText('Client key')).toBeVisible()
  await page.keyboard.press('?')
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'documentation' }).click()
  await expect(await opened).toHaveTitle('Telltale documentation · Telltale documentation')

  await context.clearCookies()
  const complaints = listenForComplaints(page)
  await page.goto(`${server.url}/docs`)
  await expect(page.getByRole('heading', { level: 1, name: 'Telltale documentation' })).toBeVisible()
  await expectAccessibleInThemes(page)
  await page.keyboard.press('/')
  await page.keyboard.type('source map upl')
  await expect(page.getByRole('option').first()).toBeVisible()
  await expectAccessibleInThemes(page)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { selected: true })).toContainText(/source map/i)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/docs\/guides\/source-maps/)
  await expectAccessibleInThemes(page)
  await page.goto(`${server.url}/docs/reference/limits`)
  await expectAccessibleInThemes(page)

  await page.keyboard.press('/')
  await page.keyboard.type('xylophone')
  await expect(page.getByRole('status')).toHaveText('Nothing found for "xylophone".')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('status')).toBeHidden()
  expect(complaints).toEqual([])
})

test('an unknown URL is reported, and files besides the documents cannot be requested', async ({
  page,
  request,
}) => {
  const missing = await page.goto(`${server.url}/docs/guides/nothing`)
  expect(missing?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  for (const path of ['/docs/..%2fpackage.json', '/docs/.ready.json%00', '/docs/guides/'])
    expect((await request.get(`${server.url}${path}`)).status(), path).not.toBe(200)
  const schema = await request.get(`${server.url}/docs/reference/setup-file.schema.json`)
  expect(schema.headers()['content-type']).toContain('application/json')
})
