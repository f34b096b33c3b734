// Who is told of what: channels with their log, and alerts from a question of Explore to their page.

import { expect, type Page, test } from '@playwright/test'
import { openReceiver, type Receiver } from '../../packages/server/src/notify/channels/testing/receiver.ts'
import { event } from '../intake/visitor.ts'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { ask, becomeMember, projectPath } from './console-member.ts'
import { openSeeder } from './seed-events.ts'

let server: BuiltServer
let receiver: Receiver
const minute = 60_000

test.beforeAll(async ({ browser }) => {
  receiver = await openReceiver()
  server = await startConsole({
    telemetry: true,
    settings: { TELLTALE_WEBHOOK_NETWORKS: '127.0.0.1' },
  })
  const page = await browser.newPage()
  await signIn(page, server)
  const seeder = await openSeeder(page, server)
  const at = Date.now() - 40 * minute
  const views = Array.from({ length: 30 }, (_, index) => event('view', { at: at + index }))
  await seeder.visit({ about: { page: '/cart' }, events: views })
  await seeder.untilStored(30)
  await page.close()
})
test.afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

const address = (path: string) => `${server.url}/p/${project.key}${path}`
const headed = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('a webhook is created by keyboard, shows its secret once, and its log shows the responses', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await page.goto(address('/settings/webhooks'))
  await expect(page.getByRole('heading', { name: 'No channels yet' })).toBeVisible()
  await expectAccessibleInThemes(page)

  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New channel' })
  await dialog.getByLabel('Name', { exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Address', { exact: true })).toHaveAccessibleDescription(/Must start with/)
  await page.keyboard.type('Ops')
  await page.keyboard.press('Tab')
  await page.keyboard.type('http://10.0.0.1/')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Address', { exact: true })).toHaveAccessibleDescription(/private/)
  await dialog.getByLabel('Address', { exact: true }).fill(receiver.url)
  await dialog.getByRole('button', { name: 'All of Flags' }).click()
  await expectAccessibleInThemes(page)
  await dialog.getByRole('button', { name: 'Create channel' }).click()
  const secret = page.getByRole('dialog', { name: 'The secret of the channel' })
  await expect(secret.getByText(/^whsec_/)).toBeVisible()
  await secret.getByRole('button', { name: 'Done' }).click()

  await expect(headed(page, 'Ops')).toBeVisible()
  await page.getByRole('button', { name: 'Send a test' }).click()
  const peek = page.getByRole('complementary', { name: /tests the channel Ops/ })
  await expect(peek.getByText('Responded with 200.')).toBeVisible()
  await expect(peek.getByText('"type": "channel.tested"')).toBeVisible()
  await expectAccessibleInThemes(page)
  await page.reload()
  await expect(peek.getByText('Responded with 200.')).toBeVisible()

  receiver.answer((response) => response.writeHead(500).end('out of order'))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Send a test' }).click()
  await expect(peek.getByText('Responded with 500.')).toBeVisible()
  await expect(peek.getByText('out of order')).toBeVisible()
  await expect(page.getByText('Deliveries fail', { exact: true })).toBeVisible()
  receiver.answer((response) => {
    response.end('ok')
  })
  await peek.getByRole('button', { name: 'Send again' }).click()
  await expect(peek.getByText('● Delivered')).toBeVisible()
  await expect(page.getByText('Deliveries fail', { exact: true })).toBeHidden()
  await page.keyboard.press('Escape')
  expect(complaints).toEqual([])
})

test('a query of Explore becomes an alert, which previews when it would have fired', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(address('/alerts'))
  await expect(page.getByRole('heading', { name: /^No alerts in/ })).toBeVisible()
  await expectAccessibleInThemes(page)

  await page.goto(address('/explore?measure=count&kind=view&q=page:/cart'))
  await page.getByRole('link', { name: 'Save as alert' }).click()
  await expect(headed(page, 'New alert')).toBeFocused()
  await expect(page.getByLabel('Event type')).toHaveValue('view')
  await page.getByRole('button', { name: 'Create alert' }).click()
  await expect(page.getByRole('alert')).toContainText('Enter a number, such as 100 or 2.5.')
  await page.getByLabel('Threshold', { exact: true }).fill('20')
  await expect(page.getByText(/It would have fired once/)).toBeVisible()
  await expectAccessibleInThemes(page)
  await page.getByLabel('Threshold', { exact: true }).fill('2000')
  await expect(page.getByText(/It would not have fired/)).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Busy cart')
  await page.getByRole('link', { name: 'Cancel' }).click()
  const leaving = page.getByRole('dialog', { name: 'Leave the new alert without saving' })
  await expect(leaving).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(leaving).toBeHidden()
  await page.getByRole('button', { name: 'Create alert' }).click()

  await expect(headed(page, 'Busy cart')).toBeFocused()
  await expect(
    page.getByRole('heading', { name: 'Views (page:/cart) over 5 minutes above 2,000' }),
  ).toBeVisible()
  await expect(page.getByText('No recipients (console only)')).toBeVisible()
  await expect(page.getByText(/It would not have fired/)).toBeVisible()
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  await page.getByRole('menuitem', { name: 'For 1 day' }).click()
  await expect(page.getByText(/^Muted, ends/)).toBeVisible()
  await expectAccessibleInThemes(page)

  await page.getByRole('link', { name: 'Change', exact: true }).click()
  await expect(headed(page, 'Change Busy cart')).toBeFocused()
  await page.getByLabel('Condition').selectOption('rises by more than')
  await page.getByLabel('Threshold in percent').fill('50')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(
    page.getByRole('heading', { name: 'Views (page:/cart) over 5 minutes 50% more than previous period' }),
  ).toBeVisible()
  await page.goto(address('/alerts'))
  await expect(page.getByRole('link', { name: 'Busy cart' })).toBeVisible()
  await expectAccessibleInThemes(page)
  expect(complaints).toEqual([])
})

test('an event-based alert lists its channels, and a viewer cannot change it', async ({ page }) => {
  const channel = { kind: 'slack', name: 'A chat', url: receiver.url }
  await ask(page, server, { method: 'POST', path: `${projectPath}/channels`, body: channel })
  await page.goto(address('/alerts/new?about=events'))
  await page.getByLabel('Any guard decision').check()
  await page.getByLabel('A chat').check()
  await page.getByRole('button', { name: 'Create alert' }).click()
  await expect(headed(page, 'Events')).toBeFocused()
  await expect(page.getByText('No incidents')).toBeVisible()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Send a test' }).click()
  await expect(page.getByText('Test sent to one channel.')).toBeVisible()

  await becomeMember(page, server, 'viewer')
  await page.goto(address('/alerts'))
  await expect(page.getByRole('button', { name: 'New alert' })).toBeDisabled()
  await page.getByRole('link', { name: 'Events' }).click()
  await expect(page.getByRole('button', { name: 'Mute', exact: true })).toBeHidden()
  await page.goto(address('/settings/channels'))
  await expect(page.getByText('Read-only')).toBeVisible()
  await expect(page.getByText('A chat')).toBeVisible()
  await expect(page.getByRole('button', { name: 'New channel' })).toBeDisabled()
})
