// Splits that no rollout guards: planted harm is on Overview, in the flags list, on the flag and in the palette, and
// one step leads from there to a guard.

import { expect, type Page, test } from '@playwright/test'
import { event } from '../intake/visitor.ts'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { becomeMember } from './console-member.ts'
import { drawnVisits, inHalves, makeServedFlag } from './drawn-visits.ts'
import { openSeeder, type Visit } from './seed-events.ts'

let server: BuiltServer
const people = 400
/** Harm is shown within a minute. */
const minute = { timeout: 60_000 }

test.beforeAll(async ({ browser }) => {
  server = await startConsole({ telemetry: true })
  const page = await browser.newPage()
  await signIn(page, server)
  const seeder = await openSeeder(page, server)
  const make = (flag: string) => makeServedFlag(page, server, { flag, fallthrough: inHalves })
  const checkout = await make('checkout')
  const banner = await make('banner')
  await make('about')
  await makeServedFlag(page, server, { flag: 'archive', fallthrough: { variation: 'off' } })
  const visits = [
    ...drawnVisits('checkout', checkout.fallthrough.split, people),
    ...calmVisits('banner', banner.fallthrough.split),
  ]
  // Everybody has one flag alike.
  const alike = { flag: 'alike', variation: 'on' }
  await seeder.crowd(
    visits.map((visit) => ({
      ...visit,
      about: { ...visit.about, reads: [alike, ...readsOf(visit)] },
    })),
  )
  await seeder.untilStored(visits.reduce((sum, { events }) => sum + events.length, 0))
  await page.close()
})
test.afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})
test.beforeEach(({ page }) => signIn(page, server))

const readsOf = ({ about }: Visit): unknown[] => (Array.isArray(about?.reads) ? about.reads : [])

function calmVisits(flag: string, { id, epoch }: { id: string; epoch: number }): Visit[] {
  return Array.from({ length: 240 }, (_, index) => {
    const variation = index % 2 === 0 ? 'on' : 'off'
    const read = { flag, variation, split: id, epoch, by: 'targetingKey', unit: `${flag} ${index}` }
    return {
      about: { page: '/', version: '1.4.0', reads: [read] },
      events: [
        event('exposure', { flag }),
        event('view', { name: 'load' }),
        event('vital', { name: 'LCP', value: 1_200 + ((index * 7) % 80) * 10, target: 'main' }),
      ],
    }
  })
}

const production = 'env=production'
const open = (page: Page, path: string) => page.goto(`${server.url}/p/${project.key}${path}`)
const attention = (page: Page) => page.getByRole('region', { name: 'Needs attention' })
const harmed = (page: Page) =>
  attention(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'checkout' }) })

test('planted harm without a guard is on Overview, and a guard starts from there', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await open(page, `?${production}`)
  await expect(harmed(page)).toContainText('Regressed', minute)
  await expect(harmed(page)).toContainText('unguarded')
  await expect(harmed(page)).toContainText(/About \d+ more affected users\/hour · on against off/)
  await expect(attention(page).getByRole('listitem').first()).toContainText('checkout')
  await expect(attention(page)).not.toContainText('banner')
  await expectAccessibleInThemes(page)

  const protect = harmed(page).getByRole('button', { name: 'Protect with a guard: checkout' })
  await protect.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('checkout')
  await expect(dialog.getByRole('button', { name: /^(Create|Start|Save)/ }).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await harmed(page).getByRole('link', { name: 'checkout' }).click()
  await expect(page).toHaveURL(/control=off.*treatment=on|treatment=on.*control=off/)
  const panel = page.getByRole('region', { name: 'Guarded rollout' })
  await expect(panel).toContainText('unguarded')
  await expect(panel).toContainText('at most 5%')
  await expect(panel.getByRole('button', { name: 'Protect with a guard' })).toBeEnabled()
  expect(complaints).toEqual([])
})

test('the list of flags is sorted by harm, and only what cannot be judged has no verdict', async ({
  page,
}) => {
  await open(page, `/flags?${production}`)
  const rows = page.getByRole('table', { name: 'Flags' }).locator('[data-row]')
  const row = (flag: string) => page.locator(`[data-row="${flag}"]`)
  await expect(row('checkout')).toContainText('Regressed', minute)
  await expect(row('checkout')).toContainText('unguarded')
  await expect(rows.first()).toContainText('checkout')
  await expect(row('banner')).toContainText('unguarded', minute)
  await expect(row('banner')).not.toContainText('Regressed')
  // No user was exposed yet; and one variation for everyone.
  await expect(row('about')).toContainText('No guard')
  await expect(row('archive')).toContainText('No guard')
  await expectAccessibleInThemes(page)

  await page.getByRole('button', { name: 'Flag', exact: true }).click()
  await expect(page).toHaveURL(/sort=key/)
  await expect(rows.first()).toContainText('about')
})

test('the header of the flag and the palette show the verdict', async ({ page }) => {
  await open(page, `/flags/checkout/targeting?${production}`)
  const verdict = page.getByRole('link', { name: /Regressed.*unguarded/ })
  await expect(verdict).toBeVisible(minute)
  await verdict.focus()
  await expect(page.getByText('No guard acts on this verdict.')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/impact\?/)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('checkout')
  const option = page.getByRole('option', { name: /checkout/ }).filter({ hasText: 'unguarded' })
  // Inside an option, roles are presentational.
  await expect(option.locator('[aria-label*="Regressed"]')).toBeVisible()
})

test('a viewer sees the verdict and why no guard can be started', async ({ page }) => {
  await becomeMember(page, server, 'viewer')
  await open(page, `?${production}`)
  const protect = harmed(page).getByRole('button', { name: 'Protect with a guard: checkout' })
  await expect(protect).toBeDisabled(minute)
  await expect(protect).toHaveAttribute('title', /Editors can start rollouts/)
})

test('comparisons open on the flag that stands out, never on one that everybody has', async ({ page }) => {
  await open(page, `?${production}`)
  await expect(harmed(page)).toBeVisible(minute)
  await open(page, `/pages/%2Fcheckout?${production}`)
  const byVariation = page.getByRole('region', { name: 'LCP by' })
  const flag = byVariation.getByRole('combobox', { name: 'Flag' })
  await expect(flag).toHaveValue('checkout')
  await expect(flag.getByRole('option')).toHaveText(['checkout', 'alike'])

  await open(page, `/sessions?view=compare&${production}`)
  await expect(page.getByRole('combobox', { name: 'Flag column' })).toHaveValue('checkout')
  await expect(page.getByRole('region', { name: 'Variations of checkout' })).toContainText('Sessions')

  await open(page, `/profiles/%2Fcheckout?view=difference&${production}`)
  await expect(page.getByRole('combobox', { name: 'Flag', exact: true })).toHaveValue('checkout')
  await expect(page.getByRole('combobox', { name: 'Control', exact: true })).toHaveValue('off')
  await expect(page.getByRole('combobox', { name: 'Treatment', exact: true })).toHaveValue('on')
})

test('on a phone nothing is wider than the window', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of ['', '/flags', '/flags/checkout/impact']) {
    await open(page, `${path}?${production}`)
    await expect(page.getByText('unguarded').first()).toBeVisible(minute)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width, path).toBeLessThanOrEqual(390)
  }
})
