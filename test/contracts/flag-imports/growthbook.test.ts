// Imported features of GrowthBook beside its SDK, which reads the same payload.

import { GrowthBookClient } from '@growthbook/growthbook'
import type { GrowthBookDocument, GrowthBookFeature } from '@telltale/core/contract/growthbook'
import { convertGrowthBook } from '@telltale/core/flag-imports/growthbook/convert'
import { readGrowthBookApi } from '@telltale/core/flag-imports/growthbook/read-api-document'
import { expect, test } from 'vitest'
import { compareAll, definitionsOf } from './compare.ts'
import { createUsers } from './users.ts'

const when = (
  condition: Record<string, unknown>,
  force: unknown = true,
  defaultValue: unknown = false,
): GrowthBookFeature => ({
  defaultValue,
  rules: [{ condition, force }],
})

const features: Record<string, GrowthBookFeature> = {
  plain: { defaultValue: 'hello' },
  missing: {},
  text: when({ plan: 'pro' }),
  'text-number': when({ age: '30' }),
  number: when({ age: 30 }),
  zero: when({ logins: 0 }),
  one: when({ logins: 1 }),
  true: when({ beta: true }),
  false: when({ beta: false }),
  null: when({ country: null }),
  eq: when({ plan: { $eq: 'pro' } }),
  ne: when({ plan: { $ne: 'pro' } }),
  'ne-null': when({ plan: { $ne: null } }),
  in: when({ country: { $in: ['DE', 'FR', null] } }),
  nin: when({ country: { $nin: ['DE', 'FR'] } }),
  'in-list': when({ tags: { $in: ['red', 'new'] } }),
  ini: when({ plan: { $ini: ['PRO', 'Team'] } }),
  nini: when({ plan: { $nini: ['PRO'] } }),
  lt: when({ age: { $lt: 30 } }),
  lte: when({ age: { $lte: 30 } }),
  gt: when({ age: { $gt: 30 } }),
  gte: when({ score: { $gte: 50 } }),
  'below-zero': when({ age: { $gt: -1 } }),
  between: when({ age: { $gte: 20, $lt: 40 } }),
  dates: when({ createdAt: { $gt: '2024-06-01T00:00:00.000Z', $lte: '2025-02-01T00:00:00.000Z' } }),
  exists: when({ country: { $exists: true } }),
  'not-exists': when({ country: { $exists: false } }),
  regex: when({ email: { $regex: '^user\\d*[05]@' } }),
  'regex-null': when({ email: { $regex: '[ln]' } }),
  regexi: when({ email: { $regexi: 'EXAMPLE' } }),
  'not-regex': when({ email: { $not: { $regex: 'acme' } } }),
  lookahead: when({ email: { $regex: '^(?!user1)' } }),
  veq: when({ version: { $veq: '1.4.0' } }),
  vne: when({ version: { $vne: '1.4.0' } }),
  vgt: when({ version: { $vgt: '1.4.0-beta' } }),
  vgte: when({ version: { $vgte: '2.1.0' } }),
  vlt: when({ version: { $vlt: '2.1.0' } }),
  vlte: when({ version: { $vlte: '2.1.0-rc.1' } }),
  all: when({ tags: { $all: ['red', 'new'] } }),
  'elem-match': when({ tags: { $elemMatch: { $eq: 'red' } } }),
  size: when({ tags: { $size: 2 } }),
  type: when({ country: { $type: 'string' } }),
  or: when({ $or: [{ plan: 'pro' }, { country: 'DE' }] }),
  nor: when({ $nor: [{ plan: 'pro' }, { country: 'DE' }] }),
  and: when({ $and: [{ plan: 'pro' }, { country: { $ne: 'DE' } }] }),
  not: when({ $not: { plan: 'pro', country: 'DE' } }),
  nested: when({ 'address.city': 'Berlin' }),
  id: when({ id: { $in: ['user-1', 'user-300'] } }),
  group: when({ id: { $inGroup: 'vips' } }),
  'not-group': when({ country: { $notInGroup: 'europe' } }),
  'missing-group': when({ country: { $notInGroup: 'nowhere' } }),
  'saved-group': when({ $savedGroup: { id: 'paying' } }),
  'list-group': when({ $savedGroup: { id: 'asia', attributeKey: 'country' } }),
  order: {
    defaultValue: 'c',
    rules: [
      { condition: { plan: 'pro' }, force: 'a' },
      { condition: { country: 'DE' }, force: 'B' },
    ],
  },
  json: when({ plan: 'pro' }, { layout: [1, { deep: true }] }, null),
  numbers: when({ plan: 'pro' }, 1.5, -2),
  parent: when({ plan: { $in: ['pro', 'team'] } }),
  child: {
    defaultValue: false,
    rules: [
      { parentConditions: [{ id: 'parent', condition: { value: true }, gate: true }] },
      { condition: { country: 'DE' }, force: true },
    ],
  },
  'rule-parent': {
    defaultValue: false,
    rules: [{ parentConditions: [{ id: 'parent', condition: { value: true } }], force: true }],
  },
  coverage: {
    defaultValue: false,
    rules: [{ condition: { plan: { $ne: 'free' } }, force: true, coverage: 0.3, hashVersion: 2 } as object],
  },
  experiment: {
    defaultValue: 'none',
    rules: [
      {
        condition: { country: { $ne: 'JP' } },
        variations: ['a', 'b', 'c'],
        weights: [0.2, 0.3, 0.5],
        coverage: 0.8,
        key: 'exp',
        hashVersion: 2,
      } as object,
    ],
  },
  namespace: {
    defaultValue: 'none',
    rules: [
      {
        variations: ['a', 'b'],
        ranges: [
          [0, 0.5],
          [0.5, 1],
        ],
        filters: [{ seed: 'ns', ranges: [[0.2, 0.6]], hashVersion: 2, attribute: 'id' }],
        hashVersion: 2,
        key: 'ns-exp',
      } as object,
    ],
  },
}

const savedGroups = {
  vips: ['user-1', 'user-2', 'user-5000'],
  europe: ['DE', 'FR'],
  paying: { type: 'condition', condition: { plan: { $in: ['pro', 'team', 'enterprise'] } } },
  asia: { type: 'list', attributeKey: 'region', values: ['JP'] },
}

const document: GrowthBookDocument = { features, savedGroups }

test('10,000 users get the values of the SDK of GrowthBook, or the report says why not', () => {
  const odd = ['numeric-text', 'odd-number', 'number-in-text', 'partial-version', 'odd-date', 'list'] as const
  const users = createUsers(10_000, { odd })
  const client = new GrowthBookClient().initSync({ payload: JSON.parse(JSON.stringify(document)) })
  const contexts = new Map(
    users.map(({ key, attributes }) => [key, { attributes: { ...attributes, id: key } }]),
  )
  const definitions = definitionsOf(convertGrowthBook(document))
  expect(definitions.flags).toHaveLength(Object.keys(features).length)
  const { flags: compared } = compareAll({
    definitions,
    users,
    contextOf: ({ key, attributes }) => ({ ...attributes, targetingKey: key }),
    theirs: (key, user) => client.evalFeature(key, contexts.get(user.key) ?? {}).value,
    ours: (value) => value,
  })
  const left = definitions.notes.filter(({ outcome }) => outcome === 'left-out')
  expect(left.map(({ flag, code }) => `${flag} ${code}`).toSorted()).toEqual([
    'lookahead expression',
    'rule-parent dependency',
    'size operator',
  ])
  const constant = [...compared].filter(([, { values }]) => values.size < 2).map(([key]) => key)
  expect(constant.toSorted()).toEqual(['plain', 'missing', 'missing-group'].toSorted())
}, 300_000)

test('what its API lists is converted for one environment', () => {
  const feature = (enabled: boolean, definition: unknown) => ({
    enabled,
    definition: JSON.stringify(definition),
  })
  const listed = {
    features: [
      {
        id: 'banner',
        environments: {
          production: feature(true, { defaultValue: 'a' }),
          test: feature(true, { defaultValue: 'b' }),
        },
      },
      { id: 'hidden', environments: { production: feature(false, { defaultValue: 'a' }) } },
    ],
  }
  expect(readGrowthBookApi(listed, undefined)).toHaveProperty('faults')
  expect(readGrowthBookApi(listed, 'test')).toEqual({
    from: 'test',
    document: { features: { banner: { defaultValue: 'b' } } },
  })
  expect(
    readGrowthBookApi(
      { features: [{ id: 'x', environments: { test: { enabled: true, definition: '{' } } }] },
      'test',
    ),
  ).toEqual({
    faults: [{ pointer: '/document/features/0/environments/test/definition', message: 'is not JSON' }],
  })
})
