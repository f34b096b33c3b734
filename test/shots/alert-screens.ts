// Alerts and channels, as they are looked at.

import type { Page } from '@playwright/test'
import { project } from '../browser/console.ts'
import type { ShotScreen } from './screens.ts'

const api = `/api/v1/projects/${project.key}`

/** Once for all pictures: what is there already answers that it is, which is just as well. */
async function fillAlerts(page: Page): Promise<void> {
  const origin = new URL(page.url()).origin
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`${origin}${api}${path}`, { headers: { origin }, data })
    return answer.ok() ? await answer.json() : undefined
  }
  const made = await post('/channels', {
    kind: 'slack',
    name: '#web-releases',
    url: 'https://hooks.example.com/services/1',
    events: ['guard.decided', 'flag.configured'],
  })
  if (made === undefined) return
  const rule = {
    kind: 'measure',
    query: { kind: 'view', measure: 'count' },
    window: '1h',
    condition: { kind: 'threshold', is: 'below', value: 40 },
    minEvents: 0,
    forMinutes: 10,
    whenNoData: 'tell',
  }
  const place = { env: 'production', channels: [made.channel.id] }
  await post('/alerts', { ...place, name: 'Hardly anybody there', rule })
  const events = { kind: 'events', events: ['issue.new', 'guard.decided'] }
  await post('/alerts', { ...place, name: 'Events', rule: events })
  const many = {
    ...rule,
    condition: { kind: 'threshold', is: 'above', value: 1 },
    window: '1d',
    forMinutes: 0,
  }
  const unheard = await post('/channels', { kind: 'webhook', name: long, url: 'https://nobody.invalid/' })
  await post(`/channels/${unheard.channel.id}/test`, {})
  await post('/alerts', { env: 'production', channels: [unheard.channel.id], name: long, rule: many })
  const muted = await post('/alerts', { ...place, name: 'Nobody hears of it', rule: many })
  const until = new Date(Date.now() + 3 * 86_400_000).toISOString()
  await post(`/alerts/${muted.id}/mute`, { until })
}

const long = `Whatever_has_a_name_that_does_not_break_${'x'.repeat(40)} and goes partly on time after that`

const filled = (name: string, path: string, act?: (page: Page) => Promise<void>): ShotScreen => ({
  name,
  path,
  visitor: 'owner',
  act: async (page) => {
    await fillAlerts(page)
    await page.reload()
    await act?.(page)
  },
})

const opens = (name: string, then?: string | RegExp) => async (page: Page) => {
  await page.getByRole('link', { name, exact: true }).click()
  if (then !== undefined) await drawn(page, then)
}
/** A chart comes after its words. */
const drawn = async (page: Page, text: string | RegExp) => {
  await page.getByText(text).first().waitFor()
  await page.locator('main canvas').first().waitFor()
}
const would = /would (not )?have fired/
const channels = '/p/:project/settings/channels'
const alerts = '/p/:project/alerts?env=production'

export const alertScreens: ShotScreen[] = [
  { name: 'alerts-empty', path: '/p/empty/alerts', visitor: 'owner', act: undefined },
  { name: 'channels-empty', path: '/p/empty/settings/channels', visitor: 'owner', act: undefined },
  filled('alerts', alerts),
  filled('alert', alerts, opens('Hardly anybody there', would)),
  filled('alert-firing', alerts, opens(long, would)),
  filled('alert-events', alerts, opens('Events')),
  filled('alert-new', '/p/:project/alerts/new?env=production&kind=view', async (page) => {
    await page.getByLabel('Threshold', { exact: true }).fill('20')
    await drawn(page, would)
  }),
  filled('alert-new-faults', '/p/:project/alerts/new?env=production&kind=view', (page) =>
    page.getByRole('button', { name: 'Create alert' }).click(),
  ),
  filled('alert-leaving', '/p/:project/alerts/new?env=production&kind=view', async (page) => {
    await page.getByLabel('Threshold', { exact: true }).fill('20')
    await page.getByRole('link', { name: 'Cancel' }).click()
  }),
  filled('alert-change', alerts, async (page) => {
    await opens('Hardly anybody there', would)(page)
    await page.getByRole('link', { name: 'Change', exact: true }).click()
    await drawn(page, would)
  }),
  filled('channels', channels),
  filled('channel', channels, opens('#web-releases')),
  filled('channel-failing', channels, opens(long)),
  filled('channel-log', channels, async (page) => {
    await opens(long)(page)
    await page.getByRole('row').nth(1).getByRole('button').first().click()
    await page.getByText('Unknown host name.').last().waitFor()
  }),
  filled('channel-new', channels, (page) => page.getByRole('button', { name: 'New channel' }).click()),
]
