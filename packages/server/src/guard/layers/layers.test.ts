import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson
const project = '/api/v1/projects/shop'
const flagUrl = `${project}/environments/staging/flags`

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
})
afterAll(() => telltale[Symbol.asyncDispose]())

const ask = (method: string, path: string, body?: unknown) =>
  telltale.request(method, path, { as: owner, body })

const split = ['off', 'on'].map((variation) => ({ variation, weight: 50_000 }))
const goal = (metric: string) => ({ metric, gain: 0.1, margin: 0.05 })

const serve = (key: string, fallthrough: object, { version }: { version: number }) =>
  ask('PUT', `${flagUrl}/${key}/config`, {
    ...{ enabled: true, offVariation: 'off', prerequisites: [], rules: [] },
    fallthrough,
    version,
  })

async function splitFlag(key: string): Promise<void> {
  await ask('POST', `${project}/flags`, { key, name: key, valueType: 'boolean', clientVisible: true })
  await serve(key, { split }, { version: 1 })
}

test('experiments of a layer hold disjoint shares, refuse what does not fit, and free theirs at the end', async () => {
  const created = await ask('POST', `${project}/layers`, { key: 'checkout', name: 'Checkout' })
  expect(created, JSON.stringify(created.body)).toMatchObject({
    status: 201,
    body: { by: 'targetingKey', free: { staging: 100_000 }, experiments: [] },
  })
  expect(await ask('POST', `${project}/layers`, { key: 'checkout', name: 'B' })).toMatchObject({
    status: 409,
  })
  const draft = async (flag: string, share: number) => {
    await splitFlag(flag)
    const layer = { key: 'checkout', share }
    const made = await ask('POST', `${flagUrl}/${flag}/experiments`, {
      name: flag,
      goals: [goal('lcp')],
      layer,
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return `${project}/experiments/${made.body.id}`
  }
  const first = await draft('layer-first', 60_000)
  const second = await draft('layer-second', 50_000)
  expect((await ask('POST', `${first}/start`)).body.layer).toEqual({
    ...{ key: 'checkout', name: 'Checkout', share: 60_000, ranges: [[0, 60_000]] },
  })
  const refused = await ask('POST', `${second}/start`)
  expect(refused).toMatchObject({ status: 409, body: { type: '/errors/layer-full' } })
  expect(refused.body.detail).toContain('50% of layer "checkout", and 40% is free')
  expect((await ask('PATCH', second, { layer: { key: 'checkout', share: 40_000 } })).status).toBe(200)
  expect((await ask('POST', `${second}/start`)).body.layer.ranges).toEqual([[60_000, 100_000]])
  expect((await ask('PATCH', first, { layer: null })).status).toBe(409)

  const explain = async (flag: string, user: number) => {
    const body = { flags: [flag], context: { targetingKey: `user-${user}` } }
    return (await ask('POST', `${project}/environments/staging/evaluate`, body)).body.items[0]
  }
  for (let user = 0; user < 30; user += 1) {
    const [one, other] = [await explain('layer-first', user), await explain('layer-second', user)]
    // Together they hold everything, so each user is in exactly one.
    expect([one, other].filter(({ trace }) => trace.result.split !== undefined)).toHaveLength(1)
    const outside = [one, other].find(({ trace }) => trace.result.split === undefined)
    expect(outside.trace.result).toMatchObject({ variation: 'off', reason: 'DEFAULT' })
  }

  // Neither other weights nor a detour by one variation moves the share.
  const layerOf = async (flag: string) =>
    (await ask('GET', `${flagUrl}/${flag}/config`)).body.fallthrough.split?.layer?.ranges
  const version = async (flag: string) => (await ask('GET', `${flagUrl}/${flag}/config`)).body.version
  await serve('layer-first', { variation: 'off' }, { version: await version('layer-first') })
  const uneven = split.map((arm, index) => ({ ...arm, weight: index === 0 ? 20_000 : 80_000 }))
  await serve('layer-first', { split: uneven }, { version: await version('layer-first') })
  expect(await layerOf('layer-first')).toEqual([[0, 60_000]])

  const listed = await ask('GET', `${project}/layers`)
  expect(listed.body.items[0]).toMatchObject({
    free: { staging: 0 },
    experiments: [{ name: 'layer-second', share: 40_000, state: 'running' }, { name: 'layer-first' }],
  })
  expect((await ask('DELETE', `${project}/layers/checkout`)).status).toBe(409)
  expect((await ask('POST', `${first}/end`, { variation: 'on' })).status).toBe(200)
  expect((await ask('GET', `${flagUrl}/layer-first/config`)).body.fallthrough).toEqual({ variation: 'on' })
  await ask('POST', `${project}/flags/layer-second/archive`)
  expect((await ask('POST', `${second}/end`, { variation: null })).status).toBe(200)
  await ask('POST', `${project}/flags/layer-second/restore`)
  expect((await ask('GET', `${flagUrl}/layer-second/config`)).body.fallthrough).toEqual({ variation: 'off' })
  expect((await ask('GET', `${project}/layers`)).body.items[0].free.staging).toBe(100_000)
  expect((await ask('DELETE', `${project}/layers/checkout`)).status).toBe(204)
  expect((await ask('GET', first)).body.layer).toBe(null)
})

test('where approval is required, neither an experiment in a layer nor the end of a holdout gets around it', async () => {
  await ask('POST', `${project}/layers`, { key: 'guarded', name: 'Guarded' })
  await ask('POST', `${project}/environments`, { key: 'guarded', name: 'Guarded' })
  const there = `${project}/environments/guarded`
  const maintainer = await telltale.person({ in: { shop: 'maintainer' } })
  const by = (method: string, path: string, body?: unknown) =>
    telltale.request(method, path, { as: maintainer, body })
  await ask('POST', `${project}/flags`, { key: 'guarded', name: 'Guarded', valueType: 'boolean' })
  const config = { enabled: true, offVariation: 'off', prerequisites: [], rules: [] }
  const saved = await by('PUT', `${there}/flags/guarded/config`, {
    ...config,
    ...{ fallthrough: { split }, version: 1 },
  })
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  await ask('PATCH', there, { protected: true, approvalRequired: true })
  const made = await by('POST', `${there}/flags/guarded/experiments`, {
    ...{ name: 'guarded', goals: [goal('lcp')], control: 'on' },
    layer: { key: 'guarded', share: 1_000 },
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const one = `${project}/experiments/${made.body.id}`
  const refused = { status: 403, body: { permission: 'environments.manage' } }
  const served = async () => (await ask('GET', `${there}/flags/guarded/config`)).body.fallthrough

  // 99% of the users would get its control.
  expect(await by('POST', `${one}/start`)).toMatchObject(refused)
  expect((await served()).split.layer).toBeUndefined()
  expect((await ask('POST', `${one}/start`)).status).toBe(200)
  const ending = await by('POST', `${one}/end`, { variation: 'on' })
  expect(ending).toMatchObject(refused)
  expect(ending.body.detail).toContain('propose that its split serves "on" to all')
  expect((await served()).split.layer.ranges).toEqual([[0, 1_000]])

  // As the refusal says.
  const proposed = await by('PUT', `${there}/flags/guarded/config`, {
    ...config,
    ...{ fallthrough: { variation: 'on' }, version: 3 },
  })
  expect(proposed.status, JSON.stringify(proposed.body)).toBe(202)
  const request = `${project}/change-requests/${proposed.body.changeRequest.id}`
  expect((await ask('POST', `${request}/approve`, { version: 1 })).body.state).toBe('approved')
  expect((await by('POST', `${request}/apply`, {})).body.state).toBe('applied')
  expect((await by('POST', `${one}/end`, { variation: 'on' })).status).toBe(200)
  expect(await served()).toEqual({ variation: 'on' })

  const holdout = { key: 'guarded', name: 'Guarded', share: 10_000, metrics: ['lcp'] }
  expect((await ask('POST', `${there}/holdouts`, holdout)).status).toBe(201)
  expect(await by('POST', `${project}/holdouts/guarded/end`)).toMatchObject(refused)
  expect((await ask('POST', `${project}/holdouts/guarded/end`)).body.state).toBe('ended')
})

test('a layer divides by the attribute of the split', async () => {
  await ask('POST', `${project}/layers`, { key: 'browsers', name: 'Browsers', by: 'anonymousId' })
  await splitFlag('by-user')
  const draft = (key: string) =>
    ask('POST', `${flagUrl}/by-user/experiments`, {
      ...{ name: 'by-user', goals: [goal('lcp')], layer: { key, share: 10_000 } },
    })
  for (const key of ['browsers', 'none'])
    expect(await draft(key)).toMatchObject({ status: 422, body: { errors: [{ pointer: '/layer/key' }] } })
})
