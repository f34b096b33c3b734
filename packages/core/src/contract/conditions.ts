// Conditions over an evaluation context, used by rules and segments.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { Key, Strict } from './parameters.ts'

const text = Type.String({ maxLength: limits.conditionValueLength })
const Scalar = Type.Union([text, Type.Number(), Type.Boolean()])

/** A name in the context: `targetingKey`, `plan`, or a path such as `company.plan`. */
export const Attribute = Type.String({ minLength: 1, maxLength: limits.attributeLength })

/** Operators that compare with one value of any scalar type. */
export const equalityOperators = ['equals', 'not-equals'] as const
/** Operators that look the attribute up in a list. */
export const listOperators = ['in', 'not-in'] as const
/** Operators on text. */
export const textOperators = [
  'contains',
  'not-contains',
  'starts-with',
  'ends-with',
  'matches',
  'not-matches',
] as const
/** Operators on numbers, and on dates given as RFC 3339 text. */
export const orderOperators = ['greater', 'greater-or-equal', 'less', 'less-or-equal'] as const
/** Operators on versions, by the precedence of Semantic Versioning 2.0.0. */
export const semverOperators = [
  'semver-equals',
  'semver-greater',
  'semver-greater-or-equal',
  'semver-less',
  'semver-less-or-equal',
] as const
export const presenceOperators = ['is-set', 'is-not-set'] as const
/** The operators of Flagsmith, spelled as on its wire. */
export const flagsmithOperators = [
  'EQUAL',
  'NOT_EQUAL',
  'GREATER_THAN',
  'GREATER_THAN_INCLUSIVE',
  'LESS_THAN',
  'LESS_THAN_INCLUSIVE',
  'CONTAINS',
  'NOT_CONTAINS',
  'REGEX',
  'MODULO',
  'IN',
  'IS_SET',
  'IS_NOT_SET',
  'PERCENTAGE_SPLIT',
] as const

export const Condition = Type.Union([
  Strict({ attribute: Attribute, operator: Type.Enum([...equalityOperators]), value: Scalar }),
  Strict({
    attribute: Attribute,
    operator: Type.Enum([...listOperators]),
    values: Type.Array(Scalar, { minItems: 1, maxItems: limits.conditionListItems }),
  }),
  Strict({ attribute: Attribute, operator: Type.Enum([...textOperators]), value: text }),
  Strict({
    attribute: Attribute,
    operator: Type.Enum([...orderOperators]),
    value: Type.Union([Type.Number(), Type.String({ format: 'date-time' })]),
  }),
  Strict({ attribute: Attribute, operator: Type.Enum([...semverOperators]), value: text }),
  Strict({
    attribute: Attribute,
    operator: Type.Literal('modulo'),
    divisor: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    remainder: Type.Integer({ minimum: 0, maximum: 999_999_999 }),
  }),
  Strict({ attribute: Attribute, operator: Type.Enum([...presenceOperators]) }),
  Strict({
    attribute: Attribute,
    operator: Type.Literal('percentage'),
    /** Share of matching subjects out of 100,000, chosen by a hash of the attribute. */
    weight: Type.Integer({ minimum: 0, maximum: limits.weightTotal }),
    /** A different seed selects different subjects. */
    seed: Type.String({ minLength: 1, maxLength: 64 }),
  }),
  /**
   * Compares exactly as Flagsmith does, for imported rules. It requires a targeting key and converts types the same
   * way.
   */
  Strict({
    /** A trait, or a path such as `$.identity.identifier`. Empty: the identity itself, for a percentage. */
    attribute: Type.String({ maxLength: limits.attributeLength }),
    operator: Type.Literal('flagsmith'),
    compare: Type.Enum([...flagsmithOperators]),
    value: text,
    /** The Flagsmith environment: paths read it, and every identity key contains it. */
    environment: Strict({ key: text, name: text }),
    /** The Flagsmith segment id, which seeds a percentage. */
    segmentId: Type.Integer({ minimum: 0 }),
  }),
  /** True for subjects in the segment. Not allowed within segments. */
  Strict({ operator: Type.Enum(['in-segment', 'not-in-segment']), segment: Key }),
])

export type Condition = Static<typeof Condition>

/** A group matches if all, any or none of its conditions match. Groups nest. */
export const ConditionGroup = Type.Cyclic(
  {
    Group: Strict({
      match: Type.Enum(['all', 'any', 'none']),
      of: Type.Array(Type.Union([Condition, Type.Ref('Group')]), { maxItems: limits.conditionsPerSegment }),
    }),
  },
  'Group',
)

export interface ConditionGroup {
  match: 'all' | 'any' | 'none'
  of: (Condition | ConditionGroup)[]
}
