// A page that is used, and looked at in between: what stood where, and when.

import type { Page } from '@playwright/test'
import { type Measured, measure } from './replayed-page.ts'

export interface Moment {
  at: number
  name: string
  measured: Measured
}

export function startLooking(page: Page): { moments: Moment[]; look(name: string): Promise<void> } {
  const moments: Moment[] = []
  return {
    moments,
    async look(name) {
      // Scrolling is told a moment later, and by Datadog's client what changed when the page has time.
      await page.waitForTimeout(400)
      const measured = await measure(page, 'page')
      moments.push({ name, measured, at: await page.evaluate(() => Date.now()) })
      await page.waitForTimeout(60)
    },
  }
}
