// Flags made here, said in Flagsmith's words: its own engine gives everybody what our evaluation gives, and what it could not
// give is not said.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Condition } from '@telltale/core/contract/conditions'
import type { Serve } from '@telltale/core/contract/flag-config'
import { compileRuleSet } from '@telltale/core/evaluation/compile'
import { evaluate } from '@telltale/core/evaluation/evaluate'
import { contextOfDocument, overridesOf } from '@telltale/core/evaluation/flagsmith/context-of-document'
import { exportDocument, exportOverrides } from '@telltale/core/evaluation/flagsmith/export-document'
import { flagEntry } from '@telltale/core/evaluation/flagsmith/flag-entry'
import { assignRanges } from '@telltale/core/evaluation/ranges'
import type { FlagDefinition, SegmentDefinition } from '@telltale/core/evaluation/rule-set'
import { type Flags, Flagsmith, LocalFileHandler } from 'flagsmith-nodejs'
import { expect, test } from 'vitest'

const apiKey = 'exported-environment'

const segments: SegmentDefinition[] = [
  { key: 'payers', when: { match: 'any', of: [is('plan', 'equals', 'pro'), is('plan', 'equals', 'team')] } },
  { key: 'nobody', when: { match: 'any', of: [] } },
  {
    key: 'grown',
    when: { match: 'all', of: [{ attribute: 'age', operator: 'greater-or-equal', value: 18 }] },
  },
]

function is(
  attribute: string,
  operator: 'equals' | 'not-equals',
  value: string | number | boolean,
): Condition {
  return { attribute, operator, value }
}

/** What can be said, one flag for each. */
const said: Record<string, Condition[]> = {
  equals: [is('plan', 'equals', 'pro')],
  'equals-nothing': [is('plan', 'equals', '')],
  'equals-number': [is('age', 'equals', 30)],
  'equals-boolean': [is('beta', 'equals', false)],
  'not-equals': [is('plan', 'not-equals', 'free')],
  in: [{ attribute: 'plan', operator: 'in', values: ['pro', 'a,b', '', 'free'] }],
  'not-in': [{ attribute: 'age', operator: 'not-in', values: [30, 31, 0] }],
  contains: [{ attribute: 'email', operator: 'contains', value: '@shop.' }],
  'not-contains': [{ attribute: 'email', operator: 'not-contains', value: '+' }],
  starts: [{ attribute: 'email', operator: 'starts-with', value: 'user-1' }],
  ends: [{ attribute: 'email', operator: 'ends-with', value: '.example' }],
  matches: [{ attribute: 'email', operator: 'matches', value: '^user-\\d*[05]@' }],
  'not-matches': [{ attribute: 'email', operator: 'not-matches', value: '(?:7|8)@' }],
  between: [
    { attribute: 'age', operator: 'greater', value: 20 },
    { attribute: 'age', operator: 'less-or-equal', value: 40.5 },
  ],
  semver: [{ attribute: 'version', operator: 'semver-greater-or-equal', value: '2.0.0-rc.1' }],
  'semver-equal': [{ attribute: 'version', operator: 'semver-equals', value: '2.0.0' }],
  modulo: [{ attribute: 'balance', operator: 'modulo', divisor: 3, remainder: 2 }],
  'modulo-nothing': [{ attribute: 'balance', operator: 'modulo', divisor: 4, remainder: 0 }],
  set: [{ attribute: 'plan', operator: 'is-set' }],
  'not-set': [{ attribute: 'plan', operator: 'is-not-set' }],
  member: [{ operator: 'in-segment', segment: 'payers' }],
  'no-member': [{ operator: 'not-in-segment', segment: 'grown' }],
  'of-nobody': [{ operator: 'in-segment', segment: 'nobody' }],
  'of-none': [{ operator: 'not-in-segment', segment: 'missing' }],
  named: [{ attribute: 'targetingKey', operator: 'ends-with', value: '7' }],
}

/** What cannot, and why. */
const unsaid: Record<string, Partial<FlagDefinition['config']>> = {
  percentage: rule([{ attribute: 'targetingKey', operator: 'percentage', weight: 50_000, seed: 's' }]),
  date: rule([{ attribute: 'since', operator: 'less', value: '2026-01-01T00:00:00Z' }]),
  'any-case': rule([{ attribute: 'plan', operator: 'matches', value: '(?i)PRO' }]),
  'end-of-text': rule([{ attribute: 'plan', operator: 'not-matches', value: 'pro\\z' }]),
  split: { fallthrough: halves() },
  prerequisite: { prerequisites: [{ flag: 'set', variation: 'on' }] },
}

function halves(): Serve {
  const arms = assignRanges(undefined, [
    { variation: 'on', weight: 50_000 },
    { variation: 'off', weight: 50_000 },
  ])
  return { split: { id: '1', epoch: 1, by: 'targetingKey', arms } }
}

function rule(
  of: Condition[],
  match: 'all' | 'any' | 'none' = 'all',
): Pick<FlagDefinition['config'], 'rules'> {
  const id = `0190a1c0-0000-7000-8000-${match.padStart(12, '0')}`
  return { rules: [{ id, description: '', when: { match, of }, serve: { variation: 'on' } }] }
}

function flagOf(key: string, config: Partial<FlagDefinition['config']>): FlagDefinition {
  return {
    key,
    valueType: 'boolean',
    variations: [
      { key: 'on', value: true },
      { key: 'off', value: false },
    ],
    clientVisible: true,
    config: {
      enabled: true,
      offVariation: 'off',
      prerequisites: [],
      rules: [],
      fallthrough: { variation: 'off' },
      salt: key,
      ...config,
    },
    overrides: new Map([['user-13', 'on']]),
  }
}

const overall: Record<string, Partial<FlagDefinition['config']>> = {
  'any-of': rule([is('plan', 'equals', 'pro'), is('age', 'equals', 30)], 'any'),
  'none-of': rule([is('plan', 'equals', 'pro'), is('age', 'equals', 30)], 'none'),
  'switched-off': { ...rule([is('plan', 'equals', 'pro')]), enabled: false },
  'without-rules': { fallthrough: { variation: 'on' } },
}

const flags = [
  ...Object.entries(said).map(([key, of]) => flagOf(key, rule(of))),
  ...Object.entries(overall).map(([key, config]) => flagOf(key, config)),
  ...Object.entries(unsaid).map(([key, config]) => flagOf(key, config)),
]

function contextAt(index: number) {
  const plans = ['free', 'pro', 'team', '', 'a,b', undefined]
  const versions = ['1.9.9', '2.0.0-rc.1', '2.0.0', '2.0.0+b7', '10.0.0', 'none']
  const plan = plans[index % plans.length]
  return {
    ...(plan === undefined ? {} : { plan }),
    ...(index % 7 === 0 ? {} : { age: index % 50 }),
    balance: (index % 25) - 12,
    beta: index % 3 === 0,
    email: `user-${index}${index % 4 === 0 ? '+tag' : ''}@${index % 5 === 0 ? 'shop.' : ''}mail.example`,
    version: versions[index % versions.length] ?? '',
    since: '2025-06-01T00:00:00Z',
  }
}

test('ten thousand identities get the same from its engine and ours, for every exportable flag', async () => {
  const { states, segments: exported, leftOut, ids } = exportDocument({ flags, segments })
  expect(leftOut.sort()).toEqual(Object.keys(unsaid).sort())

  const byKey = new Map(flags.map((flag) => [flag.key, flag]))
  const owned = [...byKey.keys()].filter((key) => !leftOut.includes(key))
  const document = {
    id: 1,
    api_key: apiKey,
    name: 'Exported',
    updated_at: '2026-01-01T00:00:00Z',
    feature_states: states,
    project: {
      id: 1,
      name: 'Project',
      hide_disabled_flags: false,
      segments: exported,
      organisation: {
        id: 1,
        name: 'Telltale',
        feature_analytics: false,
        stop_serving_flags: false,
        persist_trait_data: true,
      },
    },
    identity_overrides: [
      {
        identifier: 'user-13',
        environment_api_key: apiKey,
        created_date: '2026-01-01T00:00:00Z',
        identity_uuid: 'f0000000-0000-4000-8000-000000000013',
        identity_traits: [],
        identity_features: exportOverrides(
          byKey,
          ids,
          owned.map((key) => [key, 'on'] as const),
        ),
      },
    ],
  }
  const folder = await mkdtemp(join(tmpdir(), 'telltale-export-'))
  await writeFile(join(folder, 'environment.json'), JSON.stringify(document))
  const offlineHandler = new LocalFileHandler(join(folder, 'environment.json'))
  await rm(folder, { recursive: true })
  const client = new Flagsmith({ environmentKey: 'none', offlineMode: true, offlineHandler })
  const ruleSet = compileRuleSet({ flags, segments })
  const different = new Map<string, number>()
  for (let index = 0; index < 10_000; index++) {
    const [identifier, traits] = [`user-${index}`, contextAt(index)]
    const theirs: Flags = await client.getIdentityFlags(identifier, traits)
    for (const key of owned) {
      const flag = byKey.get(key)
      if (flag === undefined) continue
      const evaluation = evaluate(ruleSet, key, { ...traits, targetingKey: identifier })
      const { enabled } = flagEntry(flag, evaluation, { hasIdentity: true, nameOfSegment: (name) => name })
      if (theirs.isFeatureEnabled(key) !== enabled) different.set(key, (different.get(key) ?? 0) + 1)
    }
  }
  expect(Object.fromEntries(different)).toEqual({})
  await client.close()
  // The pure function over the document agrees too.
  const context = contextOfDocument(document)
  const [own] = document.identity_overrides.map(overridesOf)
  expect(context.features).toHaveProperty('equals')
  expect(own?.overrides).toHaveLength(owned.length - 1)
})
