// What a flag did to people who were drawn by chance, seeded through the intake with a known effect: the numbers on the screen
// are the call's. And its guard, wherever the flag is named.

import { expect, type Page, test } from '@playwright/test'
import { event } from '../intake/visitor.ts'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { ask, projectPath } from './console-member.ts'
import { drawnVisits, inHalves, makeServedFlag } from './drawn-visits.ts'
import { environmentPath, openSeeder, type Visit } from './seed-events.ts'

let server: BuiltServer

const people = 400

test.beforeAll(async ({ browser }) => {
  server = await startConsole({ telemetry: true })
  const page = await browser.newPage()
  await signIn(page, server)
  const seeder = await openSeeder(page, server)
  const { fallthrough } = await makeServedFlag(page, server, { flag: 'checkout', fallthrough: inHalves })
  await makeServedFlag(page, server, { flag: 'search', fallthrough: { variation: 'off' } })
  const few = await makeServedFlag(page, server, { flag: 'few', fallthrough: inHalves })
  const visits = [
    ...drawnVisits('checkout', fallthrough.split, people),
    ...crashesOfFew(few.fallthrough.split),
  ]
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

/** Eight in nine of those who got it meet an error, and none of the others. */
function crashesOfFew({ id, epoch }: { id: string; epoch: number }): Visit[] {
  return Array.from({ length: 89 }, (_, index) => {
    const isOn = index % 2 === 0
    const variation = isOn ? 'on' : 'off'
    const read = { flag: 'few', variation, split: id, epoch, by: 'targetingKey', unit: `few ${index}` }
    const error = event('error', { source: 'uncaught', message: 'no bell', handled: false })
    return {
      about: { page: '/bell', version: '1.5.0', reads: [read] },
      events: [
        event('exposure', { flag: 'few' }),
        event('view', { name: 'load' }),
        ...(isOn && index % 18 !== 0 ? [error] : []),
      ],
    }
  })
}

const production = 'env=production'
const impactOf = (flag: string) => `${server.url}/p/${project.key}/flags/${flag}/impact?${production}`
const effects = (page: Page) => page.getByRole('table', { name: 'Effects' })
const row = (page: Page, metric: string) => effects(page).locator(`[data-row="${metric}"]`)
/** As people read them: two significant digits, three from 100% on. */
const percent = (change: number) => {
  const digits = Math.abs(change) < 0.995 ? 2 : 3
  const format = new Intl.NumberFormat('en', { maximumSignificantDigits: digits })
  return `${change < 0 ? '−' : '+'}${format.format(Math.abs(100 * change))}%`
}

test("the tab shows the API's numbers: values, change with interval and verdict, worst first", async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  const { compared } = await ask<{ compared: { comparisons: [Comparison] } }>(page, server, {
    path: `${environmentPath}/flags/checkout/impact?control=off`,
  })
  const [{ units, metrics }] = compared.comparisons
  const lcp = metrics.find(({ metric }) => metric === 'lcp')
  expect(units).toEqual({ treatment: people / 2, control: people / 2 })
  if (!lcp) throw new Error('LCP was not measured')

  await page.goto(`${impactOf('checkout')}&control=off`)
  await expect(page.getByRole('region', { name: 'Exposure', exact: true })).toContainText('200 and 200')
  await expect(page.getByRole('region', { name: 'Exposure', exact: true })).toContainText('As planned50%')
  await expect(row(page, 'lcp')).toContainText(percent(lcp.harm.estimate))
  await expect(row(page, 'lcp')).toContainText(
    `${percent(lcp.harm.lower).replace('%', '')} to ${percent(lcp.harm.upper)}`,
  )
  await expect(row(page, 'lcp')).toContainText(`${(lcp.values.treatment / 1_000).toPrecision(3)}\u00a0s`)
  await expect(row(page, 'lcp')).toContainText('Regressed')
  await expect(row(page, 'users-with-an-error')).toContainText('Regressed')
  await expect(row(page, 'rage-clicks')).toContainText('Waiting for data')
  await expect(effects(page).locator('[data-row]').first()).toContainText('Regressed')
  const errors = page
    .getByRole('region', { name: 'Exposure', exact: true })
    .getByRole('link', { name: 'Errors' })
  await expect(errors).toHaveAttribute('href', /q=flag.*checkout.*on/)
  expect(complaints).toEqual([])
})

test('few users suffice for a large effect, and a control without events says so', async ({ page }) => {
  const impact = `${environmentPath}/flags/few/impact`
  const { compared } = await ask<{ compared: { comparisons: [Comparison] } }>(page, server, {
    path: `${impact}?control=off`,
  })
  const [{ units }] = compared.comparisons
  expect(units).toEqual({ treatment: 45, control: 44 })
  await page.goto(`${impactOf('few')}&control=off&metric=users-with-an-error&by=version`)
  await expect(row(page, 'users-with-an-error')).toContainText('Regressed')
  await expect(row(page, 'users-with-an-error')).toContainText('No events in control')
  // Nobody waits for more users beside a verdict.
  await expect(page.getByText('of 100 users')).toHaveCount(0)
  // What is known of the effect is drawn: where it is at least.
  const name = /^Effect on Users with an error over time. Now Users with an error No events in control/
  await expect(page.getByRole('img', { name })).toBeVisible()
  const slices = page.getByRole('table', { name: 'By version' })
  await expect(slices).toContainText('0% → ')
  await expect(slices).toContainText('No events in control')
})

test('the contributors are shown below a regression: each share, its interval, and a link', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await page.goto(`${impactOf('checkout')}&control=off&metric=users-with-an-error`)
  const why = page.getByRole('region', { name: 'Explanation of Users with an error' })
  const first = why.getByRole('listitem').first()
  await expect(first.getByRole('img', { name: /% of the extra users with an error, interval/ })).toBeVisible({
    timeout: 40_000,
  })
  await expect(first).toContainText(/Affects .+ with on, .+ with off/)
  await expect(first.getByRole('link').first()).toHaveAttribute('href', /\/errors\/\d+\?.*t=.+q=flag/)
  await expect(first).toContainText('No recorded session or trace.')
  await expectAccessibleInThemes(page)
  expect(complaints).toEqual([])
})

interface Gap {
  missing: 'all' | 'part' | null
  tooFew: number
  explanations: { share: object; issue: { group: string } | null }[]
}

test('an unexplained gap, a shared one, and one with expired events: each is explained', async ({ page }) => {
  let reported = (gap: Gap): Gap => gap
  await page.route('**/impact/evidence?*', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: reported(await answer.json()) })
  })
  const why = page.getByRole('region', { name: 'Explanation of Users with an error' })
  const show = async (next: typeof reported) => {
    reported = next
    await page.goto(`${impactOf('checkout')}&control=off&metric=users-with-an-error`)
  }
  await show((gap) => ({ ...gap, explanations: [], tooFew: 3 }))
  await expect(why).toContainText('No contributors found')
  await expect(why).toContainText('None differs by more than chance')
  await expect(why).toContainText('3 segments had too few users to compare.')

  const tenth = { lower: 0.05, estimate: 0.1, upper: 0.2 }
  await show((gap) => ({
    ...gap,
    missing: 'part',
    explanations: Array.from({ length: 10 }, (_, index) => {
      const [first] = gap.explanations
      return {
        ...first,
        share: tenth,
        issue: first?.issue ? { ...first.issue, group: `${index + 1}` } : null,
      }
    }),
  }))
  await expect(why.getByRole('listitem')).toHaveCount(10)
  await expect(why).toContainText('No dominant cause: each contributes less than 25%.')
  await expect(why).toContainText('Some events of this period have been deleted')

  await show((gap) => ({ ...gap, missing: 'all', explanations: [] }))
  await expect(why).toContainText('Events deleted')
  await expect(why).toContainText('Results and decisions are kept.')
})

interface Comparison {
  units: object
  metrics: {
    metric: string
    values: { treatment: number }
    harm: { lower: number; estimate: number; upper: number }
  }[]
}

test('a metric, its history and its slices are reached by keyboard; the URL keeps all of it', async ({
  page,
}) => {
  await page.goto(`${impactOf('checkout')}&control=off`)
  await expect(row(page, 'lcp')).toBeVisible()
  const place = await effects(page)
    .locator('[data-row]')
    .evaluateAll((rows) => rows.findIndex((one) => one.getAttribute('data-row') === 'lcp'))
  for (let step = 0; step <= place; step += 1) await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/metric=lcp/)
  await expect(page.getByRole('img', { name: /^Effect on Largest Contentful Paint over time/ })).toBeVisible()
  await page.getByRole('button', { name: 'Version', exact: true }).click()
  const slices = page.getByRole('table', { name: 'By version' })
  await expect(slices).toContainText('1.4.0')
  await expect(slices).toContainText('200 and 200')
  await page.getByRole('button', { name: 'Values', exact: true }).click()
  await expect(page.getByRole('img', { name: 'Values of on and off' })).toBeVisible()
  await page.reload()
  await expect(slices).toContainText('1.4.0')
  await expect(page).toHaveURL(/by=version/)
  await page.getByRole('button', { name: 'Effect', exact: true }).click()
  await expectAccessibleInThemes(page)
})

test('a telltale is shown wherever its flag is named, until the rollout is dismissed', async ({ page }) => {
  const drafted = await ask<{ id: string }>(page, server, {
    method: 'POST',
    path: `${environmentPath}/flags/search/rollouts`,
    body: { treatment: 'on' },
  })
  const start = `${projectPath}/rollouts/${drafted.id}/start`
  await ask(page, server, { method: 'POST', path: start, body: { turn: 0 } })

  await page.goto(`${server.url}/p/${project.key}/flags?${production}`)
  const listed = page.getByRole('table', { name: 'Flags' }).locator('[data-row="search"]')
  await expect(listed.getByRole('img', { name: 'Waiting for data' })).toBeVisible()
  await expect(page.locator('[data-row="checkout"]')).toContainText('unguarded')
  await listed.getByRole('link', { name: /Waiting for data/ }).focus()
  await expect(page.getByText('Last check')).toBeVisible()

  await page.goto(impactOf('search'))
  const guard = page.getByRole('region', { name: 'Guarded rollout' })
  await expect(guard).toContainText('Running')
  await expect(page.getByRole('region', { name: 'Stages' }).getByRole('listitem').first()).toHaveAttribute(
    'aria-current',
    'step',
  )
  await expectAccessibleInThemes(page)
  await guard.getByRole('button', { name: 'Roll back now' }).click()
  await page.getByRole('dialog').getByLabel('Reason (optional)').fill('Too slow')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(guard).toContainText('Rolled back')

  await page.goto(`${server.url}/p/${project.key}/rollouts?${production}`)
  await expect(page.getByRole('table', { name: 'Rollouts' })).toContainText('Rolled back')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Rollout of search', exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Decision log' })).toContainText('Too slow')
  await expectAccessibleInThemes(page)
})

test('a custom metric is created, changed and deleted', async ({ page }) => {
  await page.goto(`${server.url}/p/${project.key}/settings/metrics`)
  await expect(page.getByRole('heading', { name: 'No custom metrics' })).toBeVisible()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Orders')
  await dialog.getByLabel('Event', { exact: true }).fill('order placed')
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await expect(preview).toContainText('No such events yet')
  await dialog.getByLabel('Event', { exact: true }).fill('paid')
  await expect(preview).toContainText('160 events from 160 of ')
  const filter = dialog.getByRole('combobox', { name: /For example browser/ })
  await filter.fill('browser:Netscape')
  await filter.press('Enter')
  await expect(preview).toContainText('The filter matches none of 160 events')
  await dialog.getByRole('button', { name: 'Remove browser:Netscape' }).click()
  await filter.fill('value:>50')
  await dialog.getByRole('radio', { name: 'Percentile of its values' }).click()
  await dialog.getByRole('button', { name: 'p90', exact: true }).click()
  await expect(preview).toContainText('p90 of its values')
  await expect(preview).toContainText('without the filter')
  await dialog.getByLabel('Limit in %').fill('0')
  await dialog.getByRole('button', { name: 'Create metric' }).click()
  await expect(dialog.getByText('Enter a number between 0 and 99.')).toBeVisible()
  await dialog.getByLabel('Limit in %').fill('3')
  await expectAccessibleInThemes(page)
  await dialog.getByRole('button', { name: 'Create metric' }).click()
  const own = page.getByRole('table', { name: 'Custom metrics' })
  await expect(own).toContainText('no less than −3%')
  await expect(own).toContainText('p90 of paid where value:>50')
  await own.getByRole('button', { name: 'Change Orders' }).click()
  await dialog.getByLabel('Limit in %').fill('4')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(own).toContainText('no less than −4%')
  await own.getByRole('button', { name: 'Delete Orders' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'No custom metrics' })).toBeVisible()
})

test('a project sets its own limits of built-in metrics', async ({ page }) => {
  await page.goto(`${server.url}/p/${project.key}/settings/metrics`)
  const builtIn = page.getByRole('table', { name: 'Built-in metrics' })
  const blank = builtIn.locator('[data-row="blank-views"]')
  await expect(blank).toContainText('no more than +25%')
  const change = blank.getByRole('button', { name: 'Change the limit of Users with a blank view' })
  await change.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Limit in %').fill('0')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Enter a number between 0 and 99.')).toBeVisible()
  await dialog.getByLabel('Limit in %').fill('10')
  await expectAccessibleInThemes(page)
  await page.keyboard.press('Enter')
  await expect(blank).toContainText('no more than +10% (default +25%)')
  await change.click()
  await dialog.getByRole('button', { name: 'Reset to +25%' }).click()
  await expect(blank).not.toContainText('default')
})

test('an experiment is drafted at its flag, started, read and decided', async ({ page }) => {
  test.setTimeout(150_000)
  await makeServedFlag(page, server, { flag: 'paying', fallthrough: inHalves })
  const list = `${server.url}/p/${project.key}/experiments?${production}`
  await page.goto(list)
  await expect(page.getByRole('heading', { name: 'No experiments yet' })).toBeVisible()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Flag' }).fill('paying')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('combobox', { name: 'Control' })).toHaveValue('off')
  await dialog.getByRole('button', { name: 'Save draft' }).click()
  await expect(dialog.getByText('Enter a name.')).toBeVisible()
  await expect(dialog.getByText('Add at least one goal.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Does it pay?')
  await dialog.getByRole('combobox', { name: 'Add a goal' }).selectOption('lcp')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  const goal = dialog.getByRole('listitem', { name: 'LCP p75' })
  await goal.getByLabel('Smallest gain of LCP p75, in percent').fill('20')
  await expect(goal).toContainText(/Needs about [\d,]+ users/)
  await dialog.getByRole('button', { name: 'Add funnel' }).click()
  const funnel = dialog.getByRole('listitem', { name: 'Completed the funnel' })
  await funnel.getByRole('combobox', { name: 'Kind of step 1' }).selectOption('Page view')
  await expect(funnel.getByRole('textbox', { name: 'Step 1' })).toHaveValue('kind:view')
  await funnel.getByRole('textbox', { name: 'Step 2' }).fill('kind:custom name:paid')
  await funnel.getByRole('textbox', { name: 'Step 2' }).press('Enter')
  const window = funnel.getByLabel('Window of Completed the funnel', { exact: true })
  await window.selectOption('Other…')
  await funnel.getByLabel('Window of Completed the funnel: amount').fill('3')
  await expect(dialog.getByText('A funnel needs')).toBeHidden()
  await expectAccessibleInThemes(page)
  await dialog.getByRole('button', { name: 'Save draft' }).click()

  await expect(page.getByText('Not started')).toBeVisible()
  await page.getByRole('button', { name: 'Start' }).click()
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByText('not recorded').first()).toBeVisible()
  const { fallthrough } = await ask<{ fallthrough: { split: { id: string; epoch: number } } }>(page, server, {
    path: `${environmentPath}/flags/paying/config`,
  })
  const seeder = await openSeeder(page, server)
  await seeder.crowd(drawnVisits('paying', fallthrough.split, people))
  const goals = page.getByRole('table', { name: 'Goals of on' })
  const waiting = `${people.toLocaleString('en')} users wait for the end of their window`
  await expect(async () => {
    await page.reload()
    await expect(goals.getByText('Worse')).toBeVisible({ timeout: 15_000 })
    await expect(page.getByText(`${people / 2} and ${people / 2} users`)).toBeVisible({ timeout: 1_000 })
    // Windows are read before the other goals: the visits may reach the tables in between.
    await expect(goals).toContainText(waiting, { timeout: 1_000 })
  }).toPass({ timeout: 60_000 })
  await expect(goals).toContainText('within 3 days of the exposure')
  await expect(goals.getByRole('link', { name: 'Funnel by variation' })).toHaveAttribute('href', /by=flag/)
  await expectAccessibleInThemes(page)

  await page.getByRole('button', { name: 'End…' }).click()
  await dialog.getByRole('radio', { name: 'Keep off' }).click()
  await dialog.getByRole('textbox', { name: 'Note (optional)' }).fill('Twice as slow.')
  await dialog.getByRole('button', { name: 'End experiment' }).click()
  await expect(page.getByRole('region', { name: 'Decision' })).toContainText('Twice as slow.')
  await expect(goals.getByText('Worse')).toBeVisible()
  await page.goto(list)
  await expect(page.getByRole('table', { name: 'Experiments' })).toContainText('Ended')
})
