// What people do with Flagsmith's clients beside asking for a flag: traits that come and go, nobody in particular, states that
// a page brings along, defaults, paging, and refusals.

import { createFlagsmithInstance as current } from '@flagsmith/flagsmith/isomorphic'
import { createFlagsmithInstance as former } from 'flagsmith/isomorphic'
import { DefaultFlag, Flagsmith } from 'flagsmith-nodejs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../packages/core/src/limits.ts'
import { startTelltale, type Telltale } from '../start.ts'
import { createKey } from './flags.ts'
import { apiKey, flagsmithDocument } from './flagsmith-document.ts'

let telltale: Telltale
let serverKey: string
const open: Flagsmith[] = []
const base = () => `${telltale.url}/flagsmith/api/v1/`

beforeAll(async () => {
  telltale = await startTelltale()
  const as = await telltale.person({ role: 'owner' })
  const path = '/api/v1/import/flagsmith-environment'
  const first = flagsmithDocument.identity_overrides ?? []
  const identity_overrides = Array.from({ length: limits.flagsmithOverridesPage + 3 }, (_, index) => ({
    identifier: `override & ${String(index).padStart(5, '0')}/%`,
    identity_features: (first[0]?.identity_features ?? []).slice(0, 1),
  }))
  const body = { ...flagsmithDocument, identity_overrides }
  expect(await telltale.request('POST', path, { as, body })).toMatchObject({ status: 200 })
  serverKey = (await createKey(telltale, 'server', { project: 'web-shop' })).value
})

afterAll(async () => {
  for (const client of open) await client.close()
  await telltale?.[Symbol.asyncDispose]()
})

async function storedTraits(identifier: string): Promise<Record<string, unknown>> {
  const path = `/flagsmith/api/v1/identities/?identifier=${encodeURIComponent(identifier)}`
  const { body } = await telltale.request('GET', path, { headers: { 'x-environment-key': apiKey } })
  return Object.fromEntries(
    body.traits.map((trait: { trait_key: string; trait_value: unknown }) => [
      trait.trait_key,
      trait.trait_value,
    ]),
  )
}

describe.each([
  ['current', current],
  ['former', former],
] as const)('the %s client of pages', (name, create) => {
  const started = async (options: object = {}) => {
    const client = create()
    await client.init({ environmentID: apiKey, api: base(), ...options })
    return client
  }

  test('keeps traits of every type, and one set to null is removed', async () => {
    const client = await started({ identity: `types-${name}` })
    await client.setTraits({ age: 30, plan: 'pro', ratio: 0.25, beta: true, zero: 0, none: '', off: false })
    const kept = { age: 30, plan: 'pro', ratio: 0.25, beta: true, zero: 0, none: '', off: false }
    expect(await storedTraits(`types-${name}`)).toEqual(kept)
    expect(client.hasFeature('dark_mode')).toBe(true)
    await client.setTraits({ age: null, plan: null })
    const { age: _age, plan: _plan, ...left } = kept
    expect(await storedTraits(`types-${name}`)).toEqual(left)
    expect(client.hasFeature('dark_mode')).toBe(false)
  })

  test('uses a transient trait and a transient identity, and stores nothing', async () => {
    const client = await started({ identity: `passing-${name}` })
    await client.setTrait('city', 'Rome')
    await client.setTrait('age', { value: 30, transient: true })
    expect(client.hasFeature('dark_mode')).toBe(true)
    expect(await storedTraits(`passing-${name}`)).toEqual({ city: 'Rome' })
    await client.setContext({
      identity: { identifier: `ghost-${name}`, traits: { age: 40 }, transient: true },
    })
    expect(client.hasFeature('dark_mode')).toBe(true)
    const as = await telltale.person({ role: 'owner' })
    const path = `/api/v1/projects/web-shop/environments/production/identities/ghost-${name}`
    expect((await telltale.request('GET', path, { as })).body.lastSeenAt ?? null).toBeNull()
  })

  test('creates an identifier for anonymous traits, and keeps it', async () => {
    const client = await started({ traits: { age: 50 } })
    expect(client.hasFeature('dark_mode')).toBe(true)
    const given = client.getContext().identity?.identifier
    expect(given).toMatch(/^[0-9a-f]{64}$/)
    await client.setTrait('plan', 'pro')
    expect(client.getContext().identity?.identifier).toBe(given)
  })

  test('forgets its identity after logout, and the server responds without one', async () => {
    const client = await started({ identity: 'alice', traits: { age: 30 } })
    expect(client.getValue('button_colour')).toBe('blue')
    await client.logout()
    expect(client.getValue('button_colour')).toBe('grey')
    expect(client.hasFeature('dark_mode')).toBe(false)
  })

  test("continues from a server's state, and requests on demand", async () => {
    const server = await started({ identity: 'alice', traits: { age: 30 } })
    const state = JSON.parse(JSON.stringify(server.getState()))
    const page = create()
    await page.init({ environmentID: apiKey, api: base(), state, preventFetch: true })
    expect(page.getValue('button_colour')).toBe('blue')
    await page.getFlags()
    expect(page.getValue('button_colour')).toBe('blue')
  })

  test('uses its defaults with an unknown key', async () => {
    const defaultFlags = { dark_mode: { id: 1, enabled: true, value: 'mine' } }
    const client = create()
    const failed: unknown[] = []
    const init = {
      environmentID: 'nobody',
      api: base(),
      defaultFlags,
      onError: (error: unknown) => failed.push(error),
    }
    await client.init(init).catch((error: unknown) => failed.push(error))
    expect(failed.length).toBeGreaterThan(0)
    expect(client.getValue('dark_mode')).toBe('mine')
  })
})

describe('the client of servers', () => {
  const started = (options: object = {}) => {
    const client = new Flagsmith({
      environmentKey: serverKey,
      apiUrl: base(),
      enableAnalytics: false,
      ...options,
    })
    open.push(client)
    return client
  }

  test('marks traits and identities as transient', async () => {
    const client = started()
    const traits = { age: { value: 30, transient: true }, city: 'Rome' }
    const flags = await client.getIdentityFlags('of-a-server', traits)
    expect(flags.isFeatureEnabled('dark_mode')).toBe(true)
    expect(await storedTraits('of-a-server')).toEqual({ city: 'Rome' })
    expect(
      (await client.getIdentityFlags('nobody-stays', { age: 30 }, true)).isFeatureEnabled('dark_mode'),
    ).toBe(true)
    expect(await storedTraits('nobody-stays')).toEqual({})
  })

  test('uses its defaults for unknown flags and unknown keys', async () => {
    const defaultFlagHandler = (name: string) => new DefaultFlag(`default of ${name}`, false)
    const flags = await started({ defaultFlagHandler }).getEnvironmentFlags()
    expect(flags.getFlag('unheard_of')).toMatchObject({ value: 'default of unheard_of', isDefault: true })
    const stranger = await started({ defaultFlagHandler, environmentKey: 'nobody' }).getEnvironmentFlags()
    expect(stranger.getFlag('dark_mode')).toMatchObject({ isDefault: true })
    await expect(started({ environmentKey: 'nobody' }).getEnvironmentFlags()).rejects.toThrow()
  })

  test('reads every page of overrides, whatever their names', async () => {
    const client = started({ enableLocalEvaluation: true })
    for (const index of [0, limits.flagsmithOverridesPage - 1, limits.flagsmithOverridesPage + 2]) {
      const identifier = `override & ${String(index).padStart(5, '0')}/%`
      expect((await client.getIdentityFlags(identifier, {})).isFeatureEnabled('dark_mode')).toBe(true)
    }
    expect((await client.getIdentityFlags('somebody', {})).isFeatureEnabled('dark_mode')).toBe(false)
    const segments = await client.getIdentitySegments('somebody', { age: 30 })
    expect(segments.map(({ name }) => name)).toContain('grown_ups')
  })

  test('gets a change with its next poll of the document', async () => {
    const client = started({ enableLocalEvaluation: true, environmentRefreshIntervalSeconds: 0.2 })
    expect((await client.getEnvironmentFlags()).isFeatureEnabled('dark_mode')).toBe(false)
    const as = await telltale.person({ role: 'owner' })
    const path = '/api/v1/projects/web-shop/environments/production/flags/dark_mode/config'
    const { savedAt: _, salt: __, ...config } = (await telltale.request('GET', path, { as })).body
    const body = { ...config, fallthrough: { variation: 'on' } }
    expect((await telltale.request('PUT', path, { as, body })).status).toBe(200)
    await expect
      .poll(async () => (await client.getEnvironmentFlags()).isFeatureEnabled('dark_mode'), {
        timeout: 10_000,
      })
      .toBe(true)
    const again = { ...config, version: config.version + 1 }
    await telltale.request('PUT', path, { as, body: again })
  })
})

test("an imported split keeps Flagsmith's bucketing when changed; a new one uses ours and is listed", async () => {
  const as = await telltale.person({ role: 'owner' })
  const project = '/api/v1/projects/web-shop'
  const flag = (await telltale.request('GET', `${project}/flags/button_colour`, { as })).body
  const variations = [...flag.variations, { key: 'violet', name: 'Violet', value: 'violet' }]
  const headers = { 'if-match': `"${flag.version}"` }
  const widened = await telltale.request('PATCH', `${project}/flags/button_colour`, {
    as,
    headers,
    body: { variations },
  })
  expect(widened.status).toBe(200)
  const path = (name: string) => `${project}/environments/production/flags/${name}/config`
  const save = async (name: string, split: [variation: string, weight: number][]) => {
    const { savedAt: _, salt: __, ...config } = (await telltale.request('GET', path(name), { as })).body
    const fallthrough = { split: split.map(([variation, weight]) => ({ variation, weight })) }
    return telltale.request('PUT', path(name), { as, body: { ...config, fallthrough } })
  }
  const shares: [string, number][] = [
    ['red', 30_000],
    ['blue', 20_000],
    ['violet', 25_000],
    ['grey', 25_000],
  ]
  expect((await save('button_colour', shares)).status).toBe(200)
  const before = (await telltale.request('GET', path('max-items'), { as })).body
  const [one, other] = ['10', '25']
  expect(
    (
      await save('max-items', [
        [one, 50_000],
        [other, 50_000],
      ])
    ).status,
  ).toBe(200)

  const ask = (url: string) =>
    telltale.request('GET', `/flagsmith/api/v1/${url}`, { headers: { 'x-environment-key': serverKey } })
  await expect
    .poll(async () => (await ask('environment-document/')).headers.get('x-telltale-left-out'))
    .toBe('max-items')
  const local = new Flagsmith({ environmentKey: serverKey, apiUrl: base(), enableLocalEvaluation: true })
  const remote = new Flagsmith({ environmentKey: serverKey, apiUrl: base() })
  open.push(local, remote)
  const seen = new Set<unknown>()
  for (let index = 0; index < 60; index++) {
    const here = (await local.getIdentityFlags(`u${index}`, {}, true)).getFeatureValue('button_colour')
    const there = await remote.getIdentityFlags(`u${index}`, {}, true)
    expect(there.getFeatureValue('button_colour')).toBe(here)
    expect([10, 25]).toContain(there.getFeatureValue('Max Items'))
    seen.add(here)
  }
  expect([...seen].sort()).toEqual(['blue', 'grey', 'red', 'violet'])
  expect(before.rules).toHaveLength(2)
})

test("every error is in the clients' format: a status, and JSON with a reason", async () => {
  const wrong = [
    ['GET', 'nothing/', undefined, 404],
    ['DELETE', 'flags/', undefined, 405],
    ['PUT', 'identities', undefined, 405],
    ['POST', 'identities/', '{', 400],
    ['POST', 'identities/', '[]', 400],
    ['POST', 'identities/', { identifier: {} }, 400],
    ['POST', 'identities/', { identifier: 'u', traits: [{ trait_value: 1 }] }, 400],
    ['POST', 'identities/', { identifier: 'u', traits: 'x'.repeat(2_000_000) }, 413],
    ['GET', 'identities/?identifier=', undefined, 400],
    ['POST', 'analytics/flags/', [], 400],
    ['GET', 'flags/?feature=unheard_of', undefined, 404],
    ['POST', 'traits/', { trait_key: 'a', trait_value: 1 }, 400],
    ['GET', 'environment-document', undefined, 403],
  ] as const
  for (const [method, path, body, status] of wrong) {
    const answer = await telltale.request(method, `/flagsmith/api/v1/${path}`, {
      headers: { 'x-environment-key': apiKey, origin: 'https://shop.example' },
      body,
    })
    expect([`${method} ${path}`, answer.status]).toEqual([`${method} ${path}`, status])
    expect(answer.headers.get('content-type')).toMatch(/json/)
    expect(Object.keys(answer.body).length).toBeGreaterThan(0)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  }
  const both = await Promise.all(
    ['flags', 'flags/'].map((path) =>
      telltale.request('GET', `/flagsmith/api/v1/${path}`, { headers: { 'x-environment-key': apiKey } }),
    ),
  )
  expect(both[0]?.body).toEqual(both[1]?.body)
})
