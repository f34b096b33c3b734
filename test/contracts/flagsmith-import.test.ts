// What an import promises while it is repeated night after night: shares as they were, no variation that nothing serves, one
// change for all readers, and an answer after which the server serves what was written.

import type { FlagsmithDocument } from '@telltale/core/contract/flagsmith'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../start.ts'
import { createKey } from './flags.ts'

let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner' })
})
afterAll(() => telltale?.[Symbol.asyncDispose]())

type State = FlagsmithDocument['feature_states'][number]

function documentOf(
  apiKey: string,
  states: State[],
  more: Partial<FlagsmithDocument> = {},
): FlagsmithDocument {
  return {
    id: 7,
    api_key: apiKey,
    name: 'Production',
    project: { id: 3, name: `Of ${apiKey}` },
    feature_states: states,
    ...more,
  }
}

function state([id, name]: [number, string], value: string | null, more: Partial<State> = {}): State {
  return {
    feature: { id, name, type: 'STANDARD' },
    enabled: true,
    django_id: 1_000 + id,
    feature_state_value: value,
    ...more,
  }
}

const variant = (id: number, share: number, value: string) => ({
  id,
  percentage_allocation: share,
  multivariate_feature_option: { id: 100 + id, value, key: value },
})

async function importOf(body: FlagsmithDocument, query = '') {
  const path = `/api/v1/import/flagsmith-environment${query}`
  return telltale.request('POST', path, { as: owner, body })
}

async function identity(key: string, path: string, body?: unknown) {
  return telltale.request(body === undefined ? 'GET' : 'POST', `/flagsmith/api/v1/${path}`, {
    headers: { 'x-environment-key': key },
    body,
  })
}

test('shares that sum to at most 100 are imported, whatever their rounding', async () => {
  for (const [index, shares] of [
    Array.from({ length: 7 }, () => 14.2857),
    [33.3333, 33.3333, 33.3334],
    [16.66667, 16.66667, 16.66666, 50],
    Array.from({ length: 9 }, () => 11.1111),
  ].entries()) {
    const variants = shares.map((share, place) => variant(place + 1, share, `v${place}`))
    const apiKey = `sharesKey000000000000${index}`
    const states = [state([1, 'split'], 'rest', { multivariate_feature_state_values: variants })]
    const { status, body } = await importOf(documentOf(apiKey, states))
    expect(status, JSON.stringify(body)).toBe(200)
  }
  const tooMuch = [variant(1, 60, 'one'), variant(2, 40.01, 'two')]
  const states = [state([1, 'split'], 'rest', { multivariate_feature_state_values: tooMuch })]
  expect((await importOf(documentOf('sharesKey0000000000009', states))).status).toBe(400)
})

test('a nightly import keeps used variations, and no others', async () => {
  const apiKey = 'nightlyKey000000000001'
  const staging = 'nightlyKey000000000002'
  await importOf(documentOf(apiKey, [state([1, 'banner'], 'night 0')]))
  await importOf(
    documentOf(staging, [state([1, 'banner'], 'staging')], { name: 'Staging' }),
    '?project=of-nightlykey000000000001',
  )
  for (let night = 1; night <= 12; night++) {
    const { status, body } = await importOf(documentOf(apiKey, [state([1, 'banner'], `night ${night}`)]))
    expect(status, JSON.stringify(body)).toBe(200)
  }
  const path = '/api/v1/projects/of-nightlykey000000000001/flags/banner'
  const { body: flag } = await telltale.request('GET', path, { as: owner })
  const values = flag.variations.map(({ value }: { value: string }) => value)
  expect(values.toSorted()).toEqual(['night 12', 'staging'])
  for (const [key, value] of [
    [apiKey, 'night 12'],
    [staging, 'staging'],
  ] as const) {
    expect((await identity(key, 'flags/?feature=banner')).body.feature_state_value).toBe(value)
  }
})

test('a read during an import gets all of the old or all of the new document', async () => {
  const apiKey = 'momentKey0000000000001'
  const at = (round: number) =>
    documentOf(
      apiKey,
      Array.from({ length: 60 }, (_, index) => state([index + 1, `flag ${index}`], `round ${round}`)),
    )
  await importOf(at(0))
  await identity(apiKey, 'flags/')
  const seen: string[][] = []
  let isOver = false
  const reading = (async () => {
    while (!isOver) {
      const { body } = await identity(apiKey, 'flags/')
      seen.push([
        ...new Set<string>(body.map((entry: { feature_state_value: string }) => entry.feature_state_value)),
      ])
    }
  })()
  for (let round = 1; round <= 6; round++) {
    expect((await importOf(at(round))).status).toBe(200)
    const { body } = await identity(apiKey, 'flags/?feature=flag 59')
    expect(body.feature_state_value).toBe(`round ${round}`)
  }
  isOver = true
  await reading
  expect(seen.length).toBeGreaterThan(6)
  expect(seen.filter((values) => values.length !== 1)).toEqual([])
})

test('the server that made a change serves it in the next request', async () => {
  await telltale.project('writes')
  const { value: key } = await createKey(telltale, 'server', { project: 'writes' })
  const path = '/api/v1/projects/writes/flags'
  const flag = { key: 'switch', name: 'Switch', valueType: 'boolean' }
  expect((await telltale.request('POST', path, { as: owner, body: flag })).status).toBe(201)
  const stale: number[] = []
  const config = '/api/v1/projects/writes/environments/production/flags/switch'
  let version = 1
  for (let round = 0; round < 41; round++) {
    const enabled = round % 2 === 0
    const draft = {
      version,
      enabled,
      offVariation: 'off',
      prerequisites: [],
      rules: [],
      fallthrough: { variation: 'on' },
    }
    const saved = await telltale.request('PUT', `${config}/config`, { as: owner, body: draft })
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    version = saved.body.version
    const { body } = await identity(key, 'flags/?feature=switch')
    if (body.enabled !== enabled) stale.push(round)
  }
  for (let round = 0; round < 10; round++) {
    const variation = round % 2 === 0 ? 'on' : 'off'
    const saved = await telltale.request('PUT', `${config}/overrides/ann`, { as: owner, body: { variation } })
    expect(saved.status, JSON.stringify(saved.body)).toBeLessThan(300)
    const { body } = await identity(key, 'identities/?identifier=ann&feature=switch')
    if (body.enabled !== (variation === 'on')) stale.push(100 + round)
  }
  const { value: fresh } = await createKey(telltale, 'server', { project: 'writes' })
  expect((await identity(fresh, 'flags/')).status).toBe(200)
  expect(stale).toEqual([])
})

test('environments of one project bucket identities by their own keys', async () => {
  const keys = ['drawKey00000000000001', 'drawKey00000000000002'] as const
  const segments = [
    {
      id: 501,
      name: 'half',
      rules: [
        {
          type: 'ALL' as const,
          conditions: [{ operator: 'PERCENTAGE_SPLIT', property_: '$.identity.key', value: '50' }],
        },
      ],
      feature_states: [state([1, 'in half'], 'inside', { feature_segment: { priority: 0 } })],
    },
    {
      id: 502,
      name: 'of production',
      rules: [
        {
          type: 'ALL' as const,
          conditions: [{ operator: 'EQUAL', property_: '$.environment.name', value: 'Production' }],
        },
      ],
      feature_states: [state([2, 'here'], 'inside', { feature_segment: { priority: 0 } })],
    },
  ]
  const states = [state([1, 'in half'], 'outside'), state([2, 'here'], 'outside')]
  const insideOf = async (key: string) => {
    const found: string[] = []
    for (let index = 0; index < 60; index++) {
      const { body } = await identity(key, 'identities/', { identifier: `user-${index}`, transient: true })
      const values = body.flags.map((entry: { feature_state_value: string }) => entry.feature_state_value)
      found.push(values.join(' '))
    }
    return found
  }
  await importOf({ ...documentOf(keys[0], states), project: { id: 3, name: 'Draws', segments } })
  const before = await insideOf(keys[0])
  await importOf({
    ...documentOf(keys[1], states, { name: 'Staging' }),
    project: { id: 3, name: 'Draws', segments },
  })
  expect(await insideOf(keys[0])).toEqual(before)
  const other = await insideOf(keys[1])
  expect(other).not.toEqual(before)
  expect(before.some((values) => values.includes('inside') && values.includes('outside'))).toBe(true)
  expect(other.every((values) => values.endsWith('outside') || values.startsWith('outside'))).toBe(true)
})

test('an identity is evaluated for one feature, and a variant override names its variant', async () => {
  const apiKey = 'variantKey000000000001'
  const variants = [variant(1, 100, 'red')]
  const colour = state([1, 'colour'], 'grey', {
    feature: { id: 1, name: 'colour', type: 'MULTIVARIATE' },
    multivariate_feature_state_values: [variant(1, 10, 'red')],
  })
  const own = { ...colour, django_id: 9_000, multivariate_feature_state_values: variants }
  await importOf(
    documentOf(apiKey, [colour, state([2, 'other'], null)], {
      identity_overrides: [{ identifier: 'vip', identity_features: [own] }],
    }),
  )
  const { body } = await identity(apiKey, 'identities/?identifier=vip&feature=colour')
  expect(body).toMatchObject({ feature: { name: 'colour' }, feature_state_value: 'red', variant: 'red' })
  expect((await identity(apiKey, 'identities/?identifier=vip&feature=none')).status).toBe(404)
})

test('JSON text becomes a JSON flag on request, and stays one', async () => {
  const apiKey = 'jsonTextsKey0000000001'
  const states = (layout: string) => [
    state([1, 'layout'], layout, {
      multivariate_feature_state_values: [variant(1, 0, '{"columns": [1, 2]}')],
    }),
    state([2, 'mixed'], '{"a":1}', { multivariate_feature_state_values: [variant(2, 0, 'plain')] }),
    state([3, 'broken'], '{"a":'),
  ]
  const { body: imported } = await importOf(documentOf(apiKey, states('{ "columns": [] }')))
  const servedOf = async (flag: string) =>
    (
      await telltale.request('POST', `/ofrep/v1/evaluate/flags/${flag}`, {
        body: { context: { targetingKey: 'ada' } },
        headers: { authorization: `Bearer ${apiKey}` },
      })
    ).body.value
  const flag = async () =>
    (await telltale.request('GET', `/api/v1/projects/${imported.project}/flags/layout`, { as: owner })).body
  expect(await servedOf('layout')).toBe('{ "columns": [] }')
  const before = await flag()

  // Asked for once: the nightly import goes on by itself.
  for (const [query, text] of [
    ['?parseJson=true', '{ "columns": [] }'],
    ['', '{"columns":[]}'],
  ] as const) {
    expect((await importOf(documentOf(apiKey, states(text)), query)).status).toBe(200)
    expect(await servedOf('layout')).toEqual({ columns: [] })
    expect(await servedOf('mixed')).toBe('{"a":1}')
    expect(await servedOf('broken')).toBe('{"a":')
    const after = await flag()
    expect(after.valueType).toBe('json')
    const keysOf = ({ variations }: { variations: { key: string }[] }) => variations.map(({ key }) => key)
    expect(keysOf(after)).toEqual(keysOf(before))
  }
  const { body } = await identity(apiKey, 'flags/')
  const values = body.map((one: { feature_state_value: unknown }) => one.feature_state_value)
  expect(values).toEqual(expect.arrayContaining(['{"columns":[]}', '{"a":1}', '{"a":']))

  expect((await importOf(documentOf(apiKey, states('no longer')))).status).toBe(200)
  expect(await servedOf('layout')).toBe('no longer')
})

test('ids of created and imported flags are the same in another process, in OFREP metadata too', async () => {
  const apiKey = 'restartKey000000000001'
  await using first = await startTelltale()
  const as = await first.person({ role: 'owner' })
  const path = '/api/v1/import/flagsmith-environment'
  const body = documentOf(apiKey, [state([41, 'Big Banner'], 'one')])
  const { project } = (await first.request('POST', path, { as, body })).body
  const made = { key: 'made-here', name: 'Made here', valueType: 'boolean', clientVisible: true }
  expect((await first.request('POST', `/api/v1/projects/${project}/flags`, { as, body: made })).status).toBe(
    201,
  )
  const idsOf = async (server: Telltale) => {
    const headers = { 'x-environment-key': apiKey }
    const { body: flags } = await server.request('GET', '/flagsmith/api/v1/flags/', { headers })
    return flags
      .map(({ id, feature }: { id: number; feature: { name: string } }) => [feature.name, id])
      .sort()
  }
  await expect.poll(async () => (await idsOf(first)).length).toBe(2)
  const before = await idsOf(first)
  expect(before).toContainEqual(['Big Banner', 41])
  const headers = { authorization: `Bearer ${apiKey}` }
  const requested = { headers, body: { context: { targetingKey: 'ada' } } }
  const { metadata } = (await first.request('POST', '/ofrep/v1/evaluate/flags/big-banner', requested)).body
  expect(metadata).toMatchObject({ valueType: 'string', flagId: 41, flagName: 'Big Banner' })

  await using beside = await startTelltale({ beside: first })
  expect(await idsOf(beside)).toEqual(before)
})
