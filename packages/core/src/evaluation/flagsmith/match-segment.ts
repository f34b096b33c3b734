// Who is in a segment of Flagsmith.

import { percentageOf } from '../flagsmith-bucket.ts'
import type {
  EvaluationContext,
  SegmentCondition,
  SegmentContext,
  SegmentRule,
} from './evaluation-context.ts'
import { keyOfIdentity } from './identity-key.ts'
import { fulfils } from './operators.ts'
import { readPath, readProperty } from './read-property.ts'

/** Every rule has to match. Without rules, or without an identity, nobody is in it. */
export function matchesSegment(context: EvaluationContext, segment: SegmentContext): boolean {
  if (segment.rules.length === 0 || !context.identity) return false
  return segment.rules.every((rule) => matchesRule(context, { segment, rule }))
}

interface Place {
  segment: SegmentContext
  rule: SegmentRule
}

/** Conditions and rules below are joined alike, and an empty list matches. */
function matchesRule(context: EvaluationContext, { segment, rule }: Place): boolean {
  const joins = { ALL: isEvery, ANY: isAny, NONE: isNone }[rule.type]
  const { conditions = [], rules = [] } = rule
  return (
    joins(conditions, (condition) => matchesCondition(context, segment, condition)) &&
    joins(rules, (below) => matchesRule(context, { segment, rule: below }))
  )
}

type Join = <Item>(items: readonly Item[], matches: (item: Item) => boolean) => boolean

const isEvery: Join = (items, matches) => items.every(matches)
const isAny: Join = (items, matches) => items.length === 0 || items.some(matches)
const isNone: Join = (items, matches) => !items.some(matches)

function matchesCondition(
  context: EvaluationContext,
  segment: SegmentContext,
  condition: SegmentCondition,
): boolean {
  const { property, operator, value } = condition
  if (operator === 'PERCENTAGE_SPLIT') {
    const unit = property === '' ? keyOfIdentity(context) : readPath(context, property)
    if (unit === undefined || unit === null || unit === '') return false
    return percentageOf(segment.key, String(unit)) <= Number.parseFloat(String(value))
  }
  const trait = property === '' ? undefined : readProperty(context, property)
  if (operator === 'IS_NOT_SET') return property !== '' && (trait === undefined || trait === null)
  if (trait === undefined || trait === null) return false
  return operator === 'IS_SET' || fulfils(trait, condition)
}
