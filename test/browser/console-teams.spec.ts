import { expect, test } from '@playwright/test'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { ask, becomeMember } from './console-member.ts'

let server: BuiltServer

test.beforeAll(async () => {
  server = await startConsole()
})
test.afterAll(() => server[Symbol.asyncDispose]())

test('a team is created by keyboard, gets members and a role, and shows where a member is from', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await signIn(page, server)
  await becomeMember(page, server, 'viewer')
  const { user } = await ask<{ user: { id: string; email: string } }>(page, server, {
    path: '/api/v1/account',
  })
  await page.goto(`${server.url}/admin/teams`)
  await expect(page.getByText("You don't have access")).toBeVisible()

  await signIn(page, server)
  await page.goto(`${server.url}/admin/teams`)
  await expect(page.getByText('No teams yet')).toBeVisible()
  await expectAccessibleInThemes(page)
  await page.keyboard.press('c')
  const creation = page.getByRole('dialog', { name: 'New team' })
  await expect(creation.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type('Payments')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/admin\/teams\/payments/)
  await expect(page.getByText('No members yet')).toBeVisible()

  await page.getByRole('button', { name: 'Add member…' }).first().click()
  const adding = page.getByRole('dialog', { name: 'Add a member to Payments' })
  await adding.getByRole('combobox', { name: 'E-mail' }).fill('nobody')
  await page.keyboard.press('Enter')
  await expect(adding.getByRole('combobox', { name: 'E-mail' })).toHaveAccessibleDescription(/Choose a user/)
  await adding.getByRole('combobox', { name: 'E-mail' }).fill('a viewer')
  await adding.getByRole('option', { name: user.email }).click()
  await adding.getByRole('button', { name: 'Add member' }).click()
  await expect(page.getByRole('table', { name: 'Members' }).getByText(user.email)).toBeVisible()
  await expectAccessibleInThemes(page)

  await page.goto(`${server.url}/p/${project.key}/settings/members`)
  await page.getByRole('button', { name: 'Add team…' }).click()
  const giving = page.getByRole('dialog', { name: 'Add a team to the project' })
  await giving.getByRole('combobox', { name: 'Team' }).fill('pay')
  await giving.getByRole('option', { name: /payments/ }).click()
  await giving.getByLabel('Role').selectOption('Maintainer')
  await giving.getByRole('button', { name: 'Add team' }).click()
  await expect(page.getByText('Maintainer by the team Payments')).toBeVisible()
  await expect(page.getByText(/In effect: Maintainer/)).toBeVisible()
  await expect(page.getByLabel('Role of A viewer')).toHaveValue('viewer')
  await expectAccessibleInThemes(page)

  await page.getByLabel('Role of Payments').selectOption('Editor')
  await expect(page.getByText('editor by the team Payments')).toBeVisible()
  await page.getByLabel('Filter by name or e-mail').fill('no such member')
  await expect(page.getByText('No matching members')).toBeVisible()
  await page.goto(`${server.url}/admin/teams/payments`)
  await expect(page.getByRole('link', { name: project.name })).toBeVisible()
  // As for a group of an identity provider.
  await page.route('**/api/v1/teams/payments', async (route) => {
    const team = await (await route.fetch()).json()
    await route.fulfill({ json: { ...team, scim: true, changedBy: 'identity-provider' } })
  })
  await page.reload()
  await expect(page.getByText(/provider decides the name and the members/)).toBeVisible()
  for (const name of [/^Edit/, /^Delete/, /^Add member/, /^Remove A viewer/])
    await expect(page.getByRole('button', { name })).toBeDisabled()
  await page.unroute('**/api/v1/teams/payments')
  await page.reload()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByLabel('Type payments to confirm').fill('payments')
  await page.getByRole('button', { name: 'Delete team' }).click()
  await expect(page.getByText('No teams yet')).toBeVisible()
  expect(complaints).toEqual([])
})
