// Who is in a segment of Flagsmith.

import type { EvaluationContext, SegmentContext, SegmentRule } from '../flagsmith-evaluation-context.ts'
import { matchesCondition } from '../flagsmith-match-condition.ts'

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
    joins(conditions, (condition) => matchesCondition(context, condition, segment.key)) &&
    joins(rules, (below) => matchesRule(context, { segment, rule: below }))
  )
}

type Join = <Item>(items: readonly Item[], matches: (item: Item) => boolean) => boolean

const isEvery: Join = (items, matches) => items.every(matches)
const isAny: Join = (items, matches) => items.length === 0 || items.some(matches)
const isNone: Join = (items, matches) => !items.some(matches)
