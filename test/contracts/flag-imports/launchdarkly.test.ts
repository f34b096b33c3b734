// Imported flags of LaunchDarkly beside its Node SDK, which reads the same file.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { init } from '@launchdarkly/node-server-sdk'
import { FileDataSourceFactory } from '@launchdarkly/node-server-sdk/integrations'
import type { LaunchDarklySdkDocument } from '@telltale/core/contract/launchdarkly'
import { convertLaunchDarkly } from '@telltale/core/flag-imports/launchdarkly/convert'
import { expect, test } from 'vitest'
import { compareAll, definitionsOf } from './compare.ts'
import { createUsers, type SomeUser } from './users.ts'

type Clause = { attribute?: string; contextKind?: string; op: string; values: unknown[]; negate?: boolean }

/** `named`: the attribute and the operator. */
const clause = (named: string, values: unknown[], more: Partial<Clause> = {}): Clause => {
  const [attribute = '', op = ''] = named.split(' ')
  return { attribute, op, values, ...more }
}

let versions = 0
const flag = (rules: Clause[][], more: object = {}) => ({
  key: '',
  version: ++versions,
  on: true,
  salt: 'salt',
  variations: [true, false],
  offVariation: 1,
  targets: [],
  prerequisites: [],
  fallthrough: { variation: 1 },
  rules: rules.map((clauses, index) => ({ id: `rule-${index}`, variation: 0, clauses })),
  ...more,
})

const negated = { negate: true }
const user = { contextKind: 'user' }
const rollout = (weights: number[], more: object = {}) => ({
  rollout: { variations: weights.map((weight, variation) => ({ variation, weight })), ...more },
})

const flags: Record<string, ReturnType<typeof flag>> = {
  'in-text': flag([[clause('plan in', ['pro', 'team'])]]),
  'not-in-text': flag([[clause('plan in', ['pro', 'team'], negated)]]),
  'in-number': flag([[clause('age in', [1, 2, 30, 31])]]),
  'in-boolean': flag([[clause('beta in', [true])]]),
  'in-nothing': flag([[clause('plan in', [], negated)]]),
  'in-list': flag([[clause('tags in', ['red'])]]),
  'not-in-list': flag([[clause('tags in', ['red'], negated)]]),
  'starts-with': flag([[clause('email startsWith', ['user1', 'user2'])]]),
  'not-starts-with': flag([[clause('email startsWith', ['user1'], negated)]]),
  'ends-with': flag([[clause('email endsWith', ['acme.com'])]]),
  contains: flag([[clause('email contains', ['@example'])]]),
  'not-contains': flag([[clause('email contains', ['@example', '@acme'], negated)]]),
  matches: flag([[clause('email matches', ['^user\\d*[05]@'])]]),
  'not-matches': flag([[clause('email matches', ['^user\\d*[05]@'], negated)]]),
  lookahead: flag([[clause('email matches', ['^(?!user1)'])], [clause('plan in', ['free'])]]),
  'less-than': flag([[clause('age lessThan', [30])]]),
  'less-or-equal': flag([[clause('age lessThanOrEqual', [30])]]),
  'greater-than': flag([[clause('age greaterThan', [30])]]),
  'greater-or-equal': flag([[clause('age greaterThanOrEqual', [30], negated)]]),
  before: flag([[clause('createdAt before', ['2024-08-01T00:00:00Z'])]]),
  after: flag([[clause('createdAt after', [1_722_470_400_000])]]),
  'version-equal': flag([[clause('version semVerEqual', ['2', '1.4.0'])]]),
  'version-less': flag([[clause('version semVerLessThan', ['2.3.1'])]]),
  'version-greater': flag([[clause('version semVerGreaterThan', ['1.2.0-beta'], negated)]]),
  nested: flag([[clause('/address/city in', ['Berlin'], user)]]),
  both: flag([[clause('plan in', ['pro']), clause('country in', ['DE'], negated)]]),
  order: flag([[clause('plan in', ['pro'])], [clause('country in', ['DE'])]], {
    variations: ['first', 'second', 'rest'],
    fallthrough: { variation: 2 },
    rules: [
      { id: '1', variation: 0, clauses: [clause('plan in', ['pro'])] },
      { id: '2', variation: 1, clauses: [clause('country in', ['DE'])] },
    ],
  }),
  company: flag([[clause('plan in', ['pro'], { contextKind: 'company' })]]),
  'no-company': flag([[clause('seats greaterThan', [50], { contextKind: 'company', negate: true })]]),
  kind: flag([[clause('kind in', ['company'])]]),
  anonymous: flag([[clause('anonymous in', [false])]]),
  targets: flag([[clause('plan in', ['free'])]], {
    variations: ['a', 'b', 'c'],
    targets: [
      { variation: 1, values: ['user-1', 'user-2', 'user-300'] },
      { variation: 2, values: ['user-5', 'user-6000'] },
    ],
    contextTargets: [
      { contextKind: 'company', variation: 2, values: ['c1', 'c2'] },
      { contextKind: 'user', variation: 1, values: [] },
    ],
    fallthrough: { variation: 2 },
  }),
  off: flag([[clause('plan in', ['free'])]], { on: false }),
  parent: flag([[clause('plan in', ['pro', 'team'])]], { variations: ['gold', 'none'] }),
  child: flag([[clause('country in', ['DE', 'FR'])]], {
    prerequisites: [{ key: 'parent', variation: 0 }],
  }),
  'child-of-off': flag([], { prerequisites: [{ key: 'off', variation: 1 }], fallthrough: { variation: 0 } }),
  grandchild: flag([], { prerequisites: [{ key: 'child', variation: 0 }], fallthrough: { variation: 0 } }),
  segment: flag([[clause(' segmentMatch', ['beta-users'])]]),
  'not-segment': flag([[clause(' segmentMatch', ['beta-users', 'nested'], negated)]]),
  'nested-segment': flag([[clause(' segmentMatch', ['nested'])]]),
  'missing-segment': flag([[clause(' segmentMatch', ['nowhere'], negated)]]),
  json: flag([[clause('plan in', ['pro'])]], {
    variations: [{ layout: [1, { deep: true }] }, null, 'text'],
  }),
  number: flag([[clause('plan in', ['pro'])]], { variations: [1.5, -2] }),
  percentage: flag([], { fallthrough: rollout([30_000, 70_000]) }),
  thirds: flag([[clause('plan in', ['free'])]], {
    variations: ['a', 'b', 'c'],
    fallthrough: rollout([33_333, 33_333, 33_334]),
  }),
  'by-company': flag([], {
    fallthrough: rollout([50_000, 50_000], { contextKind: 'company', bucketBy: 'key' }),
  }),
  'segment-share': flag([[clause(' segmentMatch', ['half'])]]),
}

const segment = (more: object) => ({
  key: '',
  version: ++versions,
  included: [],
  excluded: [],
  salt: 's',
  rules: [],
  ...more,
})

const segments = {
  'beta-users': segment({
    included: ['user-7', 'user-8'],
    excluded: ['user-9', 'user-10', 'user-11'],
    rules: [
      { id: '1', clauses: [clause('beta in', [true])] },
      { id: '2', clauses: [clause('country in', ['JP'])] },
    ],
  }),
  nested: segment({
    excludedContexts: [{ contextKind: 'company', values: ['c3'] }],
    rules: [{ id: '1', clauses: [clause(' segmentMatch', ['beta-users']), clause('age greaterThan', [20])] }],
  }),
  half: segment({ rules: [{ id: '1', clauses: [clause('country in', ['DE', 'FR'])], weight: 50_000 }] }),
}

const named = <Part extends { key: string }>(parts: Record<string, Part>): Record<string, Part> =>
  Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, { ...part, key }]))

const document = { flags: named(flags), segments: named(segments) }

test('10,000 users get the values of the SDK of LaunchDarkly, or the report says why not', async () => {
  const users = createUsers(10_000, { odd: ['numeric-text', 'number-in-text', 'partial-version', 'list'] })
  const values = await evaluateAll(users)
  const definitions = definitionsOf(
    convertLaunchDarkly(document satisfies LaunchDarklySdkDocument, undefined),
  )
  expect(definitions.flags).toHaveLength(Object.keys(flags).length)
  const { flags: compared } = compareAll({
    definitions,
    users,
    contextOf: ({ key, attributes, company }) => ({
      ...attributes,
      targetingKey: key,
      ...(company && { company }),
    }),
    theirs: (key, { key: its }) => values.get(its)?.[key],
    ours: (value) => value,
  })
  expect(definitions.notes.filter(({ outcome }) => outcome === 'left-out')).toEqual([
    expect.objectContaining({ flag: 'lookahead', code: 'expression' }),
  ])
  // Each flag but those that are off has more than one value, so the comparison means something.
  const constant = [...compared].filter(([, { values: its }]) => its.size < 2).map(([key]) => key)
  expect(constant.toSorted()).toEqual(['child-of-off', 'missing-segment', 'anonymous', 'off'].toSorted())
  const exact = ['in-text', 'not-in-list', 'kind', 'targets', 'child', 'grandchild', 'nested-segment', 'json']
  for (const key of exact) expect(compared.get(key), key).toMatchObject({ compared: 10_000 })
}, 300_000)

async function evaluateAll(users: readonly SomeUser[]): Promise<Map<string, Record<string, unknown>>> {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-launchdarkly-'))
  try {
    const path = join(folder, 'flags.json')
    await writeFile(path, JSON.stringify(document))
    const source = new FileDataSourceFactory({ paths: [path] })
    const quiet = { error() {}, warn() {}, info() {}, debug() {} }
    const client = init('sdk-key', { updateProcessor: source.getFactory(), sendEvents: false, logger: quiet })
    await client.waitForInitialization({ timeout: 10 })
    const values = new Map<string, Record<string, unknown>>()
    for (const { key, attributes, company } of users) {
      const context = company
        ? { kind: 'multi' as const, user: { ...attributes, key }, company }
        : { kind: 'user' as const, ...attributes, key }
      const state = await client.allFlagsState(context)
      values.set(key, state.allValues())
    }
    client.close()
    return values
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('what its API lists is converted for one environment', () => {
  const item = {
    key: 'newCheckout',
    name: 'New checkout',
    description: 'Pays faster',
    tags: ['shop'],
    variations: [
      { value: 'old', name: 'Old one' },
      { value: 'new', name: 'New one' },
    ],
    environments: {
      production: { on: false, offVariation: 0, fallthrough: { variation: 1 } },
      test: { on: true, offVariation: 0, fallthrough: { variation: 1 } },
    },
  }
  expect(convertLaunchDarkly({ flags: { items: [item] } }, undefined)).toEqual({
    faults: [expect.objectContaining({ pointer: '/from' })],
  })
  const {
    from,
    flags: imported,
    notes,
  } = definitionsOf(convertLaunchDarkly({ flags: { items: [item] } }, 'test'))
  expect(from).toBe('test')
  expect(imported).toEqual([
    expect.objectContaining({
      key: 'newcheckout',
      name: 'New checkout',
      tags: ['shop'],
      config: expect.objectContaining({ enabled: true, fallthrough: { variation: 'new-one' } }),
    }),
  ])
  expect(notes).toEqual([expect.objectContaining({ code: 'renamed' })])
})
