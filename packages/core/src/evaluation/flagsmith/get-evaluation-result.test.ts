import { describe, expect, test } from 'vitest'
import type { FeatureState } from '../../contract/flagsmith.ts'
import type { EvaluationContext, FlagsmithValue, SegmentRule } from '../flagsmith-evaluation-context.ts'
import { contextOfDocument, type EnvironmentDocument, overridesOf } from './context-of-document.ts'
import { getEvaluationResult } from './get-evaluation-result.ts'

const environment = { key: 'tTseedClientKey0000001', name: 'Production' }
const variants = [
  { key: 'blue', value: 'blue', weight: 20, priority: 72 },
  { key: 'red', value: 'red', weight: 30, priority: 71 },
]
const colour = { key: '8107', name: 'button_colour', enabled: true, value: 'grey', variants }

function evaluateFor(identifier: string, more: Partial<EvaluationContext> = {}) {
  return getEvaluationResult({
    environment,
    identity: { identifier },
    features: { button_colour: colour },
    ...more,
  })
}

describe('variants are assigned as in the published vectors', () => {
  test.each([
    ['alice', 'blue', 'SPLIT; weight=20', 'blue'],
    ['bob', 'blue', 'SPLIT; weight=20', 'blue'],
    ['carol', 'red', 'SPLIT; weight=30', 'red'],
    ['bucket-7', 'red', 'SPLIT; weight=30', 'red'],
    ['user@example.com', 'grey', 'DEFAULT', 'control'],
  ])('%s', (...[identifier, value, reason, variant]) => {
    expect(evaluateFor(identifier).flags.button_colour).toMatchObject({ value, reason, variant })
  })

  test('without an identity no variant is assigned', () => {
    const { flags } = getEvaluationResult({ environment, features: { button_colour: colour } })
    expect(flags.button_colour).toEqual({
      name: 'button_colour',
      enabled: true,
      value: 'grey',
      reason: 'DEFAULT',
      variant: null,
    })
  })
})

test.each([
  ['alice', false],
  ['bob', false],
  ['bucket-3', true],
  ['ünïcode-Ω', false],
])('a quarter of the identities match as in the published vectors: %s', (identifier, isInside) => {
  const rules: SegmentRule[] = [
    { type: 'ALL', conditions: [{ property: '', operator: 'PERCENTAGE_SPLIT', value: '25' }] },
  ]
  const segments = { quarter: { key: '503', name: 'quarter', rules } }
  expect(evaluateFor(identifier, { segments }).segments).toEqual(isInside ? [{ name: 'quarter' }] : [])
})

const unset = undefined

describe('a condition holds as it does in the clients', () => {
  test.each<[operator: string, value: string, trait: FlagsmithValue | undefined, holds: boolean]>([
    ['EQUAL', '10.0', 10, true],
    ['EQUAL', '10abc', 10, true],
    ['EQUAL', 'yes', true, true],
    ['EQUAL', 'False', false, true],
    ['EQUAL', '', '', true],
    ['EQUAL', 'x', unset, false],
    ['NOT_EQUAL', 'abc', 10, true],
    ['NOT_EQUAL', 'x', unset, false],
    ['GREATER_THAN', '9', '10', false],
    ['GREATER_THAN_INCLUSIVE', '10', 10, true],
    ['LESS_THAN', 'abc', 10, false],
    ['LESS_THAN_INCLUSIVE', 'b', 'a', true],
    ['EQUAL', '1.0.0:semver', 'v1.0.0', true],
    ['NOT_EQUAL', '1.0.0:semver', '1.0.0+b1', true],
    ['LESS_THAN', '1.0.0:semver', '1.0.0-beta', true],
    ['GREATER_THAN', '1.0.0:semver', '1.2', false],
    ['CONTAINS', 'b', 'abc', true],
    ['CONTAINS', '1', 10, false],
    ['NOT_CONTAINS', '1', 10, false],
    ['NOT_CONTAINS', 'x', 'abc', true],
    ['REGEX', 'b', 'abc', true],
    ['REGEX', '(', '(', false],
    ['REGEX', '^1', 10, true],
    ['MODULO', '2|0', '4', true],
    ['MODULO', '3|2', -1, false],
    ['MODULO', '2|1', true, false],
    ['MODULO', '0|0', 4, false],
    ['MODULO', '2', 4, false],
    ['IN', '0', 0, false],
    ['IN', '["1",2]', 2, false],
    ['IN', '["1","2"]', 2, true],
    ['IN', '1.5', 1.5, true],
    ['IN', 'abc, b', 'b', false],
    ['IN', 'true', true, false],
    ['IS_SET', '', 0, true],
    ['IS_SET', '', null, false],
    ['IS_NOT_SET', '', null, true],
    ['IS_NOT_SET', '', '', false],
    ['NONSENSE', '1', 1, false],
  ])('%s %s, trait %j: %s', (...[operator, value, trait, holds]) => {
    const traits = trait === undefined ? {} : { t: trait }
    const rules: SegmentRule[] = [{ type: 'ALL', conditions: [{ property: 't', operator, value }] }]
    const segments = { one: { key: '1', name: 'one', rules } }
    const result = evaluateFor('alice', { identity: { identifier: 'alice', traits }, segments })
    expect(result.segments.length === 1).toBe(holds)
  })

  test.each([
    ['$.identity.identifier', 'alice', true],
    ['$.identity.key', 'alice', false],
    ["$.identity.traits['a b']", 'x', true],
    ['$.environment.name', 'Production', true],
    ['$.nowhere', 'literal', true],
    ['$.identity.traits', 'x', false],
  ])('of %s', (property, value, holds) => {
    const traits = { 'a b': 'x', '$.nowhere': 'literal', '$.environment.name': 'trait' }
    const rules: SegmentRule[] = [{ type: 'ALL', conditions: [{ property, operator: 'EQUAL', value }] }]
    const segments = { one: { key: '1', name: 'one', rules } }
    const result = evaluateFor('alice', { identity: { identifier: 'alice', traits }, segments })
    expect(result.segments.length === 1).toBe(holds)
  })
})

test('nested rules are joined like conditions, and a segment without rules matches no user', () => {
  const yes = { property: '$.identity.identifier', operator: 'EQUAL', value: 'alice' }
  const no = { ...yes, value: 'bob' }
  const isIn = (rules: SegmentRule[]) =>
    evaluateFor('alice', { segments: { one: { key: '1', name: 'one', rules } } }).segments.length === 1
  expect(isIn([])).toBe(false)
  expect(isIn([{ type: 'ANY', conditions: [no, yes] }])).toBe(true)
  expect(isIn([{ type: 'NONE', conditions: [no] }])).toBe(true)
  expect(isIn([{ type: 'NONE', conditions: [no], rules: [{ type: 'ALL', conditions: [yes] }] }])).toBe(false)
  expect(
    isIn([
      {
        type: 'ANY',
        rules: [
          { type: 'ALL', conditions: [no] },
          { type: 'NONE', conditions: [no] },
        ],
      },
    ]),
  ).toBe(true)
  expect(
    isIn([
      { type: 'ALL', conditions: [yes] },
      { type: 'ALL', conditions: [no] },
    ]),
  ).toBe(false)
})

describe('an environment document', () => {
  const state = (value: string, more: Partial<FeatureState> = {}): FeatureState => ({
    feature: { id: 107, name: 'button_colour' },
    enabled: true,
    django_id: 8107,
    feature_state_value: value,
    ...more,
  })
  const everyone = [
    { type: 'ALL' as const, conditions: [{ operator: 'IS_SET', property_: '$.identity.identifier' }] },
  ]
  const document: EnvironmentDocument = {
    api_key: environment.key,
    name: 'Production',
    feature_states: [
      state('grey', {
        multivariate_feature_state_values: [
          { id: 72, percentage_allocation: 20, multivariate_feature_option: { value: 'blue', key: 'blue' } },
          { id: 71, percentage_allocation: 30, multivariate_feature_option: { value: 'red' } },
        ],
      }),
    ],
    project: { segments: [] },
  }

  test('gives the same draw, from the ids it carries', () => {
    const context = { ...contextOfDocument(document), identity: { identifier: 'carol' } }
    expect(getEvaluationResult(context).flags.button_colour).toMatchObject({ value: 'red', variant: null })
  })

  test('the strongest override of a segment wins, and one for the identity over all', () => {
    const segment = (id: number, priority: number | null) => ({
      id,
      name: `segment-${id}`,
      rules: everyone,
      feature_states: [state(`from-${id}`, { feature_segment: { priority } })],
    })
    const project = { segments: [segment(3, 2), segment(2, 1), segment(1, 1), segment(4, null)] }
    const context = { ...contextOfDocument({ ...document, project }), identity: { identifier: 'carol' } }
    expect(getEvaluationResult(context).flags.button_colour).toMatchObject({
      value: 'from-1',
      reason: 'TARGETING_MATCH; segment=segment-1',
    })

    const own = overridesOf({ identifier: 'carol', identity_features: [state('hers')] })
    const segments = { ...context.segments, own }
    expect(getEvaluationResult({ ...context, segments }).flags.button_colour).toMatchObject({
      value: 'hers',
      reason: 'TARGETING_MATCH; segment=identity_overrides',
    })
  })
})
