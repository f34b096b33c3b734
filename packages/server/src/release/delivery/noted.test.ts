import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson
const keys = { client: '', server: '' }

beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  for (const kind of ['client', 'server'] as const) {
    keys[kind] = (await send('POST', '/environments/staging/keys', { kind, label: kind })).body.value
  }
  for (const [key, clientVisible] of [
    ['checkout', true],
    ['secret', false],
  ] as const) {
    await send('POST', '/flags', { key, name: key, valueType: 'boolean', clientVisible })
  }
})

afterAll(() => telltale[Symbol.asyncDispose]())

const send = (method: string, path: string, body?: object) =>
  telltale.request(method, `/api/v1/projects/shop${path}`, {
    as: owner,
    ...(body === undefined ? {} : { body }),
  })

const ask = (kind: 'client' | 'server', context: object, { flag = '', tag = '' } = {}) =>
  telltale.request('POST', `/ofrep/v1/evaluate/flags${flag && `/${flag}`}`, {
    headers: { authorization: `Bearer ${keys[kind]}`, ...(tag && { 'if-none-match': tag }) },
    body: { context },
  })

async function evaluationsOf(flag: string) {
  await telltale.running.services.evaluationCounts.flush()
  return (await send('GET', `/environments/staging/flags/${flag}/evaluations`)).body
}

test('every response is counted, for both APIs and kinds of keys, except unchanged ones', async () => {
  const first = await ask('client', { targetingKey: 'ada' })
  const unchanged = await ask('client', { targetingKey: 'ada' }, { tag: first.headers.get('etag') ?? '' })
  expect(unchanged.status).toBe(304)
  await ask('server', { targetingKey: 'ada' })
  for (let index = 0; index < 3; index += 1)
    await ask('server', { targetingKey: 'bob' }, { flag: 'checkout' })

  expect(await evaluationsOf('checkout')).toMatchObject({
    total: 5,
    series: [{ variation: 'off', reason: 'DISABLED', total: 5 }],
  })
  expect((await evaluationsOf('secret')).total).toBe(1)
})

test('evaluations of archived flags are counted, those of hidden flags are not', async () => {
  await send('POST', '/flags', { key: 'retired', name: 'Retired', valueType: 'boolean' })
  await ask('client', {}, { flag: 'secret' })
  expect((await evaluationsOf('secret')).total).toBe(1)
  await send('POST', '/flags/retired/archive')
  await expect.poll(async () => (await ask('server', {}, { flag: 'retired' })).status).toBe(404)
  const { series } = await evaluationsOf('retired')
  expect(series).toContainEqual(expect.objectContaining({ variation: null, reason: 'ERROR' }))
})

test('a client for servers reports what it served; what the environment does not serve is ignored', async () => {
  await send('POST', '/flags', { key: 'local', name: 'Local', valueType: 'boolean' })
  const half = ['on', 'off'].map((variation) => ({ variation, weight: 50_000 }))
  const config = { enabled: true, offVariation: 'off', prerequisites: [], rules: [], version: 1 }
  const saved = await send('PUT', '/environments/staging/flags/local/config', {
    ...config,
    fallthrough: { split: half },
  })
  const { id: split, epoch } = saved.body.fallthrough.split
  const served = { flag: 'local', variation: 'on', reason: 'SPLIT', split, epoch, count: 7 }
  const report = (kind: 'client' | 'server', body: object) =>
    telltale.request('POST', '/sdk/v1/evaluations', {
      headers: { authorization: `Bearer ${keys[kind]}` },
      body,
    })
  // The rule set follows the change a moment later.
  await expect
    .poll(async () => (await ask('server', { targetingKey: 'a' }, { flag: 'local' })).body.reason)
    .toBe('SPLIT')
  const before = (await evaluationsOf('local')).total
  const wrong = [
    { flag: 'unknown' },
    { variation: 'blue' },
    { reason: 'LOCAL' },
    { split: '12345' },
    { epoch: epoch + 1 },
    { count: -1 },
    { count: 1.5 },
  ]
  const evaluations = [served, ...wrong.map((part) => ({ ...served, ...part })), null, 'on']
  expect((await report('server', { evaluations })).status).toBe(204)
  expect((await evaluationsOf('local')).total).toBe(before + 7)
  expect((await report('client', { evaluations })).status).toBe(401)
  for (const body of [{}, { evaluations: 'all' }]) expect((await report('server', body)).status).toBe(400)
})

test('after a change, evaluations count for what is served', async () => {
  const on = {
    enabled: true,
    offVariation: 'off',
    prerequisites: [],
    rules: [],
    fallthrough: { variation: 'on' },
  }
  await send('PUT', '/environments/staging/flags/checkout/config', { ...on, version: 1 })
  await expect.poll(async () => (await ask('server', {}, { flag: 'checkout' })).body.variant).toBe('on')
  const { series } = await evaluationsOf('checkout')
  expect(series).toContainEqual(expect.objectContaining({ variation: 'on', reason: 'STATIC', total: 1 }))
})

test('an evaluated subject becomes an identity with its traits, in bulk and alone', async () => {
  await ask('client', { targetingKey: 'browser-1', plan: 'pro' })
  await ask('server', { targetingKey: 'user-2', plan: 'free' }, { flag: 'checkout' })
  await ask('server', { plan: 'nobody' })
  await telltale.running.services.identityNotes.flush()
  const { body } = await send('GET', '/environments/staging/identities?trait=plan&value=pro')
  expect(body.items).toMatchObject([{ targetingKey: 'browser-1', traits: { plan: 'pro' } }])
  expect((await send('GET', '/environments/staging/identities/user-2')).body.traits).toEqual({ plan: 'free' })
})
