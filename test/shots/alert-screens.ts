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
  await post('/alerts', { ...place, name: 'Errors and decisions', rule: events })
}

const filled = (name: string, path: string, act?: (page: Page) => Promise<void>): ShotScreen => ({
  ...{ name, path, visitor: 'owner' },
  act: async (page) => {
    await fillAlerts(page)
    await page.reload()
    await act?.(page)
  },
})

const opens = (name: string) => (page: Page) => page.getByRole('link', { name, exact: true }).click()
const channels = '/p/:project/settings/channels'
const alerts = '/p/:project/alerts?env=production'

export const alertScreens: ShotScreen[] = [
  { name: 'alerts-empty', path: '/p/empty/alerts', visitor: 'owner', act: undefined },
  { name: 'channels-empty', path: '/p/empty/settings/channels', visitor: 'owner', act: undefined },
  filled('alerts', alerts),
  filled('alert', alerts, opens('Hardly anybody there')),
  filled('alert-events', alerts, opens('Errors and decisions')),
  filled('alert-new', '/p/:project/alerts/new?env=production&kind=view', (page) =>
    page.getByLabel('Bound', { exact: true }).fill('20'),
  ),
  filled('channels', channels),
  filled('channel', channels, opens('#web-releases')),
  filled('channel-new', channels, (page) => page.getByRole('button', { name: 'New channel' }).click()),
]
