// A guarded rollout from its plan to its end, as people make one: by keys alone, with what their traffic can decide; the draft
// that waits; what is locked meanwhile; and whoever may only look.

import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { becomeMember } from './console-member.ts'
import { drawnVisits, inHalves, makeServedFlag } from './drawn-visits.ts'
import { openSeeder } from './seed-events.ts'

let server: BuiltServer
const people = 400

test.beforeAll(async ({ browser }) => {
  server = await startConsole({ telemetry: true })
  const page = await browser.newPage()
  await signIn(page, server)
  const seeder = await openSeeder(page, server)
  const { fallthrough } = await makeServedFlag(page, server, { flag: 'checkout', fallthrough: inHalves })
  for (const flag of ['search', 'basket', 'receipt'])
    await makeServedFlag(page, server, { flag, fallthrough: { variation: 'off' } })
  const visits = drawnVisits('checkout', fallthrough.split, people)
  await seeder.crowd(visits)
  await seeder.untilStored(visits.reduce((sum, { events }) => sum + events.length, 0))
  await page.close()
})
test.afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

const at = (path: string) => `${server.url}/p/${project.key}/${path}`
const targetingOf = (flag: string) => at(`flags/${flag}/targeting?env=production`)

/** Another group has a choice of this name too. */
const undecidedIn = (dialog: Locator) => dialog.getByRole('radiogroup', { name: 'If undecided' })

const mostTabs = 80

/** As somebody without a mouse comes to it. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible()
  for (let step = 0; step < mostTabs; step += 1) {
    if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no ${mostTabs} tabs lead to ${wanted}`)
}

test('a rollout is planned from the proposal, started, and rolled back by keyboard', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(at('rollouts?env=production'))
  await expect(page.getByRole('heading', { name: 'No rollouts yet' })).toBeVisible()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('combobox', { name: 'Flag' })).toBeFocused()
  await page.keyboard.type('search')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('Start a guarded rollout of search')
  await expect(dialog.getByLabel('Variation')).toHaveValue('on')
  await expect(dialog.getByLabel('Control')).toHaveValue('off')
  await expect(dialog).toContainText(`about ${people} users a day`)
  await expect(dialog).toContainText('Everyone here currently gets off.')

  const stages = dialog.getByRole('group', { name: 'Stages' }).getByRole('listitem')
  const count = await stages.count()
  await tabTo(page, dialog.getByLabel('Share of stage 1, in percent'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('0.001')
  await expect(stages.first()).toContainText('about 0 and')
  await page.keyboard.press('Alt+ArrowDown')
  await expect(dialog.getByLabel('Share of stage 2, in percent')).toBeFocused()
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('20')
  await expect(stages.first()).toContainText(/about [\d,]+ and [\d,]+ users after/)
  await tabTo(page, dialog.getByRole('button', { name: 'Stage', exact: true }))
  await page.keyboard.press('Enter')
  await expect(stages).toHaveCount(count + 1)

  // Nothing is lost by a refusal, and the first fault has the focus.
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(dialog.getByLabel(`Share of stage ${count + 1}, in percent`)).toBeFocused()
  await expect(stages.last()).toContainText('Enter a percentage from 0.001')
  await tabTo(page, dialog.getByRole('button', { name: `More for stage ${count + 1}` }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  // The menu moves its focus after the key is done with.
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem').last()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(stages).toHaveCount(count)

  await tabTo(page, dialog.getByLabel('Limit of Users with an error, in percent'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('500')
  await tabTo(page, dialog.getByLabel('Reason', { exact: true }))
  await page.keyboard.type('A new index')
  await page.keyboard.press('ControlOrMeta+Enter')

  await expect(page.getByRole('heading', { name: 'Rollout of search', exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Decision log' })).toContainText('Started with 20%')
  await expect(page.getByText('“A new index”').first()).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Roll back now' }))
  await page.keyboard.press('Enter')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByRole('region', { name: 'Decision log' })).toContainText('Rolled back')
  expect(complaints).toEqual([])
})

test('a draft waits, is changed and deleted, without effect', async ({ page }) => {
  await page.goto(targetingOf('basket'))
  await page.getByRole('button', { name: 'Guarded rollout…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason', { exact: true }).fill('Later')
  await expectAccessibleInThemes(page)
  await dialog.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('heading', { name: 'Rollout of basket', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Edit draft' }).click()
  await dialog.getByLabel('Share of stage 1, in percent').fill('3.125')
  await undecidedIn(dialog).getByRole('radio', { name: 'Roll back' }).click()
  await dialog.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('region', { name: 'Stages' })).toContainText('3.125%')
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('then it rolls back if undecided')
  await page.getByRole('button', { name: 'Delete draft' }).click()
  await dialog.getByRole('button', { name: 'Delete draft' }).click()
  await expect(page.getByRole('heading', { name: 'Rollouts', exact: true })).toBeVisible()
  await expect(page.getByText('basket')).toHaveCount(0)
})

test('a plan becomes a template by keyboard, another rollout begins with it, and settings rename it', async ({
  page,
}) => {
  await page.goto(targetingOf('basket'))
  await page.getByRole('button', { name: 'Guarded rollout…' }).click()
  const plan = page.getByRole('dialog', { name: 'Start a guarded rollout of basket' })
  await plan.getByLabel('Share of stage 1, in percent').fill('2.5')
  await undecidedIn(plan).getByRole('radio', { name: 'Roll back' }).focus()
  await page.keyboard.press('Space')
  await tabTo(page, plan.getByRole('button', { name: 'Save as template' }))
  await page.keyboard.press('Enter')
  const saving = page.getByRole('dialog', { name: 'Save as template' })
  await expect(saving.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Slow and careful')
  await page.keyboard.press('Enter')
  await expect(saving).toBeHidden()
  await expect(plan.getByRole('button', { name: 'Save as template' })).toBeFocused()
  await expect(plan.getByLabel('From a template')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto(targetingOf('receipt'))
  await page.getByRole('button', { name: 'Guarded rollout…' }).click()
  const other = page.getByRole('dialog', { name: 'Start a guarded rollout of receipt' })
  await other.getByLabel('From a template').selectOption('Slow and careful')
  await expect(other.getByLabel('Share of stage 1, in percent')).toHaveValue('2.5')
  await expect(undecidedIn(other).getByRole('radio', { name: 'Roll back' })).toBeChecked()
  await other.getByRole('button', { name: 'Use proposal' }).click()
  await expect(other.getByLabel('From a template')).toHaveValue('')
  await expect(other.getByLabel('Share of stage 1, in percent')).not.toHaveValue('2.5')

  await page.goto(at('settings/rollout-templates'))
  await page.getByRole('button', { name: 'Change Slow and careful' }).click()
  const editing = page.getByRole('dialog', { name: 'Change Slow and careful' })
  await expect(editing.getByLabel('Share of stage 1, in percent')).toHaveValue('2.5')
  await editing.getByLabel('Name').fill('')
  await editing.getByRole('button', { name: 'Save' }).click()
  await expect(editing.getByText('Enter a name.')).toBeVisible()
  await expectAccessibleInThemes(page)
  await editing.getByLabel('Name').fill('Careful')
  await editing.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Delete Careful' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'No rollout templates' })).toBeVisible()
  await expectAccessibleInThemes(page)
})

test('a plan is back-tested before anything is saved, and stopped, by keyboard', async ({ page }) => {
  await page.goto(targetingOf('basket'))
  await page.getByRole('button', { name: 'Guarded rollout…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(`about ${people} users a day`)
  await tabTo(page, dialog.getByText('Back-test', { exact: true }))
  await page.keyboard.press('Enter')
  await tabTo(page, dialog.getByRole('button', { name: 'Run back-test' }))
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText(/[1-9]\d* of 200 runs/)
  // The focus has stayed where the trial was started.
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('Stopped before all 200 runs.')
  await dialog.getByLabel('Share of stage 1, in percent').fill('3.125')
  await expect(dialog).toContainText('The plan has changed since')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('a running rollout is locked: targeting shows its stage, and a change is confirmed first', async ({
  page,
}) => {
  await page.goto(targetingOf('receipt'))
  await page.getByRole('button', { name: 'Guarded rollout…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Share of stage 1, in percent').fill('7')
  await dialog.getByLabel('Reason', { exact: true }).fill('Shorter')
  await dialog.getByRole('button', { name: 'Start in Production' }).click()
  await expect(page.getByRole('heading', { name: 'Rollout of receipt', exact: true })).toBeVisible()

  await page.goto(targetingOf('receipt'))
  await expect(page.getByText('Guarded rollout: on is at 7%')).toBeVisible()
  await expectAccessibleInThemes(page)
  const change = async () => {
    await page.keyboard.press('ControlOrMeta+s')
    await dialog.getByLabel('Reason', { exact: true }).fill('By hand')
    await page.keyboard.press('ControlOrMeta+Enter')
    return page.getByRole('dialog', { name: 'This ends the evidence of the rollout of receipt' })
  }
  await page.getByRole('button', { name: 'Edit the saved split…' }).click()
  await page.getByRole('button', { name: 'Distribute evenly' }).click()
  const requested = await change()
  await expect(requested).toContainText('the change touches its split')
  await expectAccessibleInThemes(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toContainText('Nothing was saved. The rollout continues.')
  await expect(requested).toHaveCount(0)
  await dialog.getByLabel('Reason', { exact: true }).press('ControlOrMeta+Enter')
  await requested.getByRole('button', { name: 'Save and restart evidence' }).click()
  await expect(page.getByText('Saved to Production.')).toBeVisible()
  await page.getByRole('link', { name: 'Show rollout' }).click()
  await expect(page.getByRole('region', { name: 'Decision log' })).toContainText('Evidence restarted')

  // Another one at the same split has to wait.
  await page.goto(at('flags/receipt/impact?env=production'))
  await expect(page.getByRole('region', { name: 'Guarded rollout' })).toContainText('Running')
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('Start a guarded rollout of')
  await expect(page.getByRole('option', { name: /Start a guarded rollout of receipt/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('A guarded rollout of on is already running on this split.')
  await expect(dialog.getByRole('button', { name: /^Start in/ })).toHaveCount(0)
})

test('a viewer sees why actions are disabled', async ({ page }) => {
  await becomeMember(page, server, 'viewer')
  await page.goto(at('flags/checkout/impact?env=production'))
  const guard = page.getByRole('region', { name: 'Guarded rollout' })
  await expect(guard).toContainText('Your role in this project is viewer. Editors can start rollouts.')
  // Its split may have a verdict by now.
  const start = /^(Start a guarded rollout|Protect with a guard)$/
  await expect(guard.getByRole('button', { name: start })).toBeDisabled()
  await page.goto(at('rollouts?env=production&new=true'))
  await expect(page.getByRole('button', { name: 'New rollout' })).toBeDisabled()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a layer is created, chosen in a draft, and reserved while the experiment runs', async ({ page }) => {
  await makeServedFlag(page, server, { flag: 'layered', fallthrough: inHalves })
  await page.goto(at('experiments/layers?env=production'))
  await expect(page.getByRole('heading', { name: 'No layers yet' })).toBeVisible()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Checkout page')
  await expectAccessibleInThemes(page)
  await dialog.getByRole('button', { name: 'Create layer' }).click()
  const layers = page.getByRole('table', { name: 'Layers' })
  await expect(layers).toContainText('100% free')
  await layers.getByRole('button', { name: 'Change Checkout page' }).click()
  await dialog.getByRole('textbox', { name: 'Description (optional)' }).fill('Everything below the cart.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(layers).toContainText('Everything below the cart.')

  await page.getByRole('navigation', { name: 'Experiments' }).getByText('Experiments').click()
  await page.getByRole('button', { name: 'New experiment' }).first().click()
  await dialog.getByRole('combobox', { name: 'Flag' }).fill('layered')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('In a layer')
  await dialog.getByRole('combobox', { name: 'Layer' }).selectOption('Checkout page (100% free)')
  await dialog.getByLabel('Share of the layer, in percent').fill('60')
  await dialog.getByRole('combobox', { name: 'Add a goal' }).selectOption('lcp')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expectAccessibleInThemes(page)
  await dialog.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(dialog).toContainText('60% of layer Checkout page is reserved')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('60% of Checkout page')).toBeVisible()

  await page.goto(at('experiments/layers?env=production'))
  await expect(layers).toContainText('40% free')
  await expect(layers).toContainText('In a layer')
  await expectAccessibleInThemes(page)
  await layers.getByRole('button', { name: 'Delete Checkout page' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog).toContainText('Experiments that have not ended use it')
})

test('a holdout is started over all flags, says that no user was seen, and ends', async ({ page }) => {
  await page.goto(at('experiments/holdouts?env=production'))
  await expect(page.getByRole('heading', { name: 'No holdouts yet' })).toBeVisible()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Users held out, in percent').fill('30')
  await dialog.getByRole('button', { name: 'Start holdout' }).click()
  await expect(dialog.getByText('Enter a name.')).toBeVisible()
  await expect(dialog.getByText('Between 0.1% and 20%.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Autumn')
  await dialog.getByLabel('Users held out, in percent').fill('5')
  await expectAccessibleInThemes(page)
  await dialog.getByRole('button', { name: 'Start holdout' }).click()
  await expect(page.getByText('No users yet', { exact: true })).toBeVisible()
  await expect(page.getByText('5% of users', { exact: true })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Goals of others' })).toHaveCount(0)
  await expectAccessibleInThemes(page)
  await page.getByRole('button', { name: 'End…' }).click()
  await dialog.getByRole('button', { name: 'End holdout' }).click()
  await expect(page.getByRole('button', { name: 'Delete…' })).toBeVisible()
  await page.goto(at('experiments/holdouts?env=production'))
  const holdouts = page.getByRole('table', { name: 'Holdouts' })
  await expect(holdouts).toContainText('Ended')
  await expectAccessibleInThemes(page)
  await holdouts.getByRole('link', { name: 'Autumn' }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'No holdouts yet' })).toBeVisible()
})
