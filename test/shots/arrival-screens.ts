// What is seen before anybody is signed in. A server that has its owner answers as one that has none.

import type { Page } from '@playwright/test'
import type { ShotScreen } from './screens.ts'

const invitation = {
  email: 'ines@pedalandpost.example',
  role: 'viewer',
  project: { key: 'pedal-post', name: 'Pedal & Post' },
  invitedBy: 'Mara Oduya',
  expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  hasAccount: false,
}

export const arrivalScreens: ShotScreen[] = [
  { name: 'setup', path: '/sign-in', visitor: 'nobody', act: openSetup },
  {
    name: 'setup-faults',
    path: '/sign-in',
    visitor: 'nobody',
    act: async (page) => {
      await openSetup(page)
      await page.getByRole('button', { name: 'Create owner' }).click()
    },
  },
  {
    name: 'invite',
    path: '/sign-in',
    visitor: 'nobody',
    act: async (page) => {
      await page.route('**/api/v1/invitation/view', (route) => route.fulfill({ json: invitation }))
      await page.goto('/invite/from-a-letter')
      await page.getByRole('button', { name: 'Join Pedal & Post' }).waitFor()
    },
  },
]

async function openSetup(page: Page): Promise<void> {
  await page.route('**/api/v1/setup', (route) => route.fulfill({ json: { done: false } }))
  await page.goto('/setup')
  await page.getByLabel('Your name').waitFor()
}
