// The ledger: figures of a month with their intervals, prevented harm, and the budget that admins set.

import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { becomeMember } from './console-member.ts'

let server: BuiltServer

test.beforeAll(async () => {
  server = await startConsole()
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})
test.beforeEach(({ page }) => signIn(page, server))

const harm = (affected: number, controlAffected: number, [estimate, reach]: [number, number]) => ({
  ...{ affected, controlAffected, estimate, lower: estimate - reach, upper: estimate + reach },
  confirmed: Math.max(0, estimate - 1.3 * reach),
})

const entry = (flag: string, any: ReturnType<typeof harm> | null, more: object = {}) => ({
  ...{ flag, variation: 'on', control: 'off', split: `1${flag.length}`, by: 'targetingKey' },
  ...{ users: 48_210, controlUsers: 48_055, together: [], fault: null },
  harm: { any, error: any, 'failed-request': null, 'blank-view': null, 'server-error': null },
  ...more,
})

const rollback = {
  ...{ rollout: '0198a2c4-0000-7000-8000-000000000001', flag: 'express-pay', treatment: 'on' },
  ...{ metric: 'users-with-an-error', kind: 'error', at: '2026-11-12T10:00:00.000Z' },
  until: '2026-11-14T10:00:00.000Z',
  prevented: { spared: 12_400.4, lower: 310.2, estimate: 702, upper: 1_190 },
}

const ledger = {
  ...{ month: '2026-11', months: ['2026-11', '2026-10'], timeZone: 'Europe/Berlin', sampling: 1 },
  figures: {
    ...{ at: '2026-11-30T11:50:00.000Z', from: '2026-10-31T23:00:00.000Z', to: '2026-11-30T11:50:00.000Z' },
    ...{ isComplete: false, users: 120_400, confirmed: 812.4, leftOut: 0 },
    entries: [
      entry('one-page-checkout', harm(5_420, 4_210, [1_204, 302])),
      entry('new-search-with-a-rather-long-key', harm(4_300, 4_280, [12, 290]), {
        together: [{ flag: 'search-box', variation: 'on', control: 'off', split: '77' }],
      }),
      entry('retry-uploads', harm(3_900, 4_350, [-446, 288])),
      entry('tiny', null),
      entry('menu', null, { fault: 'split-wrong' }),
    ],
    rollbacks: [rollback],
    unsplit: { flags: ['banner', 'dark-mode'], count: 2 },
  },
  budget: {
    ...{ amount: 800, unit: 'users', policy: 'wait', allowed: 800, spent: 812.4, isSpent: true },
    ...{ updatedBy: 'Mara Oduya', updatedAt: '2026-11-01T08:00:00.000Z' },
  },
  waiting: [{ rollout: '0198a2c4-0000-7000-8000-000000000002', flag: 'new-cart' }],
}

const open = (page: Page, search = '') =>
  page.goto(`${server.url}/p/${project.key}/ledger?env=staging${search}`)
const answer = (page: Page, status: number, body: object) =>
  page.route('**/environments/staging/ledger**', (route) => route.fulfill({ status, json: body }))

test('a month has its excess users with intervals, what rollbacks prevented, and a spent budget', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await answer(page, 200, ledger)
  await open(page)
  const table = page.getByRole('table', { name: 'Excess affected users' })
  const harmful = table.getByRole('row', { name: /one-page-checkout/ })
  await expect(harmful).toContainText(/At least 902\s?more users affected/)
  await expect(harmful).toContainText('+902 to +1,506')
  await expect(table.getByRole('row', { name: /new-search/ })).toContainText('No difference shown')
  await expect(table.getByRole('row', { name: /new-search/ })).toContainText('together with search-box = on')
  await expect(table.getByRole('row', { name: /retry-uploads/ })).toContainText(/At least 158\s?fewer users/)
  await expect(table.getByRole('row', { name: /tiny/ })).toContainText('Too few affected users')
  await expect(table.getByRole('row', { name: /menu/ })).toContainText('Sample ratio mismatch')
  const prevented = page.getByRole('table', { name: 'Prevented by rollbacks' })
  await expect(prevented).toContainText(/At least 310\s?users/)
  await expect(prevented.getByRole('link', { name: /express-pay/ })).toHaveAttribute(
    'href',
    /rollouts\/0198a2c4/,
  )
  await expect(page.getByRole('progressbar', { name: 'Budget of harm' })).toHaveAttribute(
    'aria-valuetext',
    '812 of 800 users',
  )
  await expect(page.getByText('While it is spent, rollouts do not advance.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'new-cart' })).toBeVisible()
  await page.getByText('Not randomised').click()
  await expect(page.getByRole('link', { name: 'dark-mode' })).toBeVisible()
  await expectAccessibleInThemes(page)

  await page.getByRole('button', { name: 'Failed requests' }).click()
  await expect(page).toHaveURL(/kind=failed-request/)
  await expect(harmful).toContainText('Too few affected users')
  await page.getByLabel('Month').selectOption('October 2026')
  await expect(page).toHaveURL(/month=2026-10/)
  await expect(page.getByRole('link', { name: 'Export CSV' })).toHaveAttribute(
    'href',
    /ledger\/export\?month=/,
  )
  expect(complaints).toEqual([])
})

test('without figures the screen says why; admins set and remove the budget, others read it', async ({
  page,
}) => {
  await open(page)
  await expect(page.getByRole('heading', { name: /No figures for/ })).toBeVisible()
  await page.getByRole('button', { name: 'Set budget' }).click()
  const dialog = page.getByRole('dialog', { name: 'Budget of harm' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Enter a whole number of users.')).toBeVisible()
  await dialog.getByLabel('Affected users per month').fill('250')
  await dialog.getByRole('switch', { name: 'Rollouts wait while it is spent' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('0 of 250 users')).toBeVisible()
  await expectAccessibleInThemes(page)
  await page.getByRole('button', { name: 'Change' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText(/No budget is set/)).toBeVisible()

  await becomeMember(page, server, 'maintainer')
  await open(page)
  await expect(page.getByText('Admins set it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Set budget' })).toBeHidden()
})

test('a failure has a reference and can be tried again', async ({ page }) => {
  await answer(page, 500, {
    type: '/errors/internal',
    title: 'Something failed',
    status: 500,
    requestId: 'ref-1',
  })
  await open(page)
  await expect(page.getByRole('alert')).toContainText('ref-1')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})
