// A client key is public: the data it can store in PostgreSQL is limited, and evaluations still work beyond the
// limit.

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { forgetIdentities } from './forget-identities.ts'

const most = 700
let telltale: Telltale
let owner: SomePerson
const keys: Record<string, string> = {}

beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_IDENTITIES: String(most) } })
  await telltale.project('shop')
  owner = await telltale.person({ role: 'owner' })
  for (const kind of ['client', 'server']) {
    const path = '/api/v1/projects/shop/environments/development/keys'
    keys[kind] = (await telltale.request('POST', path, { as: owner, body: { kind } })).body.value
  }
})
afterAll(() => telltale?.[Symbol.asyncDispose]())

const evaluate = async (kind: 'client' | 'server', targetingKey: string, traits: object = {}) => {
  const { status } = await telltale.request('POST', '/ofrep/v1/evaluate/flags', {
    headers: { 'x-api-key': keys[kind] ?? '' },
    body: { context: { targetingKey, ...traits } },
  })
  return status
}
const stored = async (prefix: string) => {
  await telltale.running.services.identityNotes.flush()
  const { rows } = await telltale.running.services.db.execute<{ count: number; size: number }>(
    sql`SELECT count(*)::int AS count, coalesce(max(length(traits::text)), 0)::int AS size FROM identities WHERE targeting_key LIKE ${`${prefix}%`}`,
  )
  return rows[0] ?? { count: 0, size: 0 }
}
const notStored = (limit: 'address' | 'environment') =>
  telltale.running.services.identityNotes.room.condition().notStored.get(limit) ?? 0

test('new identities per address and minute are limited; others are evaluated and counted', async () => {
  const statuses = new Set<number>()
  for (let index = 0; index < 650; index++) statuses.add(await evaluate('client', `visitor-${index}`))
  expect([...statuses]).toEqual([200])
  expect((await stored('visitor-')).count).toBe(600)
  expect(notStored('address')).toBe(50)
  // Stored identities are still updated.
  await evaluate('client', 'visitor-1', { plan: 'team' })
  expect((await stored('visitor-1')).size).toBeGreaterThan(2)
  // The limit per address resets after a minute.
  telltale.passTime(61_000)
  await evaluate('client', 'visitor-later')
  expect((await stored('visitor-later')).count).toBe(1)
})

test('the traits of one identity are bounded together', async () => {
  const traits = Object.fromEntries(
    Array.from({ length: 90 }, (_, index) => [`t${index}`, 'x'.repeat(1_900)]),
  )
  expect(await evaluate('server', 'large-1', traits)).toBe(200)
  expect((await stored('large-1')).size).toBeLessThan(20_000)
})

test('an environment stores a limited number, and reports it', async () => {
  for (let round = 0; round < 3; round++) {
    for (let index = 0; index < 60; index++) await evaluate('server', `user-${round}-${index}`)
    await telltale.running.services.identityNotes.flush()
  }
  const { count } = await stored('')
  expect(count).toBeGreaterThanOrEqual(most)
  expect(count).toBeLessThan(most + 60)
  expect(await evaluate('server', 'one-more')).toBe(200)
  expect((await stored('one-more')).count).toBe(0)
  expect(notStored('environment')).toBeGreaterThan(0)
  const { body } = await telltale.request('GET', '/health/ready')
  expect(body.degraded).toContain('identities')
  const metrics = await telltale.request('GET', '/metrics')
  expect(metrics.body).toMatch(/telltale_identities_not_stored_total\{limit="environment"\} [1-9]/)
})

test('an identity unseen for longer than any retention is deleted at night', async () => {
  const { db, clock } = telltale.running.services
  await db.execute(
    sql`UPDATE identities SET last_seen_at = now() - interval '500 days' WHERE targeting_key LIKE 'visitor-%'`,
  )
  await forgetIdentities(db, { now: clock(), step: async () => undefined })
  expect((await stored('visitor-')).count).toBe(0)
  expect((await stored('large-')).count).toBe(1)
})
