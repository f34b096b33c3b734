import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Serve } from '../../contract/flag-config.ts'
import type { FeatureState, FlagsmithDocument } from '../../contract/flagsmith.ts'
import { compileRuleSet } from '../compile.ts'
import { evaluate } from '../evaluate.ts'
import type { FlagDefinition, RuleSetDefinition } from '../rule-set.ts'
import { contextOfDocument, overridesOf } from './context-of-document.ts'
import { exportDocument, exportOverrides } from './export-document.ts'
import { flagEntry } from './flag-entry.ts'
import { getEvaluationResult } from './get-evaluation-result.ts'
import { type ImportedDocument, type ImportedServe, importDocument } from './import-document.ts'

const apiKey = 'tTseedClientKey0000001'
const identifiers = ['alice', 'bob', 'carol', 'ünïcode-Ω', 'bucket-7'] as const

const value = fc.oneof(fc.constantFrom(null, '', 'grey', 'red', '{"a":1}'), fc.integer(), fc.boolean())
const shares = fc.array(fc.constantFrom(0, 5, 33.33, 33.3333, 20, 12.5), { maxLength: 3 })

const stateOf = (id: number) =>
  fc
    .record({
      enabled: fc.boolean(),
      value,
      shares,
      key: fc.integer({ min: 1, max: 9_999 }),
      isToggle: fc.boolean(),
    })
    .map(
      ({ enabled, value: given, shares: parts, key, isToggle }): FeatureState => ({
        feature: { id, name: `Feature ${id}`, type: 'STANDARD' },
        enabled,
        feature_state_value: isToggle ? null : given,
        django_id: key,
        multivariate_feature_state_values: isToggle
          ? []
          : parts.map((share, index) => ({
              id: 100 - index,
              percentage_allocation: share,
              multivariate_feature_option: {
                id: index,
                value: `option ${index}`,
                key: index === 0 ? null : `o${index}`,
              },
            })),
      }),
    )

const condition = fc.record({
  operator: fc.constantFrom(
    'EQUAL',
    'NOT_EQUAL',
    'GREATER_THAN',
    'IN',
    'CONTAINS',
    'REGEX',
    'MODULO',
    'IS_SET',
    'IS_NOT_SET',
    'PERCENTAGE_SPLIT',
    'NONSENSE',
  ),
  property_: fc.constantFrom(
    '',
    'plan',
    'age',
    '$.identity.identifier',
    '$.identity.traits.plan',
    '$.environment.name',
  ),
  value: fc.constantFrom('', 'pro', '30', '2|0', 'pro,free', '["pro"]', 'Production', '50', 'alice'),
})
const rule = fc.letrec((tie) => ({
  rule: fc.record({
    type: fc.constantFrom('ALL' as const, 'ANY' as const, 'NONE' as const),
    conditions: fc.array(condition, { maxLength: 2 }),
    rules: fc.oneof({ maxDepth: 1 }, fc.constant([]), fc.array(tie('rule'), { maxLength: 2 })),
  }),
})).rule

const featureIds = [11, 12, 13] as const
const documents = fc
  .record({
    states: fc.tuple(...featureIds.map(stateOf)),
    segments: fc.array(
      fc.record({
        rules: fc.array(rule, { maxLength: 2 }),
        states: fc.tuple(...featureIds.map((id) => fc.option(stateOf(id)))),
        priority: fc.option(fc.integer({ min: 0, max: 3 })),
      }),
      { maxLength: 3 },
    ),
    overrides: fc.uniqueArray(
      fc.record({ identifier: fc.constantFrom(...identifiers), states: fc.tuple(stateOf(11)) }),
      {
        selector: ({ identifier }) => identifier,
        maxLength: 2,
      },
    ),
  })
  .map(({ states, segments, overrides }) => {
    const document: unknown = {
      api_key: apiKey,
      name: 'Production',
      feature_states: states,
      project: {
        segments: segments.map(({ rules, states: own, priority }, index) => ({
          id: 500 - index,
          name: 'The same name',
          rules,
          feature_states: own.flatMap((state) =>
            state === null ? [] : [{ ...state, feature_segment: { priority } }],
          ),
        })),
      },
      identity_overrides: overrides.map(({ identifier, states: own }) => ({
        identifier,
        identity_features: own,
      })),
    }
    return document as FlagsmithDocument
  })

const traits = fc.record(
  { plan: fc.constantFrom('pro', 'free', 30, true, ''), age: fc.constantFrom(30, '30', 31, 0, null) },
  { requiredKeys: [] },
)

/** The rule set as the server saves it. */
function ruleSetOf({ flags, segments }: ImportedDocument): RuleSetDefinition {
  let splits = 0
  const saved = (serve: ImportedServe): Serve => {
    if ('variation' in serve) return serve
    splits += 1
    const arms = serve.arms.map((arm) => ({ ...arm, ranges: [] }))
    const bucketing = { kind: 'flagsmith', environmentKey: apiKey, stateKey: serve.stateKey } as const
    return { split: { id: String(splits), epoch: 1, by: 'targetingKey', arms, bucketing } }
  }
  return {
    segments: segments.map(({ id, key, name, when }) => ({ key, when, flagsmith: { id, name } })),
    flags: flags.map(
      ({
        key,
        valueType,
        variations,
        clientVisible,
        feature,
        enabled,
        offVariation,
        rules,
        fallthrough,
        overrides,
      }): FlagDefinition => ({
        key,
        valueType,
        variations,
        clientVisible,
        flagsmith: feature,
        overrides,
        config: {
          enabled,
          offVariation,
          prerequisites: [],
          rules: rules.map(({ segment, serve }) => ({
            id: segment,
            description: '',
            when: { match: 'all', of: [{ operator: 'in-segment', segment }] },
            serve: saved(serve),
          })),
          fallthrough: saved(fallthrough),
          salt: key,
        },
      }),
    ),
  }
}

test('every identity gets the same value, state, variant and reason as from Flagsmith', () => {
  fc.assert(
    fc.property(documents, fc.constantFrom(...identifiers), traits, (document, identifier, given) => {
      const imported = importDocument(document)
      fc.pre(imported.faults.length === 0)
      const definition = ruleSetOf(imported)
      const ruleSet = compileRuleSet(definition)

      const own = document.identity_overrides?.find((override) => override.identifier === identifier)
      const context = contextOfDocument(document)
      const { flags: expected } = getEvaluationResult({
        ...context,
        identity: { identifier, traits: given },
        segments: { ...context.segments, ...(own && { own: overridesOf(own) }) },
      })
      const entries = definition.flags.map((flag) => {
        const entry = flagEntry(flag, evaluate(ruleSet, flag.key, { ...given, targetingKey: identifier }), {
          hasIdentity: true,
          nameOfSegment: (key) =>
            definition.segments.find((segment) => segment.key === key)?.flagsmith?.name ?? key,
        })
        return [flag.flagsmith?.name, entry] as const
      })
      // An override with variants is imported as the resulting variation, without its reason and origin.
      const drawing = own?.identity_features.find(({ multivariate_feature_state_values: of }) => of?.length)
      for (const [name = '', entry] of entries) {
        const { enabled, value: is, variant, reason } = expected[name] ?? {}
        const reported =
          name === drawing?.feature.name ? { enabled, value: is } : { enabled, value: is, variant, reason }
        expect(entry).toMatchObject(reported)
      }
    }),
    { numRuns: 1_000 },
  )
})

test('without an identity a feature has its control value', () => {
  fc.assert(
    fc.property(documents, (document) => {
      const imported = importDocument(document)
      fc.pre(imported.faults.length === 0)
      const definition = ruleSetOf(imported)
      const ruleSet = compileRuleSet(definition)
      const { flags: expected } = getEvaluationResult(contextOfDocument(document))
      for (const flag of definition.flags) {
        const entry = flagEntry(flag, evaluate(ruleSet, flag.key, {}), {
          hasIdentity: false,
          nameOfSegment: String,
        })
        const { enabled, value: is, variant, reason } = expected[flag.flagsmith?.name ?? ''] ?? {}
        expect(entry).toEqual({ enabled, value: is, variant, reason })
      }
    }),
    { numRuns: 500 },
  )
})

test('an exported document evaluates like the imported one', () => {
  fc.assert(
    fc.property(documents, fc.constantFrom(...identifiers), traits, (document, identifier, given) => {
      const imported = importDocument(document)
      fc.pre(imported.faults.length === 0)
      const { flags, segments } = ruleSetOf(imported)
      const out = exportDocument({ flags, segments })
      expect(out.leftOut).toEqual([])
      const byKey = new Map(flags.map((flag) => [flag.key, flag]))
      const own = flags.flatMap(({ key, overrides }) => {
        const variation = overrides?.get(identifier)
        return variation === undefined ? [] : [[key, variation] as const]
      })
      const answersOf = (requested: typeof document) => {
        const context = contextOfDocument(requested)
        const override = requested.identity_overrides?.find((each) => each.identifier === identifier)
        const result = getEvaluationResult({
          ...context,
          identity: { identifier, traits: given },
          segments: { ...context.segments, ...(override && { own: overridesOf(override) }) },
        })
        return Object.values(result.flags).map(({ name, enabled, value, variant, reason }) => {
          // An override is a single variation, however Flagsmith chose it.
          const isOverridden =
            reason.endsWith('identity_overrides') ||
            requested.identity_overrides?.some((each) => each.identifier === identifier)
          return { name, enabled, value, ...(isOverridden ? {} : { variant, reason }) }
        })
      }
      const sent = {
        ...document,
        feature_states: out.states,
        project: { segments: out.segments },
        identity_overrides:
          own.length > 0 ? [{ identifier, identity_features: exportOverrides(byKey, out.ids, own) }] : [],
      }
      expect(sent.api_key).toBe(apiKey)
      expect(answersOf(sent)).toEqual(answersOf(document))
    }),
    { numRuns: 1_000 },
  )
})
