import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, signIn, startConsole } from './console.ts'
import { ask, becomeMember, projectPath } from './console-member.ts'

let server: BuiltServer
let list: string
let made = 0

test.beforeAll(async () => {
  server = await startConsole()
  list = `${server.url}/p/pedal-post/flags`
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

const table = (page: Page) => page.getByRole('table', { name: 'Flags' })
const configPath = (key: string, env: string) => `${projectPath}/environments/${env}/flags/${key}/config`

/** A flag of its own for every test, off everywhere. */
async function makeFlag(page: Page, about: object = {}): Promise<string> {
  made += 1
  const key = `flag-${made}`
  const body = { key, name: `Flag ${made}`, valueType: 'boolean', ...about }
  await ask(page, server, { method: 'POST', path: `${projectPath}/flags`, body })
  return key
}

interface Config {
  enabled: boolean
  version: number
  salt: string
  savedAt: string
}
const read = (page: Page, key: string, env = 'development') =>
  ask<Config>(page, server, { path: configPath(key, env) })

async function save(page: Page, key: string, change: object): Promise<void> {
  const { salt: _salt, savedAt: _savedAt, ...config } = await read(page, key)
  const body = { ...config, ...change }
  await ask(page, server, { method: 'PUT', path: configPath(key, 'development'), body })
}

test('a project without flags explains flags; the first one is created by keyboard', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(list)
  await expect(page.getByRole('heading', { name: 'No flags yet' })).toBeVisible()
  await expectAccessibleInBothThemes(page)

  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New flag' })
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Enter a name.')
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type('Banner colour')
  await expect(dialog.getByLabel('Key')).toHaveValue('banner-colour')
  await dialog.getByRole('button', { name: 'Text' }).click()
  const first = dialog.getByRole('group', { name: /variation 1/ })
  await first.getByLabel('Key').fill('blue')
  await dialog.getByRole('group', { name: 'blue' }).getByLabel('Value').fill('#00f')
  const second = dialog.getByRole('group', { name: /variation 2/ })
  await second.getByLabel('Key').fill('blue')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Another variation already has this key.')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('Key').last().fill('red')
  await dialog.getByRole('button', { name: 'Create flag' }).dblclick()
  await expect(page).toHaveURL(/\/flags\/banner-colour\/targeting/)
  await expect(page.getByRole('heading', { level: 1, name: 'banner-colour' })).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Rules', exact: true })).toBeVisible()
  expect(complaints).toEqual([])
})

test('filters are in the URL and survive a reload; without a match they can be cleared', async ({ page }) => {
  const key = await makeFlag(page, { name: 'Blue buttons', tags: ['shop', 'growth', 'autumn'] })
  const other = await makeFlag(page, { tags: ['search'] })
  await page.goto(list)
  await expect(table(page).getByRole('link', { name: other, exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Tag', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: /shop/ }).click()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/tag=shop/)
  await page.keyboard.press('/')
  await page.keyboard.type('blue')
  await expect(page).toHaveURL(/q=blue/)
  await page.getByRole('link', { name: 'New', exact: true }).click()
  await expect(page).toHaveURL(/lifecycle=new/)

  await page.reload()
  await expect(page.getByText('1 flag', { exact: true })).toBeVisible()
  await expect(table(page).getByRole('link', { name: key, exact: true })).toBeVisible()
  await expect(table(page).getByRole('link', { name: other, exact: true })).toBeHidden()
  await expectAccessibleInBothThemes(page)

  await page.getByRole('link', { name: 'Archived', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'No matching flags' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect(page).toHaveURL(list)
  await expect(table(page).getByRole('link', { name: other, exact: true })).toBeVisible()
})

test('the list is navigated, previewed and opened by keyboard', async ({ page }) => {
  const key = await makeFlag(page, { description: 'All of it stands in the peek.' })
  await page.goto(`${list}?q=${key}`)
  await expect(page.getByText('1 flag', { exact: true })).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  await expect(page).toHaveURL(new RegExp(`peek=${key}`))
  const peek = page.getByRole('complementary').filter({ hasText: 'All of it stands in the peek.' })
  await expect(peek).toContainText('Production')
  await expectAccessibleInBothThemes(page)
  await page.reload()
  await expect(peek).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(peek).toBeHidden()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/flags/${key}/targeting`))
  await expect(page.getByRole('heading', { name: 'Rules', exact: true })).toBeVisible()
  await page.keyboard.press(']')
  await expect(page).toHaveURL(new RegExp(`/flags/${key}/impact`))
  await expect(page.getByRole('heading', { name: 'Nothing to compare yet' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
})

test('a flag is switched and undone immediately; a protected environment reviews it first', async ({
  page,
}) => {
  const key = await makeFlag(page)
  await page.goto(`${list}?q=${key}&env=development`)
  const here = page.getByRole('switch', { name: `${key} in Development` })
  await here.click()
  await expect(page.getByText(`${key} is on in Development.`)).toBeVisible()
  await expect(here).toBeChecked()
  expect((await read(page, key)).enabled).toBe(true)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`${key} is off in Development.`)).toBeVisible()
  await expect(here).not.toBeChecked()
  expect(await read(page, key)).toMatchObject({ enabled: false, version: 3 })

  await page.goto(`${list}?q=${key}&env=production`)
  const live = page.getByRole('switch', { name: `${key} in Production` })
  await live.click()
  const review = page.getByRole('dialog', { name: `Turn on ${key} in Production` })
  await expect(review).toContainText('the flag is on')
  expect((await read(page, key, 'production')).enabled).toBe(false)
  await expectAccessibleInBothThemes(page)
  await review.getByLabel('Reason').fill('The shop is ready.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(`${key} is on in Production.`)).toBeVisible()
  await expect(live).toBeChecked()
})

test('every version shows its changes, and an old one is restored as a new one', async ({ page }) => {
  const key = await makeFlag(page)
  await save(page, key, { enabled: true, reason: 'Autumn begins.' })
  await save(page, key, { fallthrough: { variation: 'off' }, reason: 'For some.' })
  await page.goto(`${list}/${key}/history?env=development`)
  const versions = page.getByRole('list').filter({ hasText: 'Version 1' })
  await expect(versions.getByRole('link')).toHaveCount(3)
  await expect(page.getByRole('heading', { name: 'Version 3' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('serve on')
  await expectAccessibleInBothThemes(page)

  await page.keyboard.press('j')
  await expect(page).toHaveURL(/v=2/)
  await expect(page.getByRole('heading', { name: 'Version 2' })).toBeVisible()
  await page.getByLabel('Compare with').selectOption('Version 3 (current)')
  await page.reload()
  await expect(page.getByLabel('Compare with')).toHaveValue('3')

  await page.getByRole('button', { name: 'Restore version 2…' }).click()
  const review = page.getByRole('dialog', { name: `Restore version 2 of ${key} in Development` })
  await expect(review).toContainText('serve on')
  await expectAccessible(page)
  await review.getByLabel(/^Reason/).fill('Back to everyone.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Version 2 restored as version 4.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Version 4' })).toBeVisible()
  expect(await read(page, key)).toMatchObject({ version: 4, fallthrough: { variation: 'on' } })
})

test('usage shows no evaluations, evaluations, prerequisites and dependents', async ({ page }) => {
  const [base, on] = [
    await makeFlag(page, { clientVisible: true }),
    await makeFlag(page, { clientVisible: true }),
  ]
  await save(page, base, { enabled: true })
  await save(page, on, { enabled: true, prerequisites: [{ flag: base, variation: 'off' }] })
  await page.goto(`${list}/${on}/usage?env=development`)
  await expect(page.getByRole('heading', { name: 'Never evaluated here' })).toBeVisible()
  await expect(page.getByText(`flags.getBoolean('${on}', false)`)).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('link', { name: base, exact: true }).click()
  await expect(page.getByRole('heading', { name: base, exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Usage' }).click()
  await expect(page.getByRole('complementary').last()).toContainText(`${on} in Development`)

  const keys = `${projectPath}/environments/development/keys`
  const { value } = await ask<{ value: string }>(page, server, {
    method: 'POST',
    path: keys,
    body: { kind: 'client', label: 'Shop' },
  })
  await ask(page, server, {
    method: 'POST',
    path: '/ofrep/v1/evaluate/flags',
    body: { context: { targetingKey: 'ada' } },
    headers: { authorization: `Bearer ${value}` },
  })
  const counts = `${projectPath}/flags/${base}`
  await expect
    .poll(
      async () =>
        (await ask<{ lifecycle: { lastEvaluatedAt: string | null } }>(page, server, { path: counts }))
          .lifecycle.lastEvaluatedAt,
      { timeout: 30_000 },
    )
    .not.toBeNull()
  await page.reload()
  const reasons = page.getByRole('table', { name: 'Evaluations by variation and reason' })
  await expect(reasons).toContainText('100.0%')
  await expectAccessibleInBothThemes(page)
})

test('settings are saved; changes that affect users are reviewed; incomplete input is reported', async ({
  page,
}) => {
  const variations = [
    { key: 'blue', name: 'Blue', value: '#00f' },
    { key: 'red', name: 'Red', value: '#f00' },
  ]
  const key = await makeFlag(page, { valueType: 'string', variations })
  await page.goto(`${list}/${key}/settings`)
  await expect(page.getByRole('group', { name: 'red' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByLabel('Tags (optional)').fill('shop')
  await page.getByLabel('Tags (optional)').press('Enter')
  await page.getByLabel('Tags (optional)').fill('growth')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText(`Settings of ${key} saved.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove growth' })).toBeVisible()

  await page.getByRole('group', { name: 'red' }).getByLabel('Value').fill('#c00')
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/settings/)
  await page.keyboard.press('Control+s')
  const review = page.getByRole('dialog', { name: `Change ${key} in every environment` })
  await expect(review).toContainText('#c00')
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Control+Enter')
  await expect(review).toBeHidden()
  await expect(page.getByText('Unsaved changes')).toBeHidden()
  await page.getByRole('button', { name: 'Remove blue' }).click()
  await page.keyboard.press('Control+s')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('A variation you removed is in use')).toBeVisible()
})

test('a required flag cannot be archived; archived, restored, archived again, and deleted with the typed key', async ({
  page,
}) => {
  const [base, on] = [await makeFlag(page), await makeFlag(page)]
  await save(page, on, { prerequisites: [{ flag: base, variation: 'on' }] })
  await page.goto(`${list}/${base}/settings`)
  await expect(page.getByText('It is a prerequisite there. Remove it first.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Archive flag…' })).toBeDisabled()

  await page.goto(`${list}/${on}/settings`)
  await page.getByRole('button', { name: 'Archive flag…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive flag' }).click()
  await expect(page.getByText('This flag is archived')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(page.getByText(`${on} was restored.`)).toBeVisible()

  await page.getByRole('button', { name: 'Archive flag…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive flag' }).click()
  await page.getByRole('button', { name: 'Delete flag…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Delete flag' })).toBeDisabled()
  await dialog.getByRole('textbox').fill(on)
  await dialog.getByRole('button', { name: 'Delete flag' }).click()
  await expect(page.getByText(`${on} deleted.`)).toBeVisible()
  await page.goto(`${list}/${on}/history`)
  await expect(page.getByText('Flag not found')).toBeVisible()
})

test('a failed list and failed tabs say so, and can be retried', async ({ page }) => {
  const key = await makeFlag(page)
  const fail = async (address: string, path: string, pattern: RegExp) => {
    let isBroken = true
    await page.route(pattern, (route) =>
      isBroken
        ? route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{}' })
        : route.continue(),
    )
    await page.goto(`${address}${path}`)
    await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible()
    await expectAccessible(page)
    isBroken = false
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.unroute(pattern)
  }
  await fail(list, '', /pedal-post\/flags\?/)
  await expect(table(page).getByRole('link', { name: key, exact: true })).toBeVisible()
  await fail(`${list}/${key}`, '/settings', new RegExp(`pedal-post/flags/${key}$`))
  await expect(page.getByLabel('Name', { exact: true }).first()).toBeVisible()
  await fail(`${list}/${key}`, '/history', /config\/versions(\?|$)/)
  await expect(page.getByRole('heading', { name: 'Version 1' })).toBeVisible()
  await fail(`${list}/${key}`, '/usage', /\/evaluations\?/)
  await expect(page.getByRole('heading', { name: 'Never evaluated here' })).toBeVisible()

  let answer = () => {}
  const wait = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/pedal-post\/flags\?/, async (route) => {
    await wait
    await route.continue()
  })
  await page.goto(list)
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toBeVisible()
  answer()
  await expect(table(page).getByRole('link', { name: key, exact: true })).toBeVisible()
})

test('a viewer reads everything and changes nothing, also on a narrow screen', async ({ page }) => {
  const key = await makeFlag(page, {
    name: 'x'.repeat(64),
    tags: Array.from({ length: 20 }, (_, at) => `tag-${at}`),
  })
  await save(page, key, { enabled: true })
  await becomeMember(page, server, 'viewer')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${list}?q=${key}&env=development`)
  await expect(page.getByRole('switch', { name: `${key} in Development` })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'New flag' })).toBeDisabled()
  await expectAccessibleInBothThemes(page)
  await page.goto(`${list}/${key}/history?env=development`)
  await expect(page.getByRole('button', { name: 'Revert this change…' })).toBeDisabled()
  await expect(page.getByText(/Your role in this project is viewer/)).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.goto(`${list}/${key}/settings`)
  await expect(page.getByText('Read-only')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true }).first()).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Archive flag…' })).toBeDisabled()
  await expectAccessibleInBothThemes(page)
})
