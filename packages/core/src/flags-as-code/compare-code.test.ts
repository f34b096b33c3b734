import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  environmentKeys,
  type GeneratedProject,
  generatedProject,
} from '../../../../test/generated-project.ts'
import type { FlagConfigDraft } from '../contract/flag-config.ts'
import { checkCode } from './check-code.ts'
import { type CodeState, type CodeTarget, compareCode, type SavedFlag } from './compare-code.ts'
import { compactFlag, compactSegment, completeFlag, completeSegment, type FlagContent } from './content.ts'
import { matchRules } from './match-rules.ts'

const none = { metrics: new Map(), rolloutTemplates: new Map(), alerts: new Map(), dashboards: new Map() }
const targetOf = ({ flags, segments }: GeneratedProject): CodeTarget => ({ ...none, flags, segments })

/** As a server would have saved it: every rule has an id. */
function savedOf({ flags, segments }: GeneratedProject): CodeState {
  const withIds = (key: string, config: FlagConfigDraft, env: string) => ({
    ...config,
    rules: config.rules.map((rule, index) => ({ ...rule, id: `${key} ${env} ${index}` })),
  })
  const saved = [...flags].map(([key, flag]): [string, SavedFlag] => {
    const environments = Object.entries(flag.environments).map(([env, config]) => [
      env,
      withIds(key, config, env),
    ])
    return [key, { ...flag, environments: Object.fromEntries(environments), isArchived: false }]
  })
  return { ...none, flags: new Map(saved), segments }
}

test('what is written is read again as it was, and differs in nothing', () => {
  fc.assert(
    fc.property(generatedProject(6), (project) => {
      const written = [...project.flags].map(
        ([key, flag]) => [key, JSON.stringify(compactFlag(flag))] as const,
      )
      const flags = new Map(written.map(([key, text]) => [key, completeFlag(JSON.parse(text))]))
      const segments = new Map(
        [...project.segments].map(([key, one]) => [key, completeSegment(compactSegment(one))]),
      )
      const target = { ...none, flags, segments }
      expect(compareCode({ state: savedOf(project), target, applied: [], prune: false })).toEqual([])
      const again = [...flags].map(([key, flag]) => [key, JSON.stringify(compactFlag(flag))])
      expect(again).toEqual(written)
    }),
    { numRuns: 300 },
  )
})

test('an application of the plan leads to the target, whatever was there', () => {
  fc.assert(
    fc.property(generatedProject(4), generatedProject(4), (before, after) => {
      const state = savedOf(before)
      const changes = compareCode({ state, target: targetOf(after), applied: [], prune: false })
      const next = new Map(state.flags)
      for (const { kind, key, env, draft } of changes) {
        const flag = kind === 'flags' ? after.flags.get(key) : undefined
        const was = next.get(key)
        if (flag === undefined) continue
        const environments = { ...was?.environments }
        if (env !== null && draft !== undefined) environments[env] = draft
        next.set(
          key,
          env === null
            ? { ...flag, environments, isArchived: false }
            : { ...(was ?? { ...flag, isArchived: false }), environments },
        )
      }
      const left = compareCode({
        state: { ...state, flags: next, segments: after.segments },
        target: targetOf(after),
        applied: [],
        prune: false,
      })
      // New rules get their ids from the server; what they say is the same.
      expect(
        left.filter(({ draft }) => draft === undefined || draft.rules.every(({ id }) => id !== undefined)),
      ).toEqual([])
    }),
    { numRuns: 100 },
  )
})

test('the checks accept every generated project on an empty server', () => {
  fc.assert(
    fc.property(generatedProject(5), (project) => {
      const state = { ...none, flags: new Map(), segments: new Map() }
      const target = targetOf(project)
      const changes = compareCode({ state, target, applied: [], prune: false })
      expect(checkCode({ state, target, changes, environments: environmentKeys })).toEqual([])
    }),
    { numRuns: 100 },
  )
})

const flag = (more: Partial<FlagContent> = {}): FlagContent => ({
  ...completeFlag({ name: 'A flag', valueType: 'boolean' }),
  ...more,
})
const on = (more: Partial<FlagConfigDraft> = {}): FlagConfigDraft => ({
  enabled: true,
  offVariation: 'off',
  prerequisites: [],
  rules: [],
  fallthrough: { variation: 'on' },
  ...more,
})
const when = (plan: string) => ({
  match: 'all' as const,
  of: [{ attribute: 'plan', operator: 'equals' as const, value: plan }],
})

test('a rule keeps its id while something of it stays, so that its users keep their buckets', () => {
  const rule = (id: string, plan: string, description = '') => ({
    id,
    description,
    when: when(plan),
    serve: {
      split: [
        { variation: 'on', weight: 1_000 },
        { variation: 'off', weight: 99_000 },
      ],
      by: 'targetingKey',
    },
  })
  const saved = [rule('one', 'pro', 'Paying'), rule('two', 'free'), rule('three', 'team')]
  const { id: _one, ...one } = rule('', 'company', 'Paying')
  const { id: _two, ...two } = { ...rule('', 'free'), serve: { variation: 'on' } }
  const { id: _new, ...added } = { ...rule('', 'nobody'), serve: { variation: 'off' } }
  expect(matchRules(saved, [two, added, one]).map(({ id }) => id)).toEqual(['two', undefined, 'one'])
})

test('dangling references and what would break others are faults with their place', () => {
  const inSegment = { match: 'all' as const, of: [{ operator: 'in-segment' as const, segment: 'gone' }] }
  const rules = [{ description: '', when: inSegment, serve: { variation: 'maybe' } }]
  const requires = [{ flag: 'base', variation: 'on' }]
  const saved: [string, SavedFlag][] = [
    ['base', { ...flag({ environments: { production: on() } }), isArchived: false }],
    [
      'other',
      { ...flag({ environments: { production: on({ prerequisites: requires }) } }), isArchived: false },
    ],
  ]
  const state = { ...none, flags: new Map(saved), segments: new Map() }
  const target = {
    ...none,
    flags: new Map([
      [
        'new',
        flag({
          environments: {
            production: on({ rules, prerequisites: [{ flag: 'nowhere', variation: 'on' }] }),
            moon: on(),
          },
        }),
      ],
    ]),
    segments: new Map(),
  }
  const applied = [{ kind: 'flags' as const, key: 'base', isInFolder: true }]
  const changes = compareCode({ state, target, applied, prune: true })
  const faults = checkCode({ state, target, changes, environments: ['production'] })
  expect(faults.map(({ pointer }) => pointer)).toEqual([
    '/flags/new/environments/moon',
    '/flags/new/environments/production/prerequisites/0/flag',
    '/flags/new/environments/production/rules/0/when/of/0/segment',
    '/flags/new/environments/production/rules/0/serve/variation',
    '/flags/base',
  ])
  expect(faults.at(-1)?.message).toBe('"other" in production requires "base" with "on".')
})

test('cycles among new flags are found, and order does not matter', () => {
  const requiring = (key: string) =>
    flag({ environments: { production: on({ prerequisites: [{ flag: key, variation: 'on' }] }) } })
  const state = { ...none, flags: new Map(), segments: new Map() }
  const check = (flags: Map<string, FlagContent>) => {
    const target = { ...none, flags, segments: new Map() }
    return checkCode({
      state,
      target,
      changes: compareCode({ state, target, applied: [], prune: false }),
      environments: ['production'],
    })
  }
  expect(
    check(
      new Map([
        ['a', requiring('b')],
        ['b', flag()],
      ]),
    ),
  ).toEqual([])
  const circle = check(
    new Map([
      ['a', requiring('b')],
      ['b', requiring('a')],
    ]),
  )
  expect(circle.map(({ message }) => message)).toContain('The prerequisites form a cycle: a → b → a.')
})

test('what is gone from the folder stays, unless it is pruned', () => {
  const saved: [string, SavedFlag][] = [['old', { ...flag(), isArchived: false }]]
  const state = { ...none, flags: new Map(saved), segments: new Map() }
  const target = { ...none, flags: new Map(), segments: new Map() }
  const actions = (isInFolder: boolean, prune: boolean) =>
    compareCode({ state, target, applied: [{ kind: 'flags', key: 'old', isInFolder }], prune }).map(
      ({ action }) => action,
    )
  expect(actions(true, false)).toEqual(['forget'])
  expect(actions(false, false)).toEqual([])
  expect(actions(false, true)).toEqual(['remove'])
})
