// Imported features of Unleash beside its Node SDK, started from the same document.

import { once } from 'node:events'
import type { UnleashConstraint, UnleashDocument } from '@telltale/core/contract/unleash'
import { convertUnleash } from '@telltale/core/flag-imports/unleash/convert'
import { readUnleashExport } from '@telltale/core/flag-imports/unleash/read-export'
import { InMemStorageProvider, Unleash } from 'unleash-client'
import { expect, test } from 'vitest'
import { compareAll, definitionsOf } from './compare.ts'
import { createUsers, type SomeUser } from './users.ts'

/** `named`: the attribute and the operator. */
const constraint = (named: string, given: string | string[], more: object = {}) => {
  const [contextName = '', operator = ''] = named.split(' ')
  const operand = Array.isArray(given) ? { values: given } : { values: [], value: given }
  return { contextName, operator, inverted: false, ...operand, ...more }
}

const strategy = (constraints: UnleashConstraint[], more: object = {}) => ({
  name: 'flexibleRollout',
  parameters: { rollout: '100', stickiness: 'default', groupId: 'group' },
  constraints,
  ...more,
})

const when = (...constraints: UnleashConstraint[]) => ({ enabled: true, strategies: [strategy(constraints)] })
const inverted = { inverted: true }
const anyCase = { caseInsensitive: true }
const share = (rollout: string, stickiness = 'default') => ({
  parameters: { rollout, stickiness, groupId: `group-${rollout}` },
})
const payload = (value: string, type = 'string') => ({ type, value })

const features: Record<string, Omit<UnleashDocument['features'][number], 'name'>> = {
  on: { enabled: true, strategies: [] },
  off: { enabled: false, strategies: [strategy([])] },
  in: when(constraint('plan IN', ['pro', 'team'])),
  'in-number': when(constraint('age IN', ['30', '31', ' 32 '])),
  'in-user': when(constraint('userId IN', ['user-1', 'user-20'])),
  'not-in': when(constraint('plan NOT_IN', ['pro'])),
  'in-inverted': when(constraint('plan IN', ['pro'], inverted)),
  'not-in-inverted': when(constraint('plan NOT_IN', ['pro', 'free'], inverted)),
  'in-nothing': when(constraint('plan NOT_IN', [])),
  starts: when(constraint('email STR_STARTS_WITH', ['user1', 'user2'])),
  ends: when(constraint('email STR_ENDS_WITH', ['acme.com', 'org'], inverted)),
  contains: when(constraint('email STR_CONTAINS', ['@example'])),
  'ends-any-case': when(constraint('email STR_ENDS_WITH', ['EXAMPLE.org'], anyCase)),
  'contains-any-case': when(constraint('plan STR_CONTAINS', ['PRO', 'ee'], { ...anyCase, ...inverted })),
  equal: when(constraint('logins NUM_EQ', '1')),
  'greater-than': when(constraint('age NUM_GT', '30')),
  'greater-or-equal': when(constraint('age NUM_GTE', '30', inverted)),
  'less-than': when(constraint('age NUM_LT', '30.5')),
  'less-or-equal': when(constraint('score NUM_LTE', '50')),
  'not-a-number': when(constraint('age NUM_LT', 'thirty', inverted)),
  after: when(constraint('currentTime DATE_AFTER', '2026-01-01T00:00:00.000Z')),
  before: when(constraint('currentTime DATE_BEFORE', '2026-01-01T00:00:00.000Z', inverted)),
  version: when(constraint('version SEMVER_GT', '1.4.0')),
  'version-equal': when(constraint('version SEMVER_EQ', '1.4.0')),
  'version-less': when(constraint('version SEMVER_LT', '2.0.0-beta', inverted)),
  'version-at-least': when(constraint('version SEMVER_GTE', '2.1.0')),
  'version-at-most': when(constraint('version SEMVER_LTE', '2.1.0')),
  'bad-version': when(constraint('version SEMVER_GT', '1.4')),
  regex: when(constraint('email REGEX', '^user\\d*[05]@')),
  'regex-any-case': when(constraint('email REGEX', 'EXAMPLE', anyCase)),
  cidr: when(constraint('remoteAddress IN_CIDR', ['10.0.0.0/8'])),
  all: when(constraint('plan IN', ['pro']), constraint('country NOT_IN', ['DE'])),
  several: {
    enabled: true,
    strategies: [
      { name: 'userWithId', parameters: { userIds: 'user-3, user-4,user-500' } },
      strategy([constraint('country IN', ['DE'])]),
      { ...strategy([]), ...share('0') },
    ],
  },
  unknown: {
    enabled: true,
    strategies: [{ name: 'ourOwn' }, strategy([constraint('plan IN', ['free'])])],
  },
  segment: { enabled: true, strategies: [strategy([], { segments: [1] })] },
  'two-segments': {
    enabled: true,
    strategies: [strategy([constraint('plan IN', ['pro'])], { segments: [1, 2] })],
  },
  'missing-segment': { enabled: true, strategies: [strategy([], { segments: [1, 9] })] },
  parent: when(constraint('plan IN', ['pro', 'team'])),
  child: { ...when(constraint('country IN', ['DE', 'FR'])), dependencies: [{ feature: 'parent' }] },
  'not-parent': { ...when(), dependencies: [{ feature: 'parent', enabled: false }] },
  'not-off': { ...when(), dependencies: [{ feature: 'off', enabled: false }] },
  'of-variant': { ...when(), dependencies: [{ feature: 'variants', variants: ['red'] }] },
  'of-variants': { ...when(), dependencies: [{ feature: 'variants', variants: ['red', 'blue'] }] },
  orphan: { ...when(), dependencies: [{ feature: 'nowhere' }] },
  variants: {
    enabled: true,
    strategies: [
      strategy([constraint('plan IN', ['pro'])], {
        variants: [{ name: 'red', weight: 1000, payload: payload('#f00') }],
      }),
      strategy([constraint('plan IN', ['free'])], {
        variants: [{ name: 'blue', weight: 1000, payload: payload('#00f') }],
      }),
    ],
  },
  'plain-and-variants': {
    enabled: true,
    strategies: [
      strategy([constraint('plan IN', ['pro'])], { variants: [{ name: 'red', weight: 1000 }] }),
      strategy([constraint('country IN', ['FR'])]),
    ],
  },
  overrides: {
    enabled: true,
    strategies: [strategy([])],
    variants: [
      {
        name: 'a',
        weight: 0,
        payload: payload('1', 'number'),
        overrides: [{ contextName: 'country', values: ['DE'] }],
      },
      { name: 'b', weight: 1000, payload: payload('2', 'number') },
    ],
  },
  json: {
    enabled: true,
    strategies: [
      strategy([], {
        variants: [{ name: 'layout', weight: 1000, payload: payload('{"columns":[1,2]}', 'json') }],
      }),
    ],
  },
  percentage: { enabled: true, strategies: [{ ...strategy([]), ...share('30') }] },
  'by-session': { enabled: true, strategies: [{ ...strategy([]), ...share('60', 'sessionId') }] },
  'all-by-session': { enabled: true, strategies: [{ ...strategy([]), ...share('100', 'sessionId') }] },
  gradual: {
    enabled: true,
    strategies: [{ name: 'gradualRolloutUserId', parameters: { percentage: '20', groupId: 'g' } }],
  },
  split: {
    enabled: true,
    strategies: [
      strategy([constraint('plan IN', ['pro', 'free'])], {
        variants: [
          { name: 'a', weight: 250 },
          { name: 'b', weight: 500 },
          { name: 'c', weight: 250 },
        ],
      }),
    ],
  },
}

const segments = [
  {
    id: 1,
    name: 'Beta users',
    constraints: [constraint('country IN', ['DE', 'FR', 'JP']), constraint('age NUM_GT', '20')],
  },
  { id: 2, name: 'Example', constraints: [constraint('email STR_CONTAINS', ['example'])] },
]

const document: UnleashDocument = {
  features: Object.entries(features).map(([name, feature]) => ({ name, ...feature })),
  segments,
}

const time = '2026-03-01T00:00:00.000Z'
const isLate = ({ key }: SomeUser) => Number(key.slice(5)) % 2 === 0
const timeOf = (user: SomeUser) => (isLate(user) ? time : '2025-03-01T00:00:00.000Z')

test('10,000 users get the values of the SDK of Unleash, or the report says why not', async () => {
  const odd = ['numeric-text', 'odd-number', 'number-in-text', 'partial-version', 'no-time', 'no-id'] as const
  const users = createUsers(10_000, { odd })
  const values = await evaluateAll(users)
  const definitions = definitionsOf(convertUnleash(document))
  expect(definitions.flags).toHaveLength(document.features.length)
  const { flags: compared } = compareAll({
    definitions,
    users,
    contextOf: (user) => ({
      ...plainOf(user),
      ...(!user.odd.has('no-id') && { targetingKey: user.key }),
      sessionId: `s-${user.key}`,
      remoteAddress: '10.1.2.3',
      ...(!user.odd.has('no-time') && { currentTime: timeOf(user) }),
    }),
    theirs: (name, { key }) => values.get(key)?.[name],
    ours: (_value, variation) =>
      variation === 'on' ? 'enabled' : variation === 'off' ? 'disabled' : variation,
  })
  const left = definitions.notes.filter(({ outcome }) => outcome === 'left-out')
  expect(left.map(({ flag, code }) => `${flag} ${code}`).toSorted()).toEqual([
    'cidr operator',
    'of-variants dependency',
    'orphan dependency',
    'unknown strategy',
  ])
  const constant = [...compared].filter(([, { values: its }]) => its.size < 2).map(([name]) => name)
  expect(constant.toSorted()).toEqual(
    [
      'on',
      'off',
      'in-nothing',
      'not-a-number',
      'bad-version',
      'missing-segment',
      'cidr',
      'not-off',
      'orphan',
      'json',
      'all-by-session',
    ].toSorted(),
  )
  const parts = Object.fromEntries(
    ['overrides', 'json', 'variants'].map((key) => [key, definitions.flags.find((flag) => flag.key === key)]),
  )
  expect(parts.overrides).toMatchObject({ valueType: 'number' })
  expect(parts.json?.variations.at(-1)).toMatchObject({ key: 'layout', value: { columns: [1, 2] } })
  expect(parts.variants?.variations.map(({ value }) => value)).toEqual(['', '#f00', '#00f'])
}, 300_000)

/** Properties are text or numbers there. */
function plainOf({ attributes }: SomeUser): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string | number] =>
      ['string', 'number'].includes(typeof entry[1]),
    ),
  )
}

async function evaluateAll(users: readonly SomeUser[]): Promise<Map<string, Record<string, string>>> {
  const unleash = new Unleash({
    url: 'http://127.0.0.1:9/api/',
    appName: 'test',
    refreshInterval: 0,
    disableMetrics: true,
    disableAutoStart: true,
    skipInstanceCountWarning: true,
    storageProvider: new InMemStorageProvider(),
    // The document is the one that the converter reads.
    bootstrap: {
      data: JSON.parse(JSON.stringify(document.features)),
      segments: JSON.parse(JSON.stringify(segments)),
    },
  })
  unleash.on('error', () => {})
  unleash.on('warn', () => {})
  const ready = once(unleash, 'ready')
  await unleash.start()
  await ready
  const values = new Map<string, Record<string, string>>()
  for (const user of users) {
    const context = {
      ...(!user.odd.has('no-id') && { userId: user.key }),
      sessionId: `s-${user.key}`,
      remoteAddress: '10.1.2.3',
      currentTime: new Date(timeOf(user)),
      properties: plainOf(user),
    }
    const all = document.features.map(({ name }) => {
      const { name: variant, enabled, feature_enabled: isOn } = unleash.getVariant(name, context)
      return [name, enabled ? variant : isOn ? 'enabled' : 'disabled']
    })
    values.set(user.key, Object.fromEntries(all))
  }
  unleash.destroy()
  return values
}

test('an export is converted for one environment', () => {
  const exported = {
    features: [{ name: 'banner', description: 'Shows a banner' }],
    featureStrategies: [
      {
        ...strategy([constraint('plan IN', ['pro'])]),
        featureName: 'banner',
        environment: 'production',
        sortOrder: 2,
      },
      { ...strategy([]), featureName: 'banner', environment: 'development' },
      {
        name: 'userWithId',
        parameters: { userIds: 'ann' },
        featureName: 'banner',
        environment: 'production',
        sortOrder: 1,
      },
    ],
    featureEnvironments: [
      { featureName: 'banner', environment: 'production', enabled: true },
      { featureName: 'banner', environment: 'development', enabled: true },
    ],
  }
  expect(readUnleashExport(exported, 'staging')).toHaveProperty('faults')
  const read = readUnleashExport(exported, 'production')
  if ('faults' in read) throw new Error('faults')
  const [banner] = definitionsOf(convertUnleash(read.document, read.from)).flags
  expect(banner?.config.rules.map(({ when: group }) => group.of[0])).toEqual([
    { attribute: 'targetingKey', operator: 'in', values: ['ann'] },
    { attribute: 'plan', operator: 'in', values: ['pro'] },
  ])
})
