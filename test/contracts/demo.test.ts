// `--demo`: what was invented is what is stored, once; the project looks as if people had made it; and it can be deleted.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { demo as built } from '../../demo/demo.ts'
import type { Demo, GeneratedVisit } from '../../packages/server/src/app/demo/demo.ts'
import { type SomePerson, startTelltale, type Telltale } from '../start.ts'

const settings = {
  TELLTALE_DEMO: 'on',
  TELLTALE_DEMO_VISITS: '60',
  TELLTALE_DEMO_VISITORS: 'off',
  // So few visits are as good as silence.
  TELLTALE_GUARD_INTERVAL: '3600000',
}
const patience = 30_000
const production = '/api/v1/projects/storefront/environments/production'

let reported: GeneratedVisit[] = []
const demo: Demo = {
  ...built,
  *generateHistory(options) {
    for (const visit of built.generateHistory(options)) {
      reported.push(visit)
      yield visit
    }
  },
}
let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true, settings, demo })
  await telltale.running.demo?.ready()
  owner = await telltale.person({ role: 'owner' })
}, 2 * patience)
afterAll(() => telltale?.[Symbol.asyncDispose]())

const get = async (path: string) => (await telltale.request('GET', path, { as: owner })).body
const linesOf = ({ batch }: GeneratedVisit) =>
  batch.lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

function countTold(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { kind } of reported.flatMap(linesOf)) {
    if (kind !== 'context') counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

async function countStored(): Promise<Record<string, number>> {
  const { telemetry } = telltale.running.services
  const rows = await telemetry.read<{ kind: string; n: string }>(`
    SELECT kind, count() AS n FROM events GROUP BY kind
    UNION ALL SELECT 'view_state' AS kind, count() AS n FROM views HAVING n > 0`)
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, Number(n)]))
}

test("its alerts include the guard's decisions, one is muted, and its chat gets nothing", async () => {
  const { items: alerts } = await get('/api/v1/projects/storefront/alerts')
  const names = built.project.alerts.map(({ name }) => name)
  expect(alerts.map(({ name }: { name: string }) => name).sort()).toEqual(names.toSorted())
  expect(alerts.filter(({ mutedUntil }: { mutedUntil: string | null }) => mutedUntil !== null)).toHaveLength(
    1,
  )
  const { id } = alerts.find(({ rule }: { rule: { kind: string } }) => rule.kind === 'events')
  const { items: incidents } = await get(`/api/v1/projects/storefront/alerts/${id}/incidents`)
  const steps = built.project.rollouts.flatMap((rollout) => rollout.steps)
  expect(incidents.length).toBeGreaterThanOrEqual(steps.length)

  const { items: channels } = await get('/api/v1/projects/storefront/channels')
  expect(channels.map(({ enabled }: { enabled: boolean }) => enabled)).toEqual([false])
  const waiting = await get(`/api/v1/projects/storefront/channels/${channels[0].id}/deliveries?state=waiting`)
  expect(waiting.items).toEqual([])
})

test('every reported event is stored, with its time and country', async () => {
  await expect.poll(countStored, { timeout: patience }).toEqual(countTold())
  expect(reported).toHaveLength(60)

  const { telemetry } = telltale.running.services
  const segments = reported.flatMap((visit) => visit.segments)
  const countSegments = async () =>
    Number((await telemetry.read<{ n: string }>('SELECT count() AS n FROM replay_segments'))[0]?.n)
  await expect.poll(countSegments, { timeout: patience }).toBe(segments.length)
  const [span] = await telemetry.read<{ first: string; countries: string[]; devices: string[] }>(`
    SELECT min(ts) AS first, arraySort(groupUniqArray(country)) AS countries, groupUniqArray(device) AS devices
    FROM events`)
  const first = Math.min(...reported.flatMap(linesOf).flatMap(({ at }) => at ?? []))
  expect(new Date(`${span?.first}Z`).getTime()).toBe(first)
  expect(span?.countries).toEqual([...new Set(reported.map(({ batch }) => batch.country))].sort())
  expect(span?.devices).toContain('mobile')
})

test("the requests of the last two days have traces over the shop's services, by the same intake", async () => {
  const { telemetry } = telltale.running.services
  const served = reported.flatMap((visit) => visit.served)
  expect(served.length).toBeGreaterThan(10)
  const countEntries = async () =>
    Number(
      (
        await telemetry.read<{ n: string }>(
          "SELECT count() AS n FROM spans WHERE kind = 'server' AND service = 'pedal-post-api'",
        )
      )[0]?.n,
    )
  await expect.poll(countEntries, { timeout: patience }).toBe(served.length)
  const [{ trace = '' } = {}] = served
  const found = await get(`${production}/traces/${trace}`)
  expect(found.services).toContain('pedal-post-api')
  expect(found.requests).toHaveLength(1)
  expect(found.spanList.some(({ system }: { system: string }) => system === 'postgresql')).toBe(true)
})

test('the project looks like a week of work', async () => {
  const flags = await get('/api/v1/projects/storefront/flags')
  expect(flags.items.map(({ key }: { key: string }) => key).sort()).toEqual(
    built.project.flags.map(({ key }) => key).sort(),
  )
  expect(await get(production)).toMatchObject({ protected: true, timeZone: 'Europe/Berlin' })
  const audit = await get('/api/v1/projects/storefront/audit?limit=200')
  const people = audit.items.filter(({ actor }: { actor: { kind: string } }) => actor.kind === 'user')
  const authors = new Set(people.map(({ actor }: { actor: { name: string } }) => actor.name))
  expect([...authors].sort()).toEqual(['Ines Castelo', 'Jonas Weck', 'Mara Oduya', 'Tomo Sato'])
  const days = audit.items.map(({ at }: { at: string }) => at.slice(0, 10))
  expect(new Set(days).size).toBeGreaterThan(5)
  // Newest first, though a week was written in a moment.
  const instants = audit.items.map(({ at }: { at: string }) => at)
  expect(instants).toEqual(instants.toSorted().toReversed())

  const { items } = await get(`${production}/identities?limit=200`)
  const customers = new Set(
    reported.filter(({ isCustomer }) => isCustomer).map(({ context }) => context.targetingKey),
  )
  expect(new Set(items.map(({ targetingKey }: { targetingKey: string }) => targetingKey))).toEqual(customers)
})

test('another start creates nothing again', async () => {
  const before = await countStored()
  const after = telltale
  await after.running.stop()
  reported = []
  telltale = await startTelltale({ settings, demo, again: { after, database: after.database } })
  await telltale.running.demo?.ready()
  expect(reported).toHaveLength(0)
  expect(await countStored()).toEqual(before)
  expect((await get('/api/v1/projects')).items).toHaveLength(1)
})

test('the shop has its API, with its delays, and no page without the demo', async () => {
  const answer = await telltale.request('GET', '/demo/api/search?q=bike%20for%20two&mode=hybrid')
  expect(answer).toMatchObject({
    status: 200,
    body: { products: expect.any(Array), ranks: expect.any(Object) },
  })
  expect((await telltale.request('GET', '/demo/api/pictures/204.svg')).headers.get('content-type')).toContain(
    'svg',
  )
  expect((await telltale.request('GET', '/demo/api/products/999')).status).toBe(404)
  expect((await telltale.request('DELETE', '/demo/api/products/204')).status).toBe(404)

  await using plain = await startTelltale()
  expect((await plain.request('GET', '/demo')).status).toBe(404)
  expect((await plain.request('GET', '/demo/api/products')).status).toBe(404)
})

test('a deleted project is created again at the next start', async () => {
  const { items } = await get('/api/v1/projects')
  const path = '/api/v1/projects/storefront?confirm=storefront'
  expect((await telltale.request('DELETE', path, { as: owner })).status).toBe(204)
  const after = telltale
  await after.running.stop()
  telltale = await startTelltale({ settings, demo, again: { after, database: after.database } })
  await telltale.running.demo?.ready()
  const made = await get('/api/v1/projects')
  expect(made.items.map(({ key }: { key: string }) => key)).toEqual(['storefront'])
  expect(made.items[0].id).not.toBe(items[0].id)
  expect(reported).toHaveLength(60)
})

test('one rollout is running, one completed, and one was rolled back twice by the guard before it completed', async () => {
  const { items } = await get('/api/v1/projects/storefront/rollouts')
  const states = items.map(({ flag, state, weight }: Record<string, unknown>) => [flag, state, weight])
  expect(states.sort()).toEqual([
    ['delivery-estimate', 'completed', 100_000],
    ['quick-view', 'completed', 100_000],
    ['quick-view', 'rolled-back', 0],
    ['quick-view', 'rolled-back', 0],
    ['sticky-cart', 'running', 50_000],
  ])
  for (const { id, flag } of items) {
    const log = (await get(`/api/v1/projects/storefront/rollouts/${id}/decisions`)).items
    expect(log.at(-1)).toMatchObject({ action: 'start', by: { name: expect.any(String) } })
    const decided = log.find(({ action }: { action: string }) =>
      ['complete', 'roll-back', 'advance'].includes(action),
    )
    expect(decided, flag).toMatchObject({ by: null })
  }
})
