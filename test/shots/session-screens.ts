// Sessions and one of them, as they are looked at.

import type { Page } from '@playwright/test'
import { recordedSession } from './fill-replay.ts'
import type { ShotScreen } from './screens.ts'

const sessions = '/p/:project/sessions?t=24h'

const recorded = `/p/:project/sessions/${recordedSession}?env=production`

const shot = (name: string, path: string, act?: (page: Page) => Promise<void>): ShotScreen => ({
  name,
  path,
  visitor: 'owner',
  act,
})

async function openFirst(page: Page): Promise<void> {
  await page.locator('[data-row]').first().getByRole('link').first().click()
  await page.locator('[data-moment]').first().waitFor()
}

async function played(page: Page): Promise<void> {
  await page.getByText('1280 × 632').waitFor()
}

export const sessionScreens: ShotScreen[] = [
  shot('sessions', sessions),
  shot('sessions-recorded', `${sessions}&q=replay-length%3A%3E0`),
  shot('sessions-filtered', `${sessions}&q=flag%3Acheckout.one-page%3Don%20inp%3A%3E200`),
  shot('sessions-peek', sessions, async (page) => {
    await page.locator('[data-row]').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Space')
    await page.getByRole('complementary', { name: 'Session' }).waitFor()
  }),
  shot('sessions-compare', `${sessions}&view=compare&flag=checkout.one-page`),
  shot('sessions-order', sessions, async (page) => {
    await page.getByRole('button', { name: 'Event sequence' }).click()
    await page.getByRole('dialog').waitFor()
  }),
  shot('sessions-no-match', `${sessions}&q=user%3Anobody`),
  shot('sessions-unreadable', `${sessions}&q=colour%3Ared`),
  shot('sessions-empty', '/p/empty/sessions'),
  shot('session', `${sessions}&sort=trouble`, async (page) => {
    await openFirst(page)
    await page.keyboard.press('n')
  }),
  shot('session-flags', `${sessions}&sort=trouble`, async (page) => {
    await openFirst(page)
    await page.getByRole('tab', { name: /Flags/ }).click()
  }),
  shot('replay', `${recorded}#t=10.5`, played),
  shot('replay-network', `${recorded}&tab=network#t=10.5`, played),
  shot('replay-notes', `${recorded}&tab=notes#t=10.5`, async (page) => {
    await played(page)
    await page
      .getByLabel('Note at 0:11')
      .fill('Here she gives up: nothing tells that the address is looked up.')
  }),
  shot('replay-keep', recorded, async (page) => {
    await played(page)
    await page.getByRole('button', { name: 'Keep…' }).click()
    await page.getByRole('dialog').waitFor()
  }),
  shot('similar-of-which', `/p/:project/sessions/${recordedSession}/similar?env=production`, async (page) => {
    await page.getByRole('heading', { name: 'Choose a variation' }).waitFor()
  }),
  shot('replay-not-sampled', `${sessions}&q=replay%3Afalse`, openFirst),
  shot('session-missing', '/p/:project/sessions/01900000-0000-7000-8000-000000000000'),
]
