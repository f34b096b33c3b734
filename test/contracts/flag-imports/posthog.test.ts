// Imported flags of PostHog beside its Node SDK, which evaluates locally what a server serves it.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { PostHogCondition, PostHogDocument, PostHogProperty } from '@telltale/core/contract/posthog'
import { convertPostHog } from '@telltale/core/flag-imports/posthog/convert'
import { PostHog } from 'posthog-node'
import { expect, test } from 'vitest'
import { compareAll, definitionsOf } from './compare.ts'
import { createUsers, type SomeUser } from './users.ts'

/** `named`: the property and the operator. */
const property = (named: string, value: unknown, more: object = {}): PostHogProperty => {
  const [key = '', operator = ''] = named.split(' ')
  return { key, operator, value, type: 'person', ...more }
}
const condition = (
  properties: PostHogProperty[],
  more: Partial<PostHogCondition> = {},
): PostHogCondition => ({
  properties,
  rollout_percentage: 100,
  ...more,
})
type Filters = NonNullable<PostHogDocument['flags'][number]['filters']>
const of = (groups: PostHogCondition[], more: Partial<Filters> = {}) => ({
  active: true,
  filters: { groups, ...more },
})
const when = (...properties: PostHogProperty[]) => of([condition(properties)])
const cohort = (id: number, operator = 'in') => ({ key: 'id', type: 'cohort', value: id, operator })
const dependency = (key: string, value: unknown) => ({
  key,
  type: 'flag',
  value,
  operator: 'flag_evaluates_to',
  dependency_chain: [key],
})
const variants = (...shares: number[]) => ({
  multivariate: { variants: shares.map((share, index) => ({ key: `v${index}`, rollout_percentage: share })) },
})

const flags: Record<string, Omit<PostHogDocument['flags'][number], 'key'>> = {
  everyone: of([condition([])]),
  inactive: { ...of([condition([])]), active: false },
  nothing: of([]),
  exact: when(property('plan exact', 'pro')),
  'exact-list': when(property('plan exact', ['PRO', 'team'])),
  'exact-long-list': when(
    property(
      'email exact',
      Array.from({ length: 40 }, (_, index) => `user${index * 7}@acme.com`),
    ),
  ),
  'is-not': when(property('plan is_not', ['pro', 'free'])),
  zip: when(property('zip exact', ['10001', '10002'])),
  truth: when(property('beta exact', ['true'])),
  untruth: when(property('beta exact', 'false')),
  icontains: when(property('email icontains', 'EXAMPLE')),
  'not-icontains': when(property('email not_icontains', 'acme')),
  'starts-with': when(property('email starts_with', 'USER1')),
  'not-ends-with': when(property('email not_ends_with', '.com')),
  regex: when(property('email regex', '^user\\d*[05]@')),
  'not-regex': when(property('email not_regex', '@acme\\.')),
  gt: when(property('age gt', '30')),
  gte: when(property('age gte', 30)),
  lt: when(property('age lt', '30')),
  lte: when(property('score lte', '50')),
  after: when(property('createdAt is_date_after', '2024-08-01T00:00:00Z')),
  before: when(property('createdAt is_date_before', '2024-08-01')),
  relative: when(property('createdAt is_date_after', '-30d')),
  'is-set': when(property('country is_set', 'is_set')),
  'semver-eq': when(property('version semver_eq', '1.4.0')),
  'semver-neq': when(property('version semver_neq', '1.4.0')),
  'semver-gt': when(property('version semver_gt', '1.4.2')),
  'semver-gte': when(property('version semver_gte', '1.4')),
  'semver-lt': when(property('version semver_lt', '2.1.0')),
  'semver-lte': when(property('version semver_lte', '2.1.0')),
  'semver-tilde': when(property('version semver_tilde', '1.4.1')),
  'semver-caret': when(property('version semver_caret', '0.3.1')),
  'semver-wildcard': when(property('version semver_wildcard', '2.*')),
  both: when(property('plan exact', 'pro'), property('country is_not', 'DE')),
  either: of([condition([property('plan exact', 'pro')]), condition([property('country exact', 'DE')])]),
  none: of([condition([property('plan exact', 'pro')], { rollout_percentage: 0 })]),
  cohort: when(cohort(1)),
  'not-cohort': when(cohort(1, 'not_in')),
  'nested-cohort': when(cohort(2)),
  'static-cohort': when(cohort(9)),
  parent: when(property('plan exact', ['pro', 'team'])),
  child: when(dependency('parent', true), property('country exact', ['DE', 'FR'])),
  'not-parent': when(dependency('parent', false)),
  'half-parent': of([condition([dependency('parent', true)]), condition([property('country exact', 'DE')])]),
  forced: of(
    [
      condition([property('plan exact', 'pro')], { variant: 'v1' }),
      condition([property('country exact', 'DE')], { variant: 'v0' }),
    ],
    variants(50, 50),
  ),
  'of-variant': when(dependency('forced', 'v1')),
  company: of([condition([property('plan exact', 'pro', { type: 'group' })])], {
    aggregation_group_type_index: 0,
  }),
  percentage: of([condition([], { rollout_percentage: 30 })]),
  early: of(
    [
      condition([property('plan exact', 'pro')], { rollout_percentage: 50 }),
      condition([property('country is_set', '')]),
    ],
    { early_exit: true },
  ),
  split: of([condition([property('plan is_not', 'free')])], variants(20, 30, 50)),
  'split-rest': of([condition([])], variants(20, 30)),
  payload: of([condition([])], { payloads: { true: '"text"' } }),
}

const cohorts = {
  1: {
    type: 'OR',
    values: [
      { type: 'AND', values: [property('plan exact', 'pro'), property('age gt', '20')] },
      {
        type: 'AND',
        values: [property('country exact', ['FR']), property('plan exact', 'free', { negation: true })],
      },
    ],
  },
  2: { type: 'AND', values: [{ type: 'cohort', value: 1, key: 'id' }, property('score gt', '10')] },
}

const document: PostHogDocument = {
  flags: Object.entries(flags).map(([key, flag]) => ({ key, ...flag })),
  group_type_mapping: { 0: 'company' },
  cohorts,
  property_matching_version: 2,
}

/** Properties of a person are flat there. */
const propertiesOf = ({ attributes: { address: _address, tags: _tags, ...attributes } }: SomeUser) => ({
  ...attributes,
  zip: '10001',
})

test('10,000 users get the values of the SDK of PostHog, or the report says why not', async () => {
  const users = createUsers(10_000, {
    odd: ['numeric-text', 'number-in-text', 'partial-version', 'odd-date'],
  })
  const values = await evaluateAll(users)
  const definitions = definitionsOf(convertPostHog(document))
  expect(definitions.flags).toHaveLength(document.flags.length)
  const { flags: compared } = compareAll({
    definitions,
    users,
    contextOf: (user) => ({
      ...propertiesOf(user),
      targetingKey: user.key,
      ...(user.company && { company: user.company }),
    }),
    theirs: (key, { key: its }) => values.get(its)?.[key],
    ours: (value) => (value === '' ? false : value === 'true' ? true : value),
  })
  const left = definitions.notes.filter(({ outcome }) => outcome === 'left-out')
  expect(left.map(({ flag, code }) => `${flag} ${code}`).toSorted()).toEqual([
    'half-parent dependency',
    'payload payload',
    'relative relative-date',
    'static-cohort segment',
  ])
  const constant = [...compared].filter(([, its]) => its.values.size < 2).map(([key]) => key)
  // Its SDK decides only what it is given, so a property that is set, and a static cohort, have one value.
  expect(constant.toSorted()).toEqual(
    [
      'everyone',
      'inactive',
      'nothing',
      'none',
      'is-set',
      'zip',
      'payload',
      'static-cohort',
      'relative',
    ].toSorted(),
  )
  const decided = [...compared].filter(([, its]) => its.compared < 7_000).map(([key]) => key)
  expect(decided.toSorted()).toEqual(['static-cohort'])
}, 300_000)

async function evaluateAll(users: readonly SomeUser[]): Promise<Map<string, Record<string, unknown>>> {
  const server = createServer((request, response) => {
    const isDefinitions = request.url?.startsWith('/flags/definitions')
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isDefinitions ? document : { flags: {} }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const restore = digestHere()
  const posthog = new PostHog('phc_test', {
    host: `http://127.0.0.1:${address.port}`,
    personalApiKey: 'phx_test',
    disableGeoip: true,
  })
  try {
    expect(await posthog.waitForLocalEvaluationReady(10_000)).toBe(true)
    const values = new Map<string, Record<string, unknown>>()
    for (const user of users) {
      const { company } = user
      const all = await posthog.getAllFlags(user.key, {
        personProperties: propertiesOf(user) as never,
        ...(company && { groups: { company: company.key }, groupProperties: { company: company as never } }),
        onlyEvaluateLocally: true,
      })
      values.set(user.key, all)
    }
    return values
  } finally {
    restore()
    await posthog.shutdown()
    server.close()
  }
}

/** The digests of its SDK without a job in another thread for each: there are hundreds of thousands. */
function digestHere(): () => void {
  const value = async (name: string, text: Uint8Array) => {
    if (name !== 'SHA-1') throw new Error(`its SDK digests with ${name}`)
    return Uint8Array.from(createHash('sha1').update(text).digest()).buffer
  }
  Object.defineProperty(crypto.subtle, 'digest', { value, configurable: true })
  return () => Reflect.deleteProperty(crypto.subtle, 'digest')
}
