// An exclusion is an ordinary rule: it serves the control to its slice, but for a probe that is chosen apart from the split.
import { expect, test } from 'vitest'
import type { ConditionGroup } from '../contract/conditions.ts'
import type { FlagConfig } from '../contract/flag-config.ts'
import { compileRuleSet } from './compile.ts'
import { evaluate } from './evaluate.ts'
import { type ExclusionRule, withExclusions } from './exclusion-rules.ts'

const place = '01900000-0000-7000-8000-000000000001'
const exclusion: ExclusionRule = {
  id: '7c0a3f6e-90f5-4a5c-9a0d-2f4a4a5b8c11',
  attribute: 'request.browser',
  value: 'Safari',
  probe: 10_000,
  by: 'targetingKey',
}
const split = {
  split: {
    id: '7',
    epoch: 2,
    by: 'targetingKey',
    arms: [
      { variation: 'on', weight: 50_000, ranges: [[0, 50_000] as [number, number]] },
      { variation: 'off', weight: 50_000, ranges: [[50_000, 100_000] as [number, number]] },
    ],
  },
}
const inPortugal: ConditionGroup = {
  match: 'all',
  of: [{ attribute: 'country', operator: 'equals', value: 'PT' }],
}

function compiled(config: Pick<FlagConfig, 'rules' | 'fallthrough'>) {
  const rules = compileRuleSet({
    flags: [
      {
        ...{ key: 'checkout', valueType: 'boolean', clientVisible: true, overrides: new Map() },
        variations: [
          { key: 'on', value: true },
          { key: 'off', value: false },
        ],
        config: { enabled: true, offVariation: 'off', prerequisites: [], salt: 'salt', ...config },
      },
    ],
    segments: [],
  })
  return (context: object) => evaluate(rules, 'checkout', context)
}

const users = Array.from({ length: 4_000 }, (_, index) => `user-${index}`)

test('users of the slice get the control, but for the probe, which is split as before; all others are untouched', () => {
  const before = { rules: [], fallthrough: split }
  const after = {
    ...before,
    rules: withExclusions([], [exclusion], { place: 'fallthrough', control: 'off' }),
  }
  const [serve, serveBefore] = [compiled(after), compiled(before)]
  const served = users.map((targetingKey) => ({
    safari: serve({ targetingKey, 'request.browser': 'Safari' }),
    chrome: serve({ targetingKey, 'request.browser': 'Chrome' }),
    unknown: serve({ targetingKey }),
    usual: serveBefore({ targetingKey }),
  }))
  for (const { safari, chrome, unknown, usual } of served) {
    expect(chrome).toEqual(usual)
    expect(unknown).toEqual(usual)
    if (safari.split === undefined) expect(safari.variation).toBe('off')
    else expect(safari).toEqual(usual)
  }
  const probe = served.filter(({ safari }) => safari.split !== undefined)
  expect(probe.length / users.length).toBeCloseTo(0.1, 1)
  expect(probe.filter(({ safari }) => safari.variation === 'on').length / probe.length).toBeCloseTo(0.5, 1)
})

test('before a rule, it is within its conditions: others reach later rules', () => {
  const rules = withExclusions(
    [{ id: place, description: '', when: inPortugal, serve: split }],
    [{ ...exclusion, probe: 0 }],
    { place, control: 'off' },
  )
  const serve = compiled({ rules, fallthrough: { variation: 'on' } })
  const safari = { 'request.browser': 'Safari' }
  for (const targetingKey of users.slice(0, 50)) {
    expect(serve({ targetingKey, country: 'PT', ...safari })).toMatchObject({ variation: 'off' })
    expect(serve({ targetingKey, country: 'ES', ...safari })).toMatchObject({ variation: 'on' })
    expect(serve({ targetingKey, country: 'PT' }).split).toBeDefined()
  }
})

test('without its place it is left out', () => {
  expect(withExclusions([], [exclusion], { place, control: 'off' })).toEqual([])
})
