// Errors and source maps, as they are looked at.

import type { Page } from '@playwright/test'
import { fillErrors } from './fill-errors.ts'
import type { ShotScreen } from './screens.ts'

const errors = '/p/:project/errors?env=production'

const filled = (name: string, path: string, act?: (page: Page) => Promise<void>): ShotScreen => ({
  name,
  path,
  visitor: 'owner',
  act: async (page) => {
    await fillErrors(page)
    await page.reload()
    await act?.(page)
  },
})

const card = (page: Page) => page.locator('[data-row]').filter({ hasText: 'TypeError: no card' })
const openIssue = async (page: Page) => {
  await card(page).getByRole('link').first().click()
  await page.getByRole('region', { name: 'Stack trace' }).waitFor()
}

export const errorScreens: ShotScreen[] = [
  { name: 'errors-empty', path: '/p/empty/errors', visitor: 'owner', act: undefined },
  filled('errors', errors),
  filled('errors-peek', errors, async (page) => {
    await card(page).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Space')
  }),
  filled('errors-selected', errors, async (page) => {
    await card(page).waitFor()
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
  }),
  filled('errors-no-match', `${errors}&q=browser%3AOpera`),
  filled('error-issue', errors, openIssue),
  filled('error-issue-code', errors, async (page) => {
    await openIssue(page)
    await page.getByRole('region', { name: 'Stack trace' }).scrollIntoViewIfNeeded()
  }),
  filled('error-issue-unmapped', errors, async (page) => {
    await page.locator('[data-row]').filter({ hasText: 'RangeError' }).getByRole('link').first().click()
    await page.getByText('source maps are missing').scrollIntoViewIfNeeded()
  }),
  filled('source-maps', '/p/:project/settings/source-maps'),
  filled('source-maps-upload', '/p/:project/settings/source-maps?upload=true'),
  { name: 'errors-viewer', path: errors, visitor: 'viewer', act: undefined },
  { name: 'error-issue-viewer', path: errors, visitor: 'viewer', act: openIssue },
]
