import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson
const url = '/api/v1/projects/shop/metrics'
const orders = {
  key: 'orders',
  name: 'Orders',
  event: 'order paid',
  aggregation: 'proportion',
  better: 'higher',
}

beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
})
afterAll(() => telltale[Symbol.asyncDispose]())

const ask = (method: string, rest = '', body?: unknown) =>
  telltale.request(method, url + rest, { as: owner, body })
const askFrom = (version: number, body: unknown) =>
  telltale.request('PATCH', `${url}/orders`, { as: owner, body, headers: { 'if-match': `"${version}"` } })

test('every project has the built-in metrics, which cannot be changed, replaced or deleted', async () => {
  const { body } = await ask('GET')
  expect(body.items[0]).toEqual({
    key: 'lcp',
    name: 'Largest Contentful Paint',
    builtIn: true,
    event: null,
    aggregation: 'quantile',
    quantile: 0.75,
    cap: null,
    better: 'lower',
    unit: 'ms',
    filter: '',
    limit: 0.05,
    usualLimit: 0.05,
    version: 1,
    createdAt: null,
  })
  expect(body.items.map(({ key }: { key: string }) => key)).toContain('users-with-an-error')
  expect(await ask('PATCH', '/lcp', { limit: 0.5, name: 'Paint' })).toMatchObject({
    status: 409,
    body: { type: '/errors/built-in' },
  })
  expect((await ask('DELETE', '/lcp')).status).toBe(409)
  expect((await ask('POST', '', { ...orders, key: 'lcp' })).body.type).toBe('/errors/already-exists')
})

test('an own metric is created, changed from its version, and deleted; each is in the audit log', async () => {
  const created = await ask('POST', '', orders)
  expect(created).toMatchObject({
    status: 201,
    body: { ...orders, builtIn: false, limit: 0.05, cap: null, version: 1 },
  })
  expect((await ask('POST', '', orders)).status).toBe(409)

  const changed = await askFrom(1, { aggregation: 'count', cap: 3, limit: 0.1 })
  expect(changed).toMatchObject({
    status: 200,
    body: { aggregation: 'count', cap: 3, limit: 0.1, version: 2 },
  })
  const late = await askFrom(1, { name: 'Sales' })
  expect(late).toMatchObject({ status: 409, body: { current: { version: 2 } } })
  expect((await ask('GET')).body.items.at(-1)).toEqual(changed.body)

  const percentile = await askFrom(2, { aggregation: 'quantile', quantile: 0.6 })
  expect(percentile.body).toMatchObject({ quantile: 0.6 })
  // Totals are capped at their own percentile.
  expect((await askFrom(3, { aggregation: 'sum' })).body).toMatchObject({
    aggregation: 'sum',
    quantile: 0.99,
  })

  expect((await ask('DELETE', '/orders')).status).toBe(204)
  expect((await ask('PATCH', '/orders', { name: 'Sales' })).status).toBe(404)
  const audit = await telltale.request('GET', '/api/v1/projects/shop/audit', { as: owner })
  const actions = audit.body.items.map(({ action }: { action: string }) => action)
  expect(actions).toEqual(expect.arrayContaining(['metric.create', 'metric.update', 'metric.delete']))
})

test('a filter is stored in its canonical form, a percentile with its level', async () => {
  const draft = {
    ...orders,
    key: 'slow-orders',
    aggregation: 'quantile',
    filter: ' browser:"Safari"  attr:plan=pro ',
  }
  const created = await ask('POST', '', draft)
  expect(created.body).toMatchObject({ filter: 'browser:Safari attr:plan=pro', quantile: 0.75 })
  const changed = await ask('PATCH', '/slow-orders', { filter: '', quantile: 0.9 })
  expect(changed.body).toMatchObject({ filter: '', quantile: 0.9, version: 2 })
  await ask('DELETE', '/slow-orders')
})

test('a project can set its own limit of a built-in metric, and reset it', async () => {
  const patch = (version: number, body: unknown) =>
    telltale.request('PATCH', `${url}/cls`, { as: owner, body, headers: { 'if-match': `"${version}"` } })
  expect((await patch(1, { limit: 0.2 })).body).toMatchObject({ limit: 0.2, usualLimit: 0.05, version: 2 })
  expect(await patch(1, { limit: 0.3 })).toMatchObject({ status: 409, body: { current: { limit: 0.2 } } })
  const cls = ({ key }: { key: string }) => key === 'cls'
  expect((await ask('GET')).body.items.find(cls)).toMatchObject({ limit: 0.2, builtIn: true, version: 2 })
  await telltale.project('other')
  const elsewhere = await telltale.request('GET', '/api/v1/projects/other/metrics', { as: owner })
  expect(elsewhere.body.items.find(cls)).toMatchObject({ limit: 0.05, version: 1 })
  expect((await patch(2, { limit: null })).body).toMatchObject({ limit: 0.05, version: 3 })
  const audit = await telltale.request('GET', '/api/v1/projects/shop/audit', { as: owner })
  expect(audit.body.items[0]).toMatchObject({ action: 'metric.update', entity: { name: 'cls' } })
})

test('by default a rollout starts with the limits of its project', async () => {
  const as = { as: owner }
  await ask('PATCH', '/inp', { limit: 0.08 })
  const body = { key: 'search', name: 'Search', valueType: 'boolean', clientVisible: true }
  await telltale.request('POST', '/api/v1/projects/shop/flags', { ...as, body })
  const at = '/api/v1/projects/shop/environments/staging/flags/search'
  const {
    salt: _salt,
    savedAt: _savedAt,
    ...config
  } = (await telltale.request('GET', `${at}/config`, as)).body
  const served = { ...config, enabled: true, fallthrough: { variation: 'off' } }
  await telltale.request('PUT', `${at}/config`, { ...as, body: served })
  const drafted = await telltale.request('POST', `${at}/rollouts`, { ...as, body: { treatment: 'on' } })
  expect(drafted.status).toBe(201)
  expect(drafted.body.metrics).toContainEqual(expect.objectContaining({ metric: 'inp', limit: 0.08 }))
})

test.each([
  ['no event', { event: ' ' }],
  ['a limit that is none', { limit: 0 }],
  ['a limit of everything', { limit: 1 }],
  ['a cap below one', { cap: 0 }],
  ['a member nobody knows', { segment: 'beta' }],
  ['a filter that cannot be read', { filter: 'browser:' }],
  ['a filter by what a variation may change', { filter: 'flag:checkout=new' }],
  ['a filter by what a session comes to', { filter: 'errors:>1' }],
  ['a filter of words', { filter: 'pay now' }],
  ['a percentile of everything', { aggregation: 'quantile', quantile: 1 }],
  ['an event of two lines', { event: 'order\npaid' }],
])('%s is refused', async (_name, wrong) => {
  expect((await ask('POST', '', { ...orders, key: 'wrong', ...wrong })).status).toBe(400)
})
