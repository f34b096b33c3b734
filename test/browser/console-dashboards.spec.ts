// Dashboards, from a template to a wall: tiles, their states, editing by keyboard, and two people at once.

import { expect, type Page, test } from '@playwright/test'
import { event } from '../intake/visitor.ts'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { ask, becomeMember, projectPath } from './console-member.ts'
import { firefox, openSeeder } from './seed-events.ts'

let server: BuiltServer

const minute = 60_000
const begun = Date.now()

test.beforeAll(async ({ browser }) => {
  server = await startConsole({ telemetry: true })
  const page = await browser.newPage()
  await signIn(page, server)
  const seeder = await openSeeder(page, server)
  const viewsAt = (minutes: number, count: number) =>
    Array.from({ length: count }, (_, index) => event('view', { at: begun - minutes * minute + index }))
  const vitals = Array.from({ length: 60 }, (_, index) =>
    event('vital', { at: begun - 50 * minute - index, name: 'LCP', value: 1_000 + index * 10 }),
  )
  await seeder.visit({ about: { page: '/cart' }, events: [...viewsAt(50, 30), ...vitals] })
  await seeder.visit({ about: { page: '/' }, events: viewsAt(40, 20), browser: firefox })
  await seeder.untilStored(110)
  await page.close()
})
test.afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

const list = `${projectPath}/dashboards`
const address = (path = '') => `${server.url}/p/${project.key}/dashboards${path}`
const tileOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const titles = (page: Page) => page.locator('[data-tile] h2').allTextContents()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

interface Made {
  id: string
  version: number
}
const place = (id: number) => ({
  id: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  title: '',
  width: 6,
  height: 'medium',
})
const views = (id: number, more: object = {}) => ({
  ...place(id),
  kind: 'explore',
  chart: 'line',
  event: 'view',
  measure: 'count',
  ...more,
})
const text = (id: number, title: string) => ({ ...place(id), title, kind: 'text', text: `**${title}** text` })
const create = (page: Page, tiles: object[], name = 'Ours') =>
  ask<Made>(page, server, {
    method: 'POST',
    path: list,
    body: { name, description: '', tiles, defaults: { range: '24h' } },
  })

test('a dashboard is created from a template, found again, and its tiles show what was recorded', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await page.goto(`${server.url}/p/${project.key}`)
  await expect(heading(page, 'Overview')).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page.getByRole('heading', { name: 'No dashboards yet' })).toBeVisible()
  await expectAccessibleInThemes(page)
  await page.getByRole('button', { name: /^Web vitals/ }).click()
  const dialog = page.getByRole('dialog', { name: 'New dashboard' })
  await expect(dialog.getByLabel('Name')).toHaveValue('Web vitals')
  await expectAccessibleInThemes(page)
  await dialog.getByRole('button', { name: 'Create dashboard' }).click()

  await expect(heading(page, 'Web vitals')).toBeVisible()
  await expect(page).toHaveURL(/t=24h/)
  const vitals = tileOf(page, 'Web vitals')
  await expect(vitals).toContainText(/LCP p75.*1\.45/)
  await expect(vitals).toContainText('100% good')
  await expect(tileOf(page, 'p75 LCP by Page')).toContainText(/\/cart1\.45/)
  await expectAccessibleInThemes(page)

  // The filter is of all tiles, and in the address.
  await page.getByRole('combobox', { name: /Filter all tiles/ }).fill('page:/nowhere')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/q=page/)
  await expect(tileOf(page, 'p75 LCP by Page')).toContainText('No events')
  await page.reload()
  await expect(tileOf(page, 'p75 LCP by Page')).toContainText('No events')

  await page.goto(address())
  const row = page.getByRole('row', { name: /Web vitals/ })
  await expect(row).toContainText('Mara Oduya')
  await expectAccessibleInThemes(page)
  await page.getByRole('searchbox').fill('nothing like it')
  await expect(page.getByRole('heading', { name: 'No dashboards match the filter' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('a question of Explore becomes a tile, and the tile leads back to the question', async ({ page }) => {
  await page.goto(
    `${server.url}/p/${project.key}/explore?measure=count&kind=view&by=page&look=stacked&q=browser%3AFirefox`,
  )
  await page.getByRole('button', { name: 'Add to dashboard' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add to dashboard' })
  await dialog.getByLabel('Dashboard').selectOption({ label: 'New dashboard' })
  await dialog.getByRole('button', { name: 'Table' }).click()
  await dialog.getByRole('button', { name: 'Add tile' }).click()
  await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription('Enter a name.')
  await dialog.getByLabel('Name').fill('From Explore')
  await dialog.getByRole('button', { name: 'Add tile' }).click()
  await page.getByRole('button', { name: 'Open dashboard' }).click()

  await expect(heading(page, 'From Explore')).toBeVisible()
  const table = page.getByRole('table', { name: 'Views by Page' })
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(table).toContainText('/20100%')
  await page.getByRole('link', { name: 'Open Views by Page' }).click()
  await expect(heading(page, 'Explore')).toBeVisible()
  await expect(page).toHaveURL(/by=page.*|q=browser/)
  await expect(page.getByText(/Total 20/).first()).toBeVisible()
})

test('tiles are moved, resized, copied, removed and added by keyboard, and saved as a whole', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  const { id } = await create(page, [views(1), text(2, 'Second'), text(3, 'Third')], 'By keyboard')
  await page.goto(address(`/${id}`))
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const handle = page.getByRole('button', { name: 'Move Third' })
  await handle.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => titles(page)).toEqual(['Third', 'Views', 'Second'])
  await expect(handle).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => titles(page)).toEqual(['Views', 'Third', 'Second'])
  await expect(handle).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText('Moved to place 1 of 3')).toBeAttached()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(page.getByText('8 of 12 columns, medium height')).toBeAttached()
  await expectAccessibleInThemes(page)

  await page.getByRole('button', { name: 'More for Second' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect.poll(() => titles(page)).toEqual(['Third', 'Views', 'Second', 'Second'])
  await page.getByRole('button', { name: 'More for Views' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect.poll(() => titles(page)).toEqual(['Third', 'Second', 'Second'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => titles(page)).toEqual(['Third', 'Views', 'Second', 'Second'])

  await page.getByRole('button', { name: 'Add tile' }).click()
  await page.getByRole('menuitem', { name: 'Chart or number' }).click()
  const dialog = page.getByRole('dialog', { name: 'New tile: Chart or number' })
  await dialog.getByLabel('Event type').selectOption({ label: 'views' })
  await dialog.getByRole('button', { name: 'Number', exact: true }).click()
  await dialog.getByLabel('Title (optional)').fill('All views')
  await expect(dialog.getByRole('region', { name: 'All views', exact: true })).toContainText('50')
  await expectAccessibleInThemes(page)
  await dialog.getByRole('button', { name: 'Add tile' }).click()
  await expect(tileOf(page, 'All views')).toContainText('50')

  await page.getByRole('button', { name: 'Discard' }).click()
  const leaving = page.getByRole('dialog', { name: 'Leave this dashboard without saving' })
  await leaving.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  await page.reload()
  await expect.poll(() => titles(page)).toEqual(['Third', 'Views', 'Second', 'Second', 'All views'])
  expect(complaints).toEqual([])
})

test('a dashboard opens with its own period and filter, unless the address says otherwise', async ({
  page,
}) => {
  const { id } = await ask<Made>(page, server, {
    method: 'POST',
    path: list,
    body: {
      name: 'With defaults',
      description: '',
      tiles: [views(1, { chart: 'table', by: 'page' })],
      defaults: { range: '7d', filter: 'page:/cart' },
    },
  })
  const table = page.getByRole('table', { name: 'Views by Page' })
  await page.goto(address(`/${id}`))
  await expect(page).toHaveURL(/t=7d.*q=page|q=page.*t=7d/)
  await expect(table).toContainText('/cart30')
  await expect(table.getByRole('row')).toHaveCount(2)
  await page.goto(address(`/${id}?t=24h&q=browser%3AFirefox`))
  await expect(table).toContainText('/20')
  await expect(page).toHaveURL(/t=24h/)
})

test('a tile is dragged to another place', async ({ page }) => {
  const { id } = await create(page, [text(1, 'One'), text(2, 'Two'), text(3, 'Three')], 'By pointer')
  await page.goto(address(`/${id}?edit=true`))
  const box = await page.locator('[data-tile]').first().boundingBox()
  await page.getByRole('button', { name: 'Move Three' }).hover()
  await page.mouse.down()
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 80, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => titles(page)).toEqual(['Three', 'One', 'Two'])
})

test('of two who edit one dashboard, the second sees both versions and chooses', async ({ page }) => {
  const { id } = await create(page, [text(1, 'One'), text(2, 'Two')], 'Shared')
  await page.goto(address(`/${id}?edit=true`))
  await page.getByRole('button', { name: 'More for One' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await ask(page, server, {
    method: 'PUT',
    path: `${list}/${id}`,
    body: {
      name: 'Renamed by another',
      description: '',
      tiles: [text(1, 'One'), text(2, 'Two'), text(3, 'Three')],
      defaults: { range: '24h' },
    },
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Someone else saved first' })
  await expect(dialog).toContainText('Renamed by another')
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Removes' })).toHaveText([
    /Removes\s*One/,
    /Removes\s*Three/,
  ])
  await expectAccessibleInThemes(page)
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByRole('button', { name: 'Save mine over it' }).click()
  await expect(heading(page, 'Shared')).toBeVisible()
  await expect.poll(() => titles(page)).toEqual(['Two'])
  const { version } = await ask<Made>(page, server, { path: `${list}/${id}` })
  expect(version).toBe(3)
})

test('what a tile names and the project no longer has is said, and the rest of the screen works', async ({
  page,
}) => {
  const flag = { ...place(1), kind: 'impact', flag: 'old-checkout' }
  const alert = { ...place(2), kind: 'alert', alert: place(9).id }
  const { id } = await create(page, [flag, alert, views(3)], 'With holes')
  await page.goto(address(`/${id}`))
  await expect(tileOf(page, 'Impact of old-checkout')).toContainText(
    /This flag no longer exists.*old-checkout/,
  )
  await expect(tileOf(page, 'Alert')).toContainText('This alert no longer exists')
  await expect(page.getByRole('img', { name: 'Views over time', exact: true })).toBeVisible()
  await expectAccessibleInThemes(page)
})

test('a tile that fails says why and can be tried again alone', async ({ page }) => {
  const { id } = await create(page, [text(1, 'Words'), views(2)], 'Store away')
  const tiles = /\/dashboards\/[^/]+\/tiles\//
  await page.route(tiles, (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: '/errors/engine-unavailable',
        title: 'Storage engine unavailable',
        status: 503,
      }),
    }),
  )
  await page.goto(address(`/${id}`))
  await expect(tileOf(page, 'Views')).toContainText('The telemetry store is unavailable')
  await expect(tileOf(page, 'Words')).toContainText('Words text')
  await expectAccessibleInThemes(page)
  await page.unroute(tiles)
  await tileOf(page, 'Views').getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('img', { name: 'Views over time', exact: true })).toBeVisible()
})

test('tiles below the fold are measured when they come near, and four at most at once', async ({ page }) => {
  const tiles = Array.from({ length: 30 }, (_, index) =>
    views(index, { title: `Tile ${index}`, top: index + 1, by: 'page' }),
  )
  const { id } = await create(page, tiles, 'Many')
  let running = 0
  let most = 0
  let all = 0
  await page.route(/\/tiles\//, async (route) => {
    running += 1
    all += 1
    most = Math.max(most, running)
    const answer = await route.fetch()
    running -= 1
    const body = (await answer.text()).replaceAll('"/cart"', `"/${'long-name/'.repeat(40)}"`)
    await route.fulfill({ response: answer, body })
  })
  await page.goto(address(`/${id}`))
  await expect(page.getByRole('img', { name: /over time/ }).first()).toBeVisible()
  await expect.poll(() => running).toBe(0)
  expect(most).toBeLessThanOrEqual(4)
  expect(all).toBeLessThan(20)
  // However long the legend is, the axis is inside the tile.
  const content = page.getByLabel('Content of Tile 1', { exact: true })
  await expect(content).toContainText('long-name')
  await expect(content.getByRole('img', { name: /over time/ })).toBeVisible()
  expect(await content.evaluate((box) => box.scrollHeight - box.clientHeight)).toBeLessThanOrEqual(0)
  await tileOf(page, 'Tile 29').scrollIntoViewIfNeeded()
  await expect(tileOf(page, 'Tile 29').getByRole('img', { name: /over time/ })).toBeVisible()
})

test('on a wall there are only tiles, and escape leads back', async ({ page }) => {
  const { id } = await create(page, [views(1, { chart: 'number', title: 'Views today' })], 'Wall')
  await page.goto(address(`/${id}`))
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'TV mode' }).click()
  await expect(page).toHaveURL(/tv=true/)
  await expect(tileOf(page, 'Views today')).toContainText('50')
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expectAccessibleInThemes(page)
  await page.reload()
  await expect(tileOf(page, 'Views today')).toContainText('50')
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/tv=/)
  await expect(page.getByRole('navigation').first()).toBeVisible()
})

test('a dashboard is exported, deleted with undo, and imported; a bad file is refused with its faults', async ({
  page,
}) => {
  const { id } = await create(page, [text(1, 'Kept')], 'Portable')
  await page.goto(address(`/${id}`))
  const more = page.getByRole('button', { name: 'More actions' })
  await more.click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export as JSON' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toBe('portable.dashboard.json')

  await more.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByText('Portable was deleted.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(heading(page, 'Portable')).toBeVisible()
  await expect(tileOf(page, 'Kept')).toContainText('Kept text')

  await page.goto(address())
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import a dashboard' })
  const input = dialog.locator('input[type=file]')
  await input.setInputFiles({
    name: 'bad.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"kind":1}'),
  })
  await expect(dialog).toContainText('The file was not imported')
  await expect(dialog).toContainText('/schema')
  await expectAccessibleInThemes(page)
  await input.setInputFiles(await file.path())
  await expect(heading(page, 'Portable')).toBeVisible()
})

test('a viewer looks and changes nothing', async ({ page }) => {
  const { id } = await create(page, [text(1, 'Seen')], 'For all')
  await becomeMember(page, server, 'viewer')
  await page.goto(address(`/${id}?edit=true`))
  await expect(tileOf(page, 'Seen')).toContainText('Seen text')
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeDisabled()
  await page.goto(address())
  await expect(page.getByRole('button', { name: 'New dashboard' })).toBeDisabled()
})
