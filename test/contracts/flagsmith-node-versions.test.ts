// Every major version of flagsmith-nodejs that is in use, evaluating by itself from our environment document: each identity
// gets from each of them what the server answers over HTTP. Up to 8.1.0 the rules below a rule must all match, whatever its
// type; before 7 there are no paths, and CONTAINS or a version comparison of the wrong type throws.

import { createRequire } from 'node:module'
import type { Condition, ConditionGroup } from '@telltale/core/contract/conditions'
import type { DocumentRule, FlagsmithDocument } from '@telltale/core/contract/flagsmith'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTelltale, type Telltale } from '../start.ts'
import { createKey, placeOf, saveFlag } from './flags.ts'

interface NodeClient {
  getIdentityFlags(identifier: string, traits?: Traits): Promise<NodeFlags>
  updateEnvironment(): Promise<void>
  close(): Promise<void> | void
}
interface NodeFlags {
  allFlags(): { featureName: string; enabled: boolean; value: unknown }[]
}
type Traits = Record<string, string | number | boolean>
type NodeClientClass = new (options: object) => NodeClient

const load = createRequire(import.meta.url)
const versions = {
  '3.3.3': 'flagsmith-nodejs-3',
  '5.1.1': 'flagsmith-nodejs-5',
  '6.2.0': 'flagsmith-nodejs-6',
  '7.0.3': 'flagsmith-nodejs-7',
  '8.0.0': 'flagsmith-nodejs-8.0',
  '8.1.0': 'flagsmith-nodejs-8.1',
  current: 'flagsmith-nodejs',
}
const names = Object.keys(versions) as (keyof typeof versions)[]

let telltale: Telltale
let serverKey: string
const clients = new Map<string, NodeClient>()
const apiKey = 'versionsClientKey0001'
const flagCount = 120
const identityCount = 160

/** The same numbers in every run. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
const random = randomFrom(20_261_123)
const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('nothing to pick')
  return item
}

const plans = ['free', 'pro', 'team', 'a,b', '[x]', 'Pro+']
const versionTexts = ['1.9.9', '2.0.0-rc.1', '2.0.0', '2.0.0+b7', '10.0.0']

const natives: (() => Condition)[] = [
  () => ({ attribute: 'plan', operator: pick(['equals', 'not-equals']), value: pick(plans) }),
  () => ({ attribute: 'plan', operator: pick(['in', 'not-in']), values: [pick(plans), pick(plans)] }),
  () => ({ attribute: 'age', operator: pick(['equals', 'not-equals']), value: pick([0, 30, 31]) }),
  () => ({ attribute: 'age', operator: pick(['in', 'not-in']), values: [0, 17, 30] }),
  () => ({
    attribute: 'age',
    operator: pick(['greater', 'greater-or-equal', 'less', 'less-or-equal']),
    value: pick([0, 18, 30.5]),
  }),
  () => ({ attribute: 'beta', operator: pick(['equals', 'not-equals']), value: pick([true, false]) }),
  () => ({
    attribute: 'mail',
    operator: pick(['contains', 'not-contains']),
    value: pick(['@shop.', '+', '']),
  }),
  () => ({
    attribute: 'mail',
    operator: pick(['starts-with', 'ends-with']),
    value: pick(['user-1', '.example']),
  }),
  () => ({
    attribute: 'mail',
    operator: pick(['matches', 'not-matches']),
    value: pick(['^user-\\d*[05]@', '(?:7|8)@']),
  }),
  () => ({ attribute: pick(['plan', 'age', 'mail']), operator: pick(['is-set', 'is-not-set']) }),
  () => ({ attribute: 'balance', operator: 'modulo', divisor: 3, remainder: pick([0, 1, 2]) }),
  () => ({
    attribute: 'version',
    operator: pick([
      'semver-equals',
      'semver-greater',
      'semver-greater-or-equal',
      'semver-less',
      'semver-less-or-equal',
    ]),
    value: pick(versionTexts),
  }),
  () => ({
    operator: pick(['in-segment', 'not-in-segment']),
    segment: pick(['grown-ups', 'a-quarter', 'either']),
  }),
]

function group(depth: number): ConditionGroup {
  const size = 1 + Math.floor(random() * 3)
  const of = Array.from({ length: size }, () =>
    depth > 0 && random() < 0.4 ? group(depth - 1) : pick(natives)(),
  )
  return { match: pick(['all', 'any', 'none']), of }
}

const rule = (
  type: DocumentRule['type'],
  conditions: DocumentRule['conditions'],
  rules: DocumentRule[] = [],
) => ({
  type,
  ...(conditions && { conditions }),
  rules,
})
const condition = (operator: string, property_: string, value: string | null) => ({
  operator,
  property_,
  value,
})

const segmentRules: Record<string, DocumentRule[]> = {
  'grown ups': [
    rule(
      'ALL',
      [],
      [rule('ANY', [condition('GREATER_THAN_INCLUSIVE', 'age', '18'), condition('EQUAL', 'beta', 'true')])],
    ),
  ],
  'a quarter': [rule('ALL', [], [rule('ANY', [condition('PERCENTAGE_SPLIT', '$.identity.key', '25')])])],
  either: [
    rule(
      'ALL',
      [],
      [
        rule('ANY', [condition('EQUAL', 'plan', 'pro'), condition('IN', 'plan', 'team,free')]),
        rule('NONE', [condition('EQUAL', 'age', '30')]),
      ],
    ),
  ],
  half: [rule('ALL', [condition('PERCENTAGE_SPLIT', '', '50')], [])],
  'not equal': [
    rule(
      'ALL',
      [],
      [rule('ALL', [condition('NOT_EQUAL', 'plan', 'pro'), condition('NOT_CONTAINS', 'mail', '+')])],
    ),
  ],
  nested: [
    rule(
      'ANY',
      [],
      [
        rule('ALL', [condition('EQUAL', 'plan', 'pro')]),
        rule('ALL', [condition('GREATER_THAN', 'age', '30')]),
      ],
    ),
  ],
  'none of': [rule('NONE', [condition('EQUAL', 'plan', 'pro'), condition('LESS_THAN', 'age', '20')])],
}

function importedDocument(): FlagsmithDocument {
  const states = Object.keys(segmentRules).map((name, index) => ({
    feature: { id: 300 + index, name: `in ${name}`, type: 'STANDARD' },
    enabled: false,
    django_id: 4_000 + index,
    feature_state_value: 'outside',
  }))
  return {
    id: 7,
    api_key: apiKey,
    name: 'Production',
    project: {
      id: 3,
      name: 'Versions',
      segments: Object.entries(segmentRules).map(([name, rules], index) => ({
        id: 500 + index,
        name,
        rules,
        feature_states: [
          {
            feature: { id: 300 + index, name: `in ${name}`, type: 'STANDARD' },
            enabled: true,
            django_id: 5_000 + index,
            feature_state_value: 'inside',
            feature_segment: { priority: 0 },
          },
        ],
      })),
    },
    feature_states: [
      ...states,
      {
        feature: { id: 390, name: 'colour', type: 'MULTIVARIATE' },
        enabled: true,
        django_id: 4_090,
        feature_state_value: 'grey',
        multivariate_feature_state_values: [
          {
            id: 71,
            percentage_allocation: 30,
            multivariate_feature_option: { id: 61, value: 'red', key: 'red' },
          },
          {
            id: 72,
            percentage_allocation: 20,
            multivariate_feature_option: { id: 62, value: 'blue', key: 'blue' },
          },
        ],
      },
    ],
    identity_overrides: [
      {
        // Clients before this one drop traits that are 0, false or empty for an identity with overrides: this one has none.
        identifier: 'user-24',
        identity_features: [
          {
            feature: { id: 390, name: 'colour', type: 'MULTIVARIATE' },
            enabled: true,
            django_id: 4_190,
            feature_state_value: 'gold',
          },
        ],
      },
    ],
  }
}

function traitsAt(index: number): Traits {
  return {
    ...(index % 6 === 5 ? {} : { plan: plans[index % 6] ?? '' }),
    ...(index % 7 === 0 ? {} : { age: index % 50 }),
    ...(index % 11 === 0
      ? {}
      : {
          mail: `user-${index}${index % 4 === 0 ? '+tag' : ''}@${index % 5 === 0 ? 'shop.' : ''}mail.example`,
        }),
    balance: (index % 25) - 12,
    beta: index % 3 === 0,
    version: versionTexts[index % 5] ?? '',
  }
}

beforeAll(async () => {
  telltale = await startTelltale()
  const owner = await telltale.person({ role: 'owner' })
  const path = '/api/v1/import/flagsmith-environment'
  const { status, body } = await telltale.request('POST', path, { as: owner, body: importedDocument() })
  expect(status, JSON.stringify(body)).toBe(200)
  serverKey = (await createKey(telltale, 'server', { project: 'versions' })).value
  const place = await placeOf(telltale, 'versions', 'production')
  for (let index = 0; index < flagCount; index++) {
    const id = `0190a1c0-0000-7000-8000-${String(index).padStart(12, '0')}`
    const when = group(index % 3)
    await saveFlag(telltale, place, {
      key: `native-${index}`,
      valueType: 'boolean',
      values: { on: true, off: false },
      config: {
        rules: [{ id, description: '', when, serve: { variation: 'on' } }],
        fallthrough: { variation: 'off' },
      },
    })
  }
  await vi.waitFor(async () => expect((await served('user-1', {})).size).toBe(flagCount + 8), 10_000)
  for (const name of names) {
    const loaded: NodeClientClass | { Flagsmith: NodeClientClass } = load(versions[name])
    const Client = typeof loaded === 'function' ? loaded : loaded.Flagsmith
    const client = new Client({
      environmentKey: serverKey,
      apiUrl: `${telltale.url}/flagsmith/api/v1/`,
      enableLocalEvaluation: true,
      enableAnalytics: false,
    })
    await client.updateEnvironment()
    clients.set(name, client)
  }
}, 120_000)

afterAll(async () => {
  for (const client of clients.values()) await client.close()
  await telltale?.[Symbol.asyncDispose]()
})

const ask = (path: string, body?: unknown) =>
  telltale.request(body === undefined ? 'GET' : 'POST', `/flagsmith/api/v1/${path}`, {
    headers: { 'x-environment-key': serverKey },
    body,
  })

/** What the server answers, by the feature's name. */
async function served(identifier: string, traits: Traits): Promise<Map<string, string>> {
  const given = Object.entries(traits).map(([trait_key, trait_value]) => ({ trait_key, trait_value }))
  const { body } = await ask('identities/', { identifier, transient: true, traits: given })
  const flags: { feature: { name: string }; enabled: boolean; feature_state_value: unknown }[] = body.flags
  return new Map(
    flags.map(({ feature, enabled, feature_state_value: value }) => [
      feature.name,
      JSON.stringify([enabled, value ?? null]),
    ]),
  )
}

describe("local evaluation matches the server's", () => {
  test.each(names)('flagsmith-nodejs %s', async (name) => {
    const client = clients.get(name)
    if (!client) throw new Error('no client')
    const different = new Map<string, number>()
    let compared = 0
    for (let index = 0; index < identityCount; index++) {
      const [identifier, traits] = [`user-${index}`, traitsAt(index)]
      const [answered, local] = [
        await served(identifier, traits),
        await client.getIdentityFlags(identifier, traits),
      ]
      for (const { featureName, enabled, value } of local.allFlags()) {
        compared += 1
        if (answered.get(featureName) === JSON.stringify([enabled, value ?? null])) continue
        different.set(featureName, (different.get(featureName) ?? 0) + 1)
      }
    }
    expect(Object.fromEntries(different)).toEqual({})
    // Few of the random trees cannot be said at all.
    expect(compared / identityCount).toBeGreaterThan(flagCount * 0.8)
  })
})

test('ids fit into 31 bits, are unique, and are the same everywhere', async () => {
  const { body: document } = await ask('environment-document/')
  const { body: flags } = await ask('flags/')
  const { body: identity } = await ask('identities/', { identifier: 'user-1', transient: true })
  const features = (list: { feature: { id: number; name: string } }[]) =>
    new Map(list.map(({ feature }) => [feature.name, feature.id]))
  const inDocument = features(document.feature_states)
  const inFlags = features(flags)
  expect(features(identity.flags)).toEqual(inFlags)
  for (const [name, id] of inDocument) expect(inFlags.get(name)).toBe(id)
  expect(new Set(inFlags.values()).size).toBe(inFlags.size)
  expect(inFlags.get('colour')).toBe(390)
  const segments: { id: number }[] = document.project.segments
  expect(new Set(segments.map(({ id }) => id)).size).toBe(segments.length)
  const integers: number[] = []
  JSON.stringify([document, flags, identity], (_key, value: unknown) => {
    if (typeof value === 'number' && Number.isInteger(value)) integers.push(value)
    return value
  })
  expect(Math.max(...integers)).toBeLessThan(2 ** 31)
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  for (const override of document.identity_overrides) expect(override.identity_uuid).toMatch(uuid)
  const variants = document.feature_states.flatMap(
    (state: { multivariate_feature_state_values: { mv_fs_value_uuid: unknown }[] }) =>
      state.multivariate_feature_state_values,
  )
  expect(variants).toHaveLength(2)
  for (const { mv_fs_value_uuid: id } of variants) expect(id).toMatch(uuid)
})
