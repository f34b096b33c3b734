// Rates on the real engine, through the API, compared with a count by hand; comparisons say what they can.

import { rateOfMean, rateOfShare } from '@telltale/core/statistics/clustered-rate'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { type SomeStep, someVisits } from '../../../../../test/telemetry/some-visits.ts'
import { groupBy } from '../explore/testing/count-by-hand.ts'

const day = 86_400_000
const from = Date.parse('2026-10-22T09:30:00Z')
const to = from + 7 * day
const environment = '/api/v1/projects/shop/environments/production'

let telltale: Telltale
let owner: SomePerson
let environmentId: string

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true, settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  await telltale.project('shop')
  owner = await telltale.person({ role: 'owner' })
  environmentId = (await telltale.request('GET', environment, { as: owner })).body.id
})
afterAll(() => telltale?.[Symbol.asyncDispose]())

const ask = (query: Record<string, string>) => {
  const given = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), ...query }
  return telltale.request('GET', `${environment}/explore/rates?${new URLSearchParams(given)}`, { as: owner })
}

/** The version is that of the world, or given. */
type Sent = SomeStep & { version?: string; country?: string }

async function store(world: number, events: readonly Sent[]): Promise<void> {
  const columns = [
    ...([
      'environment_id',
      'kind',
      'ts',
      'event_id',
      'session_id',
      'view_id',
      'user_hash',
      'weight',
    ] as const),
    ...(['bot', 'version', 'page', 'browser', 'name', 'flags', 'country'] as const),
  ]
  const rows = events.map((one) =>
    JSON.stringify([
      ...[environmentId, one.kind, one.at, one.id, one.session, one.view, one.user, 1, one.bot ? 1 : 0],
      ...[one.version ?? `w${world}`, one.page, one.browser, one.name, one.flags, one.country ?? ''],
    ]),
  )
  const { telemetry } = telltale.running.services
  const stored = await telemetry.insert({
    ...{ table: 'events', columns, token: `rates-${world}` },
    rows: Buffer.from(rows.join('\n')),
  })
  expect(stored).toEqual({ kind: 'stored' })
}

interface Asked {
  unit: 'user' | 'session'
  measure: 'share' | 'mean'
}

/** Sums over users, as the statistics take them. */
function sumsByHand(events: readonly SomeStep[], { unit, measure }: Asked) {
  const users = [...groupBy(events, ({ user }) => user).values()].map((own) => {
    const units = [...groupBy(own, (one) => (unit === 'user' ? one.user : one.session)).values()]
    const hits = units.map((some) => some.filter(({ kind, page }) => kind === 'view' && page === '/a').length)
    const y = hits.reduce((sum, count) => sum + (measure === 'share' ? Math.min(1, count) : count), 0)
    return { n: units.length, y }
  })
  const sum = (of: (user: { n: number; y: number }) => number) =>
    users.reduce((all, user) => all + of(user), 0)
  return {
    ...{ units: users.length, n: sum(({ n }) => n), y: sum(({ y }) => y) },
    ...{ nn: sum(({ n }) => n * n), ny: sum(({ n, y }) => n * y), yy: sum(({ y }) => y * y) },
  }
}

test('rates equal a count by hand, in total and by browser', async () => {
  let world = 0
  await fc.assert(
    fc.asyncProperty(
      someVisits(from),
      fc.constantFrom<Asked['unit'][]>('user', 'session'),
      fc.constantFrom<Asked['measure'][]>('share', 'mean'),
      async (make, unit, measure) => {
        world += 1
        const made = make(world)
        await store(world, made)
        const events = made.filter(({ bot, at }) => !bot && at >= from && at < to)
        const { status, body } = await ask({
          ...{ filter: `version:w${world}`, kind: 'view', event: 'page:/a', unit, measure, by: 'browser' },
        })
        expect(status, JSON.stringify(body)).toBe(200)
        const expectRate = (rate: typeof body.total, own: readonly SomeStep[]) => {
          const sums = sumsByHand(own, { unit, measure })
          const found = measure === 'share' ? rateOfShare(sums) : rateOfMean(sums)
          const hits = own.filter(({ kind, page }) => kind === 'view' && page === '/a').length
          expect(rate).toMatchObject({ users: sums.units, units: sums.n, events: hits })
          if (found === undefined) return expect(rate.value).toBeNull()
          expect(rate.value).toBeCloseTo(found.value, 9)
          if ('missing' in found)
            return expect(rate).toMatchObject({ interval: null, missing: found.missing })
          expect(rate.interval.lower).toBeCloseTo(found.lower, 9)
          expect(rate.interval.upper).toBeCloseTo(found.upper, 9)
        }
        expectRate(body.total, events)
        const byBrowser = groupBy(events, ({ browser }) => browser)
        expect(body.groups).toHaveLength(byBrowser.size)
        for (const { value, rate } of body.groups) expectRate(rate, byBrowser.get(value) ?? [])
      },
    ),
    { numRuns: 12, seed: 3, endOnFailure: true },
  )
})

/** One session of each user, who buys with this probability; everyone of a side in the same hours. */
function users(
  count: number,
  { first, share, version, at }: { first: number; share: number; version: string; at: number },
): Sent[] {
  return Array.from({ length: count }, (_, index) => {
    const number = first + index
    const id = (kind: number) => `0190b3a4-00${kind}0-7000-8000-${String(number).padStart(12, '0')}`
    const base: Sent = {
      ...{
        kind: 'view',
        at: at + (index % 4) * 3_600_000,
        id: id(1),
        session: id(2),
        view: id(3),
        user: `${number}`,
      },
      ...{ bot: false, browser: 'Chrome', page: '/a', name: '', flags: [], version, country: 'DE' },
    }
    const buys = (index * 0.618) % 1 < share
    return buys ? [base, { ...base, kind: 'custom' as const, name: 'bought', id: id(4) }] : [base]
  }).flat()
}

test('two values and two periods are compared by the engine of releases, with what limits them', async () => {
  await store(900, [
    ...users(800, { first: 1_000_000, share: 0.5, version: 'new', at: from }),
    ...users(800, { first: 2_000_000, share: 0.2, version: 'old', at: from }),
    ...users(800, { first: 3_000_000, share: 0.5, version: 'new', at: from - 7 * day }),
    ...users(800, { first: 4_000_000, share: 0.2, version: 'old', at: from - 7 * day }),
  ])
  const bought = { kind: 'custom', event: 'name:bought', filter: 'version:new,old' }
  const values = { ...bought, by: 'version', compare: 'values', value: 'new', base: 'old' }
  const { body: byVersion } = await ask(values)
  expect(byVersion.comparison).toMatchObject({
    ...{ verdict: 'higher', missing: null, strata: 4, users: { value: 800, base: 800 } },
    caveat: expect.stringContaining('not an experiment'),
  })
  expect(byVersion.comparison.change.estimate).toBeCloseTo(0.3, 1)
  expect(byVersion.comparison.change.lower).toBeGreaterThan(0.15)
  const { body: swapped } = await ask({ ...values, value: 'old', base: 'new' })
  expect(swapped.comparison.verdict).toBe('lower')

  const { body: byPeriod } = await ask({ ...bought, compare: 'periods' })
  expect(byPeriod.comparison).toMatchObject({
    ...{ verdict: 'not-sure', strata: 4, users: { value: 1_600, base: 1_600 } },
    caveat: expect.stringContaining('not randomised'),
  })
  const { body: few } = await ask({ ...values, base: 'none' })
  expect(few.comparison).toMatchObject({ verdict: 'not-comparable', change: null })

  expect(await ask({ ...values, base: 'new' })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '?base' }] },
  })
  expect(await ask({ ...bought, compare: 'values' })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '?by' }] },
  })
})

test('one user with thousands of events gets no interval of a mean, and hardly moves the share of users', async () => {
  const [one] = users(1, { first: 6_000_000, share: 0, version: 'heavy', at: from })
  if (one === undefined) throw new Error('a user')
  const bot = Array.from({ length: 5_000 }, (_, index) => ({
    ...one,
    ...{ kind: 'custom' as const, name: 'bought', at: from + index },
    id: `0190b3a4-0050-7000-8000-${String(index).padStart(12, '0')}`,
  }))
  await store(901, [...users(200, { first: 5_000_000, share: 0.3, version: 'heavy', at: from }), one, ...bot])
  const heavy = { kind: 'custom', event: 'name:bought', filter: 'version:heavy' }
  expect((await ask({ ...heavy, measure: 'mean' })).body.total).toMatchObject({
    interval: null,
    missing: 'too-uneven',
  })
  const { total } = (await ask(heavy)).body
  expect(total.users).toBe(201)
  expect(total.value).toBeCloseTo(0.3, 1)
  expect(total.interval.upper).toBeLessThan(0.4)
})
