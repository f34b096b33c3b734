import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, owner, signIn, startConsole } from './console.ts'
import { ask, becomeMember, projectPath } from './console-member.ts'

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

const settings = () => `${server.url}/p/pedal-post/settings`

async function makeMember(page: Page): Promise<void> {
  const context = await page.context().browser()?.newContext()
  if (context === undefined) throw new Error('there is no browser')
  const other = await context.newPage()
  await signIn(other, server)
  await becomeMember(other, server, 'viewer')
  await context.close()
}

test('an own role is made, changed and deleted by keyboard, and given in one environment', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await makeMember(page)
  await page.goto(`${settings()}/roles`)
  await expect(page.getByRole('rowheader', { name: 'flags.change-protected' })).toBeVisible()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New role' })
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type('Release captain')
  await dialog.getByLabel('Starts with the permissions of').selectOption('viewer')
  await page.keyboard.press('Enter')
  const stops = page.getByRole('checkbox', { name: 'Release captain: rollouts.stop' })
  await expect(stops).not.toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'Release captain: project.view' })).toBeDisabled()
  await stops.press('Space')
  await page.getByRole('checkbox', { name: 'Release captain: flags.change', exact: true }).press('Space')
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  await page.getByRole('button', { name: 'Save roles' }).press('Enter')
  await expect(page.getByText('Unsaved changes')).toBeHidden()
  await page.reload()
  await expect(stops).toBeChecked()
  await expectAccessibleInThemes(page)

  await page.goto(`${settings()}/members`)
  await page.getByRole('button', { name: 'Roles of A viewer in environments…' }).press('Enter')
  const roles = page.getByRole('dialog', { name: 'Roles of A viewer' })
  await expect(roles.getByLabel('In Staging')).toHaveValue('')
  await roles.getByLabel('In Staging').selectOption('release-captain')
  await roles.getByRole('button', { name: 'Save roles' }).press('Enter')
  await expect(page.getByText('Staging: Release captain')).toBeVisible()
  await expectAccessibleInThemes(page)

  await page.goto(`${settings()}/roles`)
  await page.getByRole('button', { name: 'Actions of Release captain' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter')
  const deletion = page.getByRole('dialog', { name: 'Delete the role Release captain' })
  await deletion.getByLabel('They get').selectOption('editor')
  await deletion.getByRole('button', { name: 'Delete role' }).press('Enter')
  await expect(page.getByRole('columnheader', { name: 'Release captain' })).toBeHidden()
  expect(complaints).toEqual([])

  // The member edits in staging, and only looks in production.
  await ask(page, server, {
    method: 'POST',
    path: `${projectPath}/flags`,
    body: { key: 'roles-flag', name: 'Roles', valueType: 'boolean' },
  })
  const members = await ask<{ items: { user: { id: string; email: string } }[] }>(page, server, {
    path: `${projectPath}/members`,
  })
  const email = members.items.find((one) => one.user.email.startsWith('viewer-'))?.user.email ?? ''
  const context = await page.context().browser()?.newContext()
  if (context === undefined) throw new Error('there is no browser')
  const member = await context.newPage()
  await signIn(member, server, { email, password: owner.password })
  const list = `${server.url}/p/pedal-post/flags?q=roles-flag`
  await member.goto(`${list}&env=staging`)
  await expect(member.getByRole('switch', { name: 'roles-flag in Staging' })).toBeEnabled()
  await member.goto(`${list}&env=production`)
  await expect(member.getByRole('switch', { name: 'roles-flag in Production' })).toBeDisabled()
  await context.close()
})
