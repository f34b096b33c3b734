// The parts of the screen of a recorded session.

import type { Locator, Page } from '@playwright/test'

export const current = (page: Page) => page.locator('[data-moment][aria-current=true]')
export const slider = (page: Page) => page.getByRole('slider', { name: 'Time in the session' })
export const timeOf = async (page: Page) => Number(await slider(page).inputValue())
export const row = (page: Page, name: string | RegExp) =>
  page.locator('[data-moment]').filter({ hasText: name }).first()

/** What the recorded page shows at the playhead. */
export async function shownText(page: Page): Promise<string> {
  const frame = page.frames().find((one) => one.url().includes('/replay-player/'))
  const text = frame?.evaluate(() => document.querySelector('iframe')?.contentDocument?.body?.innerText ?? '')
  return (await text) ?? ''
}

/** What the picture of one of two shows. */
export async function textIn(side: Locator): Promise<string> {
  const stage = await side.locator('iframe').first().elementHandle()
  const frame = await stage?.contentFrame()
  const text = frame?.evaluate(() => document.querySelector('iframe')?.contentDocument?.body?.innerText ?? '')
  return (await text) ?? ''
}
