// Flagsmith's own clients, unmodified, against the running server: what was imported is answered as before, over HTTP and
// by the clients' own evaluation.

import { createFlagsmithInstance } from '@flagsmith/flagsmith/isomorphic'
import { contextOfDocument, overridesOf } from '@telltale/core/evaluation/flagsmith/context-of-document'
import { getEvaluationResult } from '@telltale/core/evaluation/flagsmith/get-evaluation-result'
import { Flagsmith } from 'flagsmith-nodejs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTelltale, type Telltale } from '../start.ts'
import { createKey } from './flags.ts'
import { apiKey, flagsmithDocument } from './flagsmith-document.ts'

let telltale: Telltale
let serverKey: string
const open: Flagsmith[] = []

const importPath = '/api/v1/import/flagsmith-environment'
const base = () => `${telltale.url}/flagsmith/api/v1/`

beforeAll(async () => {
  telltale = await startTelltale()
  const owner = await telltale.person({ role: 'owner' })
  const { status, body } = await telltale.request('POST', importPath, { as: owner, body: flagsmithDocument })
  expect(body).toMatchObject({
    project: 'web-shop',
    env: 'production',
    clientKey: apiKey,
    replaced: false,
    flags: 6,
    segments: 2,
    overrides: 2,
  })
  expect(status).toBe(200)
  serverKey = (await createKey(telltale, 'server', { project: 'web-shop' })).value
})

afterAll(async () => {
  for (const client of open) await client.close()
  await telltale?.[Symbol.asyncDispose]()
})

function clientFor(key: string, enableLocalEvaluation = false): Flagsmith {
  const client = new Flagsmith({
    environmentKey: key,
    apiUrl: base(),
    enableLocalEvaluation,
    enableAnalytics: false,
  })
  open.push(client)
  return client
}

function ask(
  path: string,
  { key = apiKey, method = 'GET', body }: { key?: string; method?: string; body?: unknown } = {},
) {
  return telltale.request(method, `/flagsmith/api/v1/${path}`, {
    headers: { 'x-environment-key': key },
    body,
  })
}

/** What its public semantics say of the document that was imported. */
function expected(identifier: string, traits: Record<string, string | number | boolean>) {
  const context = contextOfDocument(flagsmithDocument)
  const own = flagsmithDocument.identity_overrides?.find((each) => each.identifier === identifier)
  const segments = { ...context.segments, ...(own && { own: overridesOf(own) }) }
  const { flags } = getEvaluationResult({ ...context, identity: { identifier, traits }, segments })
  return Object.values(flags)
    .map(({ name, enabled, value }) => ({ name, enabled, value }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}

const reported = (flags: { allFlags(): { featureName: string; enabled: boolean; value: unknown }[] }) =>
  flags
    .allFlags()
    .map(({ featureName, enabled, value }) => ({ name: featureName, enabled, value: value ?? null }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))

test.each([
  ['alice', { age: 30 }],
  ['bob', { plan: 'pro' }],
  ['carol', { age: 3, plan: 'free' }],
  ['vip', {}],
  ['ünïcode-Ω', { age: 18.5 }],
])('%s gets over HTTP what Flagsmith gives, and by the client itself too', async (identifier, traits) => {
  const remote = await clientFor(serverKey).getIdentityFlags(identifier, traits)
  expect(reported(remote)).toEqual(expected(identifier, traits))
  const local = await clientFor(serverKey, true).getIdentityFlags(identifier, traits)
  expect(reported(local)).toEqual(expected(identifier, traits))
})

test('without an identity features have the value of the environment', async () => {
  const remote = await clientFor(serverKey).getEnvironmentFlags()
  const local = await clientFor(serverKey, true).getEnvironmentFlags()
  expect(reported(remote)).toEqual(reported(local))
  expect(reported(remote)).toContainEqual({ name: 'button_colour', enabled: true, value: 'grey' })
})

test('ten thousand identities draw alike by the client itself and over HTTP', async () => {
  const local = clientFor(serverKey, true)
  const identifiers = Array.from({ length: 10_000 }, (_, index) => `user-${index}@example.com`)
  let differences = 0
  for (const identifier of identifiers) {
    const flags = await local.getIdentityFlags(identifier, { age: identifier.length })
    if (JSON.stringify(reported(flags)) !== JSON.stringify(expected(identifier, { age: identifier.length })))
      differences += 1
  }
  expect(differences).toBe(0)
  const some = identifiers.slice(0, 500)
  const answers = await Promise.all(
    some.map((identifier) =>
      ask('identities/', {
        method: 'POST',
        key: serverKey,
        body: { identifier, traits: [{ trait_key: 'age', trait_value: identifier.length }] },
      }),
    ),
  )
  for (const [index, { body }] of answers.entries()) {
    const identifier = some[index] ?? ''
    const flags = body.flags.map(
      (flag: { feature: { name: string }; enabled: boolean; feature_state_value: unknown }) => ({
        name: flag.feature.name,
        enabled: flag.enabled,
        value: flag.feature_state_value,
      }),
    )
    expect(
      flags.sort((left: { name: string }, right: { name: string }) => (left.name < right.name ? -1 : 1)),
    ).toEqual(expected(identifier, { age: identifier.length }))
  }
})

test('stored values of sensitive traits are shown to server keys, and to the client that sent them', async () => {
  const owner = await telltale.person({ role: 'owner' })
  const environment = '/api/v1/projects/web-shop/environments/production'
  const set = await telltale.request('PATCH', environment, {
    as: owner,
    body: { sensitiveTraits: ['email'] },
  })
  expect(set.status).toBe(200)
  const traits = [
    { trait_key: 'email', trait_value: 'ada@secret.example' },
    { trait_key: 'plan', trait_value: 'team' },
  ]
  const sent = await ask('identities/', { method: 'POST', body: { identifier: 'ada-secret', traits } })
  expect(sent.body.traits).toEqual(expect.arrayContaining(traits))
  const visible = [{ trait_key: 'plan', trait_value: 'team' }]
  await expect.poll(async () => (await ask('identities/?identifier=ada-secret')).body.traits).toEqual(visible)
  const guessed = {
    identifier: 'ada-secret',
    traits: [{ trait_key: 'email', trait_value: 'x', transient: true }],
  }
  const answer = await ask('identities/', { method: 'POST', body: guessed })
  expect(JSON.stringify(answer.body.traits)).not.toContain('secret')
  const trusted = await ask('identities/?identifier=ada-secret', { key: serverKey })
  expect(trusted.body.traits).toEqual(expect.arrayContaining(traits))
  await telltale.request('PATCH', environment, { as: owner, body: { sensitiveTraits: [] } })
})

describe('traits', () => {
  test('are kept, unmentioned ones too, until they are removed', async () => {
    await ask('identities/', {
      method: 'POST',
      body: {
        identifier: 'kept',
        traits: [
          { trait_key: 'age', trait_value: 30 },
          { trait_key: 'Level', trait_value: 'x' },
        ],
      },
    })
    const { body } = await ask('identities/?identifier=kept')
    expect(body.traits).toEqual(
      expect.arrayContaining([
        { trait_key: 'age', trait_value: 30 },
        { trait_key: 'Level', trait_value: 'x' },
      ]),
    )
    expect(
      body.flags.find((flag: { feature: { name: string } }) => flag.feature.name === 'dark_mode'),
    ).toMatchObject({ enabled: true, variant: null, reason: 'TARGETING_MATCH; segment=grown_ups' })
    const { body: after } = await ask('identities/', {
      method: 'POST',
      body: { identifier: 'kept', traits: [{ trait_key: 'age', trait_value: null }] },
    })
    expect(after.traits).toEqual([{ trait_key: 'Level', trait_value: 'x' }])
  })

  test('that pass are answered and forgotten, and an identity without a name is made up', async () => {
    const passing = await ask('identities/', {
      method: 'POST',
      body: { identifier: 'shy', transient: true, traits: [{ trait_key: 'age', trait_value: 40 }] },
    })
    expect(passing.body.traits).toEqual([{ trait_key: 'age', trait_value: 40, transient: true }])
    expect((await ask('identities/?identifier=shy')).body.traits).toEqual([])
    const [first, again] = await Promise.all(
      [0, 1].map(() =>
        ask('identities/', { method: 'POST', body: { traits: [{ trait_key: 'age', trait_value: 40 }] } }),
      ),
    )
    expect(first?.body.identifier).toMatch(/^[0-9a-f]{64}$/)
    expect(again?.body.identifier).toBe(first?.body.identifier)
  })

  test('of many requests at once are all kept', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `trait-${index}`)
    await Promise.all(
      names.map((name) =>
        ask('identities/', {
          method: 'POST',
          body: { identifier: 'busy', traits: [{ trait_key: name, trait_value: name }] },
        }),
      ),
    )
    const { body } = await ask('identities/?identifier=busy')
    expect(body.traits.map((trait: { trait_key: string }) => trait.trait_key).sort()).toEqual(names.sort())
    const counted = await Promise.all(
      [1, 2, 3].map(() =>
        ask('traits/increment-value/', {
          method: 'POST',
          body: { identifier: 'busy', trait_key: 'visits', increment_by: 2 },
        }),
      ),
    )
    expect(counted.map(({ body: { trait_value } }) => trait_value).sort()).toEqual([2, 4, 6])
  })
})

test('events of experiments: who saw which variant is kept, what cannot be so is counted', async () => {
  const at = Date.now()
  const saw = (identifier: string, value: string, feature_name = 'button_colour') => ({
    event: '$flag_exposure',
    feature_name,
    identifier,
    value,
    traits: null,
    timestamp: at,
    metadata: { sdk_version: '12.4.0' },
  })
  const bought = { ...saw('alice', '12.50'), event: 'purchase', feature_name: null, traits: { plan: 'pro' } }
  const events = [saw('alice', 'blue'), bought, saw('alice', 'red'), saw('bob', 'blue', 'unknown'), 7]
  const send = () =>
    telltale.request('POST', '/flagsmith/v1/events', {
      headers: { 'x-environment-key': apiKey },
      body: { events },
    })
  expect(await send()).toMatchObject({ status: 202, body: { accepted: 2, dropped: 3 } })
  expect((await send()).body).toMatchObject({ accepted: 0 })
  expect(await ask('v1/events', { method: 'POST', body: {} })).toMatchObject({ status: 400 })
  expect(await ask('v1/events', { method: 'POST', key: 'nobody', body: {} })).toMatchObject({ status: 403 })

  const statuses: number[] = []
  const client = createFlagsmithInstance()
  await client.init({
    environmentID: apiKey,
    api: base(),
    identity: 'carol',
    enableEvents: true,
    eventProcessorConfig: { eventsApiUrl: `${telltale.url}/flagsmith` },
    fetch: async (input: string, init: RequestInit) => {
      const response = await fetch(input, init)
      if (input.endsWith('/v1/events')) statuses.push(response.status)
      return response
    },
  })
  expect(client.getExperimentFlag('button_colour')).toMatchObject({ value: 'red', variant: 'red' })
  await client.flushEvents()
  expect(statuses).toEqual([202])
})

test('refusals are in the words of its clients', async () => {
  expect(await ask('flags/', { key: 'nobody' })).toMatchObject({
    status: 403,
    body: { detail: expect.any(String) },
  })
  expect(await telltale.request('GET', '/flagsmith/api/v1/flags/')).toMatchObject({ status: 403 })
  expect(await ask('environment-document/')).toMatchObject({ status: 403 })
  expect(await ask('identities/')).toMatchObject({ status: 400 })
  expect(await ask('identities/', { method: 'POST', body: { identifier: 'x', traits: 7 } })).toMatchObject({
    status: 400,
    body: { traits: expect.any(Array) },
  })
  expect(
    await ask('identities/', {
      method: 'POST',
      body: { identifier: 'x', traits: [{ trait_key: 'a', trait_value: 'y'.repeat(2_001) }] },
    }),
  ).toMatchObject({ status: 400 })
  expect(await ask('flags/?feature=nothing')).toMatchObject({ status: 404 })
  expect(await ask('flags/?feature=dark_mode')).toMatchObject({ status: 200, body: { feature: { id: 101 } } })
})

test('a server-only feature is not sent to browsers', async () => {
  const names = async (key: string) =>
    (await ask('flags/', { key })).body.map((flag: { feature: { name: string } }) => flag.feature.name)
  expect(await names(apiKey)).not.toContain('backend_only')
  expect(await names(serverKey)).toContain('backend_only')
})

test('a second import under the same key replaces, and lists what is gone', async () => {
  const owner = await telltale.person({ role: 'owner' })
  const states = flagsmithDocument.feature_states.filter(({ feature }) => feature.id !== 109)
  const changed = {
    ...flagsmithDocument,
    feature_states: states.map((state) => (state.feature.id === 101 ? { ...state, enabled: true } : state)),
  }
  const { body } = await telltale.request('POST', importPath, { as: owner, body: changed })
  expect(body).toMatchObject({ replaced: true, flags: 5 })
  await expect.poll(async () => (await ask('flags/?feature=dark_mode')).body.enabled).toBe(true)
  const back = await telltale.request('POST', importPath, { as: owner, body: flagsmithDocument })
  expect(back.body).toMatchObject({ replaced: true, flags: 6 })
})

test('an import with faults changes nothing and lists them', async () => {
  const owner = await telltale.person({ role: 'owner' })
  const [first] = flagsmithDocument.feature_states
  const twice = {
    ...flagsmithDocument,
    api_key: 'another-key',
    project: { ...flagsmithDocument.project, name: 'Twice' },
    feature_states: [first, first],
  }
  const refused = await telltale.request('POST', importPath, { as: owner, body: twice })
  expect(refused).toMatchObject({
    status: 400,
    body: {
      errors: expect.arrayContaining([
        { pointer: '/feature_states/1/feature/id', message: 'is duplicated: 101' },
      ]),
    },
  })
  expect((await telltale.request('GET', '/api/v1/projects/twice', { as: owner })).status).toBe(404)
  const stranger = await telltale.person({})
  expect((await telltale.request('POST', importPath, { as: stranger, body: flagsmithDocument })).status).toBe(
    404,
  )
})
