import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, signIn, startConsole } from './console.ts'

let server: BuiltServer

test.beforeAll(async () => {
  server = await startConsole({ withProject: false, ownProject: 'on' })
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

const config = '/api/v1/projects/telltale/environments/console/flags/announcement/config'

async function switchOn(page: Page, enabled: boolean): Promise<void> {
  const { savedAt: _at, salt: _salt, ...saved } = await (await page.request.get(server.url + config)).json()
  const answer = await page.request.put(server.url + config, {
    headers: { origin: server.url },
    data: { ...saved, enabled },
  })
  expect(answer.ok()).toBe(true)
}

test('an announcement reaches the open console through a flag of its own server, and can be dismissed', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await signIn(page, server)
  await page.goto(server.url)
  // Its own project is no first project of the team.
  await expect(page.getByRole('heading', { name: 'No projects yet' })).toBeVisible()
  const announcement = page.getByRole('status').filter({ hasText: 'maintenance tonight' })
  await expect(announcement).toHaveCount(0)

  await switchOn(page, true)
  await expect(announcement).toBeVisible()
  await expectAccessible(page)
  await announcement.getByRole('button', { name: 'Dismiss the announcement' }).press('Enter')
  await expect(announcement).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No projects yet' })).toBeVisible()
  await expect(announcement).toHaveCount(0)

  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  await expect(announcement).toBeVisible()
  await switchOn(page, false)
  await expect(announcement).toHaveCount(0)
  expect(complaints).toEqual([])
})
