// An environment of Flagsmith with everything that is strange in one: what its own client makes of the document by itself,
// without any server, is what everybody gets here: over HTTP, by local evaluation, and by the pure function.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FeatureState, FlagsmithDocument } from '@telltale/core/contract/flagsmith'
import { contextOfDocument, overridesOf } from '@telltale/core/evaluation/flagsmith/context-of-document'
import { getEvaluationResult } from '@telltale/core/evaluation/flagsmith/get-evaluation-result'
import { type Flags, Flagsmith, LocalFileHandler } from 'flagsmith-nodejs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTelltale, type Telltale } from '../start.ts'
import { createKey } from './flags.ts'

const apiKey = 'strange-environment-key'

/** Each is a segment with one condition, which turns a feature on. */
const conditions: [operator: string, property: string, value: string | null][] = [
  ...[
    'EQUAL',
    'NOT_EQUAL',
    'GREATER_THAN',
    'GREATER_THAN_INCLUSIVE',
    'LESS_THAN',
    'LESS_THAN_INCLUSIVE',
  ].flatMap((operator): [string, string, string | null][] => [
    [operator, 'trait', '10'],
    [operator, 'trait', '9'],
    [operator, 'trait', 'abc'],
    [operator, 'trait', '10abc'],
    [operator, 'trait', 'true'],
    [operator, 'trait', 'False'],
    [operator, 'trait', ''],
    [operator, 'trait', null],
    [operator, 'trait', '1.2.3:semver'],
    [operator, 'trait', '1.2.3-beta.2:semver'],
    [operator, 'trait', 'no version:semver'],
  ]),
  ...['CONTAINS', 'NOT_CONTAINS'].flatMap((operator): [string, string, string | null][] => [
    [operator, 'trait', 'b'],
    [operator, 'trait', 'B'],
    [operator, 'trait', ''],
    [operator, 'trait', null],
    [operator, 'trait', '1.2:semver'],
  ]),
  ...['b', '^abc$', '', '[', '\\d+', '(?i)ABC', '10', 'true', 'é', null].map(
    (value): [string, string, string | null] => ['REGEX', 'trait', value],
  ),
  ...['2|0', '2|1', '3|2', '3|-1', '0|0', '2', 'a|b', '2|0|1', '0.5|0', '', null].map(
    (value): [string, string, string | null] => ['MODULO', 'trait', value],
  ),
  ...['10,9', '["10","9"]', '["1",10]', ' a,b', '0', 'true', '', '[]', '1.5', 'a,', '"a"', null].map(
    (value): [string, string, string | null] => ['IN', 'trait', value],
  ),
  ['IS_SET', 'trait', null],
  ['IS_NOT_SET', 'trait', ''],
  ['IS_SET', 'other', null],
  ['IS_NOT_SET', 'other', null],
  ['IS_SET', '', null],
  ['PERCENTAGE_SPLIT', '', '40'],
  ['PERCENTAGE_SPLIT', '', '0'],
  ['PERCENTAGE_SPLIT', '', '100'],
  ['PERCENTAGE_SPLIT', 'trait', '50'],
  ['PERCENTAGE_SPLIT', '$.identity.traits.trait', '50'],
  ['PERCENTAGE_SPLIT', '$.identity.identifier', '50'],
  ['PERCENTAGE_SPLIT', '', 'half'],
  ['EQUAL', '$.environment.name', 'Strange'],
  ['EQUAL', '$.environment.key', apiKey],
  ['REGEX', '$.identity.identifier', '[02468]$'],
  ['EQUAL', '$.identity.traits.a.b', 'dotted'],
  ['EQUAL', "$.identity.traits['a.b']", 'dotted'],
  ['EQUAL', 'a.b', 'dotted'],
  ['EQUAL', '$.nowhere', 'path'],
  ['EQUAL', '$.identity.traits', 'path'],
  ['UNHEARD_OF', 'trait', '10'],
]

const state = (id: number, name: string, more: Partial<FeatureState> = {}): FeatureState => ({
  feature: { id, name, type: 'STANDARD' },
  enabled: false,
  django_id: 10_000 + id,
  feature_state_value: null,
  feature_segment: null,
  multivariate_feature_state_values: [],
  ...more,
})
const variants = (...weights: number[]) =>
  weights.map((weight, index) => ({
    id: 900 - index,
    percentage_allocation: weight,
    multivariate_feature_option: {
      id: 700 + index,
      value: `v${index}`,
      key: index === 0 ? null : `k${index}`,
    },
  }))
const one = (operator: string, property_: string, value: string) => ({ operator, property_, value })

const base = conditions.map((_, index) => state(index + 1, `Feature ${index}`))
const more: FeatureState[] = [
  state(901, 'Ünïcode name', { enabled: true, feature_state_value: '{"a":[1,"2"]}' }),
  state(902, 'number', { enabled: true, feature_state_value: 0 }),
  state(903, 'yes', { enabled: true, feature_state_value: true }),
  state(904, 'text', { enabled: true, feature_state_value: '' }),
  state(905, 'drawn', {
    feature: { id: 905, name: 'drawn', type: 'MULTIVARIATE' },
    enabled: true,
    feature_state_value: 'control',
    multivariate_feature_state_values: variants(33.33, 33.33, 12.5),
  }),
  state(906, 'all drawn', {
    enabled: false,
    feature_state_value: null,
    multivariate_feature_state_values: variants(50, 50),
  }),
  state(907, 'by uuid', {
    django_id: null,
    featurestate_uuid: 'd3f1c2aa-0b3e-4c67-9f1e-000000000907',
    enabled: true,
    feature_state_value: 'rest',
    multivariate_feature_state_values: variants(10, 0, 40),
  }),
  state(908, 'contested', { enabled: true, feature_state_value: 'nobody' }),
]

const strange = {
  id: 77,
  api_key: apiKey,
  name: 'Strange',
  updated_at: '2026-01-01T00:00:00Z',
  hide_disabled_flags: false,
  hide_sensitive_data: false,
  allow_client_traits: true,
  use_identity_composite_key_for_hashing: true,
  use_identity_overrides_in_local_eval: true,
  project: {
    id: 5,
    name: 'Strange things',
    hide_disabled_flags: false,
    enable_realtime_updates: false,
    server_key_only_feature_ids: [],
    organisation: {
      id: 1,
      name: 'Org',
      feature_analytics: false,
      stop_serving_flags: false,
      persist_trait_data: true,
    },
    segments: [
      ...conditions.map(([operator, property_, value], index) => ({
        id: index + 1,
        name: `segment ${index}`,
        rules: [{ type: 'ALL' as const, rules: [], conditions: [{ operator, property_, value }] }],
        feature_states: [state(index + 1, `Feature ${index}`, { enabled: true, django_id: 20_000 + index })],
      })),
      ...(['ALL', 'ANY', 'NONE'] as const).flatMap((type, index) =>
        [5, undefined, 5].map((priority, place) => ({
          id: 500 + index * 3 + place,
          name: `${type} ${place}`,
          rules: [
            {
              type,
              rules: [
                { type: 'NONE' as const, rules: [], conditions: [one('EQUAL', 'trait', '10')] },
                { type, rules: [], conditions: [] },
              ],
              conditions: [one('IS_SET', 'trait', ''), one('REGEX', 'trait', 'b')].slice(0, place),
            },
          ],
          feature_states: [
            state(908, 'contested', {
              enabled: place !== 1,
              django_id: 30_000 + index * 3 + place,
              feature_state_value: `${type} ${place}`,
              feature_segment: priority === undefined ? {} : { priority: priority - index },
              multivariate_feature_state_values: place === 2 ? variants(25, 25) : [],
            }),
          ],
        })),
      ),
      {
        id: 600,
        name: 'without rules',
        rules: [],
        feature_states: [state(902, 'number', { enabled: false })],
      },
    ],
  },
  feature_states: [...base, ...more],
  identity_overrides: [
    {
      identifier: 'somebody special',
      environment_api_key: apiKey,
      identity_uuid: '3f0c0a52-0000-4000-8000-000000000001',
      created_date: '2026-01-01T00:00:00Z',
      identity_traits: [],
      identity_features: [
        state(902, 'number', { enabled: true, feature_state_value: 42, django_id: 40_001 }),
        state(908, 'contested', { enabled: false, feature_state_value: 'mine', django_id: 40_002 }),
        state(1, 'Feature 0', { enabled: true, django_id: 40_003 }),
      ],
    },
  ],
}

type Traits = Record<string, string | number | boolean>

const values: Traits['trait'][] = [
  ...[10, 9, 10.5, -1, 0, 1.5, 1e21, '10', '9', '4', '', 'abc', 'aBc', 'a', ' a', 'b', 'null', '4abc', '1.5'],
  ...['1.2.3', 'v1.2.3', '1.2.3+build', '1.2.3-beta.11', '2.0', 'é', 'true', 'False', true, false],
]
const requested: { identifier: string; traits: Traits }[] = [
  ...values.map((trait, index) => ({ identifier: `user-${index}`, traits: { trait } })),
  { identifier: 'user-bare', traits: {} },
  {
    identifier: 'user-dotted',
    traits: { 'a.b': 'dotted', '$.nowhere': 'path', '$.identity.traits': 'path' },
  },
  { identifier: 'somebody special', traits: { trait: 'b', other: 1 } },
  ...Array.from({ length: 60 }, (_, index) => ({
    identifier: `Ünï ${index}@example.com`,
    traits: { trait: index },
  })),
]

let telltale: Telltale
let folder: string
let serverKey: string
let original: Flagsmith
let local: Flagsmith
let remote: Flagsmith

beforeAll(async () => {
  telltale = await startTelltale()
  const as = await telltale.person({ role: 'owner' })
  const imported = await telltale.request('POST', '/api/v1/import/flagsmith-environment', {
    as,
    body: strange,
  })
  expect(imported.body).toMatchObject({ flags: base.length + more.length, env: 'strange' })
  serverKey = (await createKey(telltale, 'server', { project: 'strange-things', environment: 'strange' }))
    .value
  folder = await mkdtemp(join(tmpdir(), 'telltale-strange-'))
  await writeFile(join(folder, 'environment.json'), JSON.stringify(strange))
  const offlineHandler = new LocalFileHandler(join(folder, 'environment.json'))
  original = new Flagsmith({ environmentKey: 'none', offlineMode: true, offlineHandler })
  const here = { environmentKey: serverKey, apiUrl: `${telltale.url}/flagsmith/api/v1/` }
  local = new Flagsmith({ ...here, enableLocalEvaluation: true })
  remote = new Flagsmith(here)
})

afterAll(async () => {
  await Promise.all([original?.close(), local?.close(), remote?.close()])
  await telltale?.[Symbol.asyncDispose]()
  if (folder) await rm(folder, { recursive: true })
})

const reported = (flags: Flags) =>
  Object.fromEntries(
    flags
      .allFlags()
      .map(({ featureName, enabled, value }) => [featureName, `${enabled} ${JSON.stringify(value ?? null)}`])
      .sort(),
  )

test('every operator with every kind of trait: each identity gets the same as before', async () => {
  const document: FlagsmithDocument = strange
  const context = contextOfDocument(document)
  for (const { identifier, traits } of requested) {
    const expected = reported(await original.getIdentityFlags(identifier, traits))
    const own = document.identity_overrides?.find((each) => each.identifier === identifier)
    const segments = { ...context.segments, ...(own && { own: overridesOf(own) }) }
    const { flags } = getEvaluationResult({ ...context, identity: { identifier, traits }, segments })
    const pure = Object.values(flags).map(({ name, enabled, value }) => [
      name,
      `${enabled} ${JSON.stringify(value)}`,
    ])
    const name = `${identifier} with ${JSON.stringify(traits)}`
    expect(Object.fromEntries(pure.sort()), `the function for ${name}`).toEqual(expected)
    expect(reported(await remote.getIdentityFlags(identifier, traits)), `over HTTP, ${name}`).toEqual(
      expected,
    )
    expect(reported(await local.getIdentityFlags(identifier, traits)), `locally, ${name}`).toEqual(expected)
  }
  expect(reported(await remote.getEnvironmentFlags())).toEqual(reported(await original.getEnvironmentFlags()))
  expect(reported(await local.getEnvironmentFlags())).toEqual(reported(await original.getEnvironmentFlags()))
})
