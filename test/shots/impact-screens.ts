// What flags do to people, and their guards, as they are looked at.

import type { Page } from '@playwright/test'
import type { ShotScreen } from './screens.ts'

const owned = (name: string, path: string, act?: (page: Page) => Promise<void>): ShotScreen => ({
  name,
  path: `/p/:project/${path}`,
  visitor: 'owner',
  act,
})
const drawn = 'flags/delivery-slots/impact?env=production&control=off'

async function openPlan(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Guarded rollout…' }).last().click()
  await page.getByRole('group', { name: 'Stages' }).waitFor()
}

export const impactScreens: ShotScreen[] = [
  owned('impact', drawn, async (page) => {
    await page.getByRole('img', { name: /How the effect/ }).waitFor()
  }),
  owned('impact-slices', `${drawn}&metric=lcp&by=version&view=values`, async (page) => {
    await page.getByRole('table', { name: 'By version' }).scrollIntoViewIfNeeded()
  }),
  owned('impact-evidence', `${drawn}&metric=users-with-an-error`, async (page) => {
    const why = page.getByRole('region', { name: /Explanation/ })
    await why.getByRole('listitem').first().waitFor()
    await why.scrollIntoViewIfNeeded()
  }),
  owned('impact-quality', drawn, async (page) => {
    const quality = page.getByRole('region', { name: 'Quality of this comparison' })
    await quality.getByRole('table').waitFor()
    await quality.scrollIntoViewIfNeeded()
  }),
  owned('impact-guard', 'flags/bike-builder/impact?env=production'),
  owned('impact-roll-back', 'flags/bike-builder/impact?env=production', async (page) => {
    await page.getByRole('button', { name: 'Roll back now' }).click()
    await page.getByRole('dialog').waitFor()
  }),
  owned('rollouts', 'rollouts?env=production'),
  owned('rollouts-empty', 'rollouts?env=development'),
  owned('rollout', 'rollouts?env=production', async (page) => {
    await page.getByRole('row').nth(1).getByRole('link').first().click()
    await page.getByRole('region', { name: 'Decision log' }).waitFor()
  }),
  owned('rollouts-plan', 'flags/delivery-slots/targeting?env=production', async (page) => {
    await openPlan(page)
  }),
  owned('rollouts-plan-metrics', 'flags/delivery-slots/targeting?env=production', async (page) => {
    await openPlan(page)
    await page.getByRole('group', { name: 'Metrics' }).scrollIntoViewIfNeeded()
  }),
  owned('rollouts-choose', 'rollouts?env=production&new=true', async (page) => {
    await page.getByRole('dialog').waitFor()
  }),
  owned('rollouts-guarded-flag', 'flags/bike-builder/targeting?env=production', async (page) => {
    await page.getByText('Guarded rollout:').scrollIntoViewIfNeeded()
  }),
  owned('settings-metrics', 'settings/metrics'),
  owned('settings-metrics-new', 'settings/metrics', async (page) => {
    await page.getByRole('button', { name: 'New metric' }).click()
    await page.getByRole('dialog').waitFor()
  }),
]
