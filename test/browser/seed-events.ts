// Telemetry of invented visitors through the real intake, also of days that are long over; and when it can be asked for.

import { expect, type Page } from '@playwright/test'
import { v7 as newId } from 'uuid'
import { context, type Line, toLines } from '../intake/visitor.ts'
import type { BuiltServer } from './built-server.ts'
import { ask, projectPath } from './console-member.ts'

export const environmentPath = `${projectPath}/environments/production`
export const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

export interface Visit {
  /** Of the context: page, reads, version. */
  about?: Line
  events: readonly Line[]
  browser?: string
}

export interface Seeder {
  /** One session of one visitor. */
  visit(visit: Visit): Promise<void>
  /** One session each of many visitors, in as few batches as they fit in. */
  crowd(visits: readonly Visit[]): Promise<void>
  /** Until so many events of the last 30 days can be asked for. */
  untilStored(count: number): Promise<void>
}

const day = 86_400_000
const visitsPerBatch = 50
const patience = { timeout: 40_000 }

/** Whoever is signed in on the page has to be an owner. */
export async function openSeeder(page: Page, server: BuiltServer): Promise<Seeder> {
  const keys = await ask<{ items: { kind: string; value: string }[] }>(page, server, {
    path: `${environmentPath}/keys`,
  })
  const key = keys.items.find(({ kind }) => kind === 'client')?.value ?? ''
  const token = await ask<{ value: string }>(page, server, {
    method: 'POST',
    path: '/api/v1/account/tokens',
    body: { name: `history ${newId()}`, role: 'owner' },
  })
  async function send(visits: readonly Visit[], browser: string) {
    const lines = visits.flatMap(({ about = {}, events }, index) => {
      const session = newId()
      const one = context({ index, session, anonymousId: session, ...about })
      return [one, ...events.map((event) => ({ ...event, context: index }))]
    })
    const query = new URLSearchParams({ key, batch: newId(), backfill: '1', country: 'DE' })
    const answer = await fetch(`${server.url}/intake/v1/events?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token.value}`, 'user-agent': browser },
      body: toLines(lines),
    })
    expect(await answer.json()).toMatchObject({ accepted: lines.length - visits.length, dropped: [] })
  }
  return {
    visit: ({ browser = chrome, ...visit }) => send([visit], browser),
    async crowd(visits) {
      for (let from = 0; from < visits.length; from += visitsPerBatch)
        await send(visits.slice(from, from + visitsPerBatch), chrome)
    },
    async untilStored(count) {
      const to = Date.now() + day
      const query = new URLSearchParams({
        from: new Date(to - 31 * day).toISOString(),
        to: new Date(to).toISOString(),
        measure: 'count',
        step: '1d',
      })
      const stored = async () => {
        const answer = await page.request.get(`${server.url}${environmentPath}/explore?${query}`)
        return answer.ok() ? (await answer.json()).total.events : answer.status()
      }
      await expect.poll(stored, patience).toBe(count)
    },
  }
}
