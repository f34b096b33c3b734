// Dashboards on the real engines: arrangement, conflicts, files, and the data of every kind of tile.

import type { Tile } from '@telltale/core/contract/dashboard-tiles'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { findProject } from '../../access/find-project.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'

let telltale: Telltale
let editor: SomePerson
let viewer: SomePerson

const project = '/api/v1/projects/shop'
const list = `${project}/dashboards`
const measured = `${project}/environments/production/dashboards`

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true, settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  await telltale.project('shop')
  editor = await telltale.person({ in: { shop: 'editor' } })
  viewer = await telltale.person({ in: { shop: 'viewer' } })
  await addEvents()
})
afterAll(() => telltale?.[Symbol.asyncDispose]())

/** Six errors in the last hour and two in the one before; 300 LCP values of 2 s, too few for a minute. */
async function addEvents() {
  const { db, telemetry, clock } = telltale.running.services
  const row = await findProject(db, 'shop')
  const { id } = await getEnvironment(db, { projectId: row?.id ?? '', key: 'production' })
  const columns = [
    'environment_id',
    'kind',
    'name',
    'value',
    'page',
    'ts',
    'event_id',
    'session_id',
    'weight',
  ] as const
  const line = (kind: string, minutes: number, { name = '', value = 0, page = '/a' } = {}) => {
    const at = new Date(clock().getTime() - minutes * 60_000)
    const ts = at.toISOString().replace('T', ' ').replace('Z', '')
    return JSON.stringify([id, kind, name, value, page, ts, newId(), newId(), 1])
  }
  const rows = [
    ...Array.from({ length: 6 }, (_, index) => line('error', 10, { page: index < 4 ? '/a' : '/b' })),
    ...Array.from({ length: 2 }, () => line('error', 90)),
    ...Array.from({ length: 300 }, (_, index) =>
      line('vital', 10 + (index * 40) / 300, { name: 'LCP', value: 2_000 }),
    ),
  ]
  const batch = { table: 'events', columns, rows: Buffer.from(rows.join('\n')), token: newId() } as const
  expect(await telemetry.insert(batch)).toMatchObject({ kind: 'stored' })
}

type Ask = [method: string, path: string, body?: unknown, version?: number]
const by =
  (as: SomePerson) =>
  (...[method, path, body, version]: Ask) =>
    telltale.request(method, path, {
      as,
      ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
const edit = (...asked: Ask) => by(editor)(...asked)

const placed = () => ({ id: newId(), title: '', width: 6 as const, height: 'medium' as const })
const errors = (more: object = {}) => ({
  ...placed(),
  kind: 'explore',
  chart: 'line',
  event: 'error',
  measure: 'count',
  ...more,
})
const draft = (tiles: unknown[] = [], more: object = {}) => ({
  name: 'Shop',
  description: '',
  tiles,
  defaults: { range: '24h' },
  ...more,
})
async function create(tiles: unknown[] = [], more: object = {}) {
  const { status, body } = await edit('POST', list, draft(tiles, more))
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}
const lastHour = () => {
  const now = telltale.running.services.clock().getTime()
  return { from: new Date(now - 3_600_000).toISOString(), to: new Date(now).toISOString() }
}
/** The data of a tile in the last hour. */
async function read(tile: object, more: object = {}) {
  const { status, body } = await by(viewer)('POST', `${measured}/preview`, { tile, ...lastHour(), ...more })
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}

test('a dashboard is created, found, replaced, exported, imported and deleted', async () => {
  const tile = errors()
  const made = await create([tile], { name: 'First', description: 'For the team' })
  expect(made).toMatchObject({ name: 'First', tiles: [tile], version: 1, owner: { id: editor.id } })

  const { body: found } = await by(viewer)('GET', `${list}?search=FOR%20THE`)
  expect(found.items).toMatchObject([{ id: made.id, tiles: 1 }])
  expect((await by(viewer)('GET', `${list}?search=100%25`)).body.items).toEqual([])

  const path = `${list}/${made.id}`
  const { body: saved } = await edit('PUT', path, draft([], { name: 'Second' }), 1)
  expect(saved).toMatchObject({ name: 'Second', tiles: [], version: 2 })

  await edit('PUT', path, draft([tile], { name: 'Second' }))
  const { body: file } = await by(viewer)('GET', `${path}/export`)
  expect(file).toEqual({ kind: 'telltale-dashboard', schema: 1, ...draft([tile], { name: 'Second' }) })
  const { body: copy } = await edit('POST', `${list}/import`, file)
  expect(copy).toMatchObject({ name: 'Second', tiles: [tile], version: 1 })

  expect((await edit('DELETE', path)).status).toBe(204)
  expect((await by(viewer)('GET', path)).status).toBe(404)
  const attempts: Ask[] = [
    ['POST', list, draft()],
    ['PUT', `${list}/${copy.id}`, draft()],
    ['DELETE', `${list}/${copy.id}`],
  ]
  for (const attempt of attempts) expect((await by(viewer)(...attempt)).status).toBe(403)
})

test('of two members who edit one dashboard, the second gets the saved state', async () => {
  const { id } = await create()
  const path = `${list}/${id}`
  await edit('PUT', path, draft([], { name: 'Mine' }), 1)
  const late = await edit('PUT', path, draft([], { name: 'Theirs' }), 1)
  expect(late).toMatchObject({ status: 409, body: { current: { name: 'Mine', version: 2 } } })
  expect((await by(viewer)('GET', path)).body.name).toBe('Mine')
})

test('what is no dashboard is refused with its place, and nothing is stored', async () => {
  const before = (await by(viewer)('GET', `${list}?limit=200`)).body.items.length
  const file = { kind: 'telltale-dashboard', schema: 1, ...draft([errors()]) }
  const twice = errors()
  const faults: [object, RegExp][] = [
    [{ ...file, schema: 2 }, /schema/],
    [{ ...file, tiles: [{ ...placed(), kind: 'pie' }] }, /tiles\/0/],
    [{ ...file, tiles: [{ ...errors(), width: 5 }] }, /tiles\/0/],
    [{ ...file, tiles: Array.from({ length: limits.dashboardTiles + 1 }, () => errors()) }, /tiles/],
    [{ ...file, tiles: [twice, twice] }, /tiles\/1\/id/],
    [{ ...file, tiles: [errors({ filter: 'nonsense:1' })] }, /tiles\/0\/filter/],
    [{ ...file, tiles: [errors({ measure: 'p75' })] }, /tiles\/0\/field/],
    [{ ...file, tiles: [errors({ by: 'views' })] }, /tiles\/0\/by/],
    [{ ...file, tiles: [{ ...placed(), kind: 'funnel', steps: 'page:/a' }] }, /tiles\/0\/steps/],
    [{ ...file, defaults: { range: '24h', filter: 'x:' } }, /defaults\/filter/],
    [{ ...file, defaults: { range: '3 moons' } }, /defaults\/range/],
    [{ ...file, more: 1 }, /more/],
  ]
  for (const [given, place] of faults) {
    const { status, body } = await edit('POST', `${list}/import`, given)
    expect({ given, status }).toMatchObject({ status: 400 })
    expect(JSON.stringify(body.errors)).toMatch(place)
  }
  expect((await edit('POST', `${list}/import`, 'no dashboard')).status).toBe(400)
  expect((await by(viewer)('GET', `${list}?limit=200`)).body.items.length).toBe(before)
})

test('a tile of events shows its groups, and a number its change', async () => {
  const { now } = await read(errors({ chart: 'table', by: 'page' }))
  expect(now).toMatchObject({
    total: { value: 6 },
    groups: [
      { values: ['/a'], value: 4 },
      { values: ['/b'], value: 2 },
    ],
  })
  const number = await read(errors({ chart: 'number' }))
  expect(number).toMatchObject({ now: { total: { value: 6 } }, before: { value: 2 } })
  // Both filters apply, that of the dashboard and that of the tile.
  const filtered = await read(errors({ filter: 'page:/a,/b' }), { filter: 'page:/b' })
  expect(filtered.now.total.value).toBe(2)
})

test('a percentile has steps with enough values, or those it asks for', async () => {
  const lcp = { ...errors({ event: 'vital', measure: 'p75', field: 'lcp' }) }
  const { now } = await read(lcp)
  expect(now.groups[0].points.map(({ value }: { value: number | null }) => value)).toContain(2_000)
  const { now: asked } = await read({ ...lcp, step: '1m' })
  expect(asked.groups[0].points.every(({ value }: { value: number | null }) => value === null)).toBe(true)
})

test('a funnel has its steps, and with a split the groups', async () => {
  const funnel = { ...placed(), kind: 'funnel', unit: 'session', steps: 'kind:error -> kind:custom' }
  const { now } = await read(funnel)
  expect(now).toMatchObject({ unit: 'session', groups: [], steps: [{ count: 6 }, { count: 0 }] })
  const split = await read({ ...funnel, by: 'page' }, { filter: 'page:/a' })
  expect(split.now).toMatchObject({ groups: [{ value: '/a', steps: [{ count: 4 }, { count: 0 }] }] })
})

test('vitals have those of the previous period beside them', async () => {
  const { now, before } = await read({ ...placed(), kind: 'vitals' })
  expect(now[0]).toMatchObject({ name: 'LCP', count: 300, p75: 2_000, good: 1 })
  expect(before[0]).toMatchObject({ name: 'LCP', count: 0, p75: null })
})

test('flags, metrics and alerts that are gone are named; existing ones are shown', async () => {
  await edit('POST', `${project}/flags`, { key: 'checkout', name: 'Checkout', valueType: 'boolean' })
  expect(await read({ ...placed(), kind: 'impact', flag: 'checkout' })).toEqual({
    kind: 'impact',
    flag: { key: 'checkout', name: 'Checkout' },
    compared: null,
  })
  expect(await read({ ...placed(), kind: 'rollout', flag: 'checkout' })).toMatchObject({ rollout: null })

  const missing = (what: string, key: string) => ({ kind: 'missing', what, key })
  expect(await read({ ...placed(), kind: 'impact', flag: 'gone' })).toEqual(missing('flag', 'gone'))
  expect(await read({ ...placed(), kind: 'rollout', flag: 'gone' })).toEqual(missing('flag', 'gone'))
  expect(await read({ ...placed(), kind: 'impact', flag: 'checkout', metric: 'gone' })).toEqual(
    missing('metric', 'gone'),
  )

  const rule = { kind: 'events', events: ['rollout.rolled-back'] }
  const { body: alert } = await edit('POST', `${project}/alerts`, {
    name: 'Rollbacks',
    env: 'production',
    rule,
    channels: [],
  })
  const tile = { ...placed(), kind: 'alert', alert: alert.id }
  const shown = await read(tile)
  expect(shown.alert).toMatchObject({ name: 'Rollbacks', state: 'ok' })
  // A shared dashboard shows it outside of the project.
  expect(Object.keys(shown.alert)).not.toContain('createdBy')
  await edit('DELETE', `${project}/alerts/${alert.id}`)
  expect(await read(tile)).toEqual(missing('alert', alert.id))
})

test('a saved tile is measured by its place', async () => {
  const tile = errors({ chart: 'number' })
  const { id } = await create([tile])
  const path = `${measured}/${id}/tiles/${tile.id}?${new URLSearchParams(lastHour())}`
  expect((await by(viewer)('GET', path)).body).toMatchObject({
    kind: 'explore',
    now: { total: { value: 6 } },
  })
  expect((await by(viewer)('GET', `${measured}/${id}/tiles/${newId()}`)).status).toBe(404)
  expect((await by(viewer)('GET', path.replace('production', 'nowhere'))).status).toBe(404)
  expect((await by(viewer)('GET', `${path}&filter=x%3A`)).status).toBe(400)
})

test('without the telemetry store, layouts are usable and tiles say so', async () => {
  await using away = await startTelltale({ settings: { CLICKHOUSE_URL: 'http://127.0.0.1:9/telemetry' } })
  await away.project('shop')
  const owner = await away.person({ role: 'owner' })
  const text: Tile = { ...placed(), kind: 'text', text: 'Hello' }
  const tiles = [errors(), text]
  const { status, body } = await away.request('POST', list, { as: owner, body: draft(tiles) })
  expect(status).toBe(201)
  const tile = (id: unknown) =>
    away.request('GET', `${measured}/${body.id}/tiles/${id}`, { as: owner }).then((answer) => answer.status)
  expect(await Promise.all(tiles.map(({ id }) => tile(id)))).toEqual([503, 200])
})
