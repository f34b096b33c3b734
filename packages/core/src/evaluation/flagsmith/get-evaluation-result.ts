// Flagsmith's evaluation as a pure function over its public evaluation context: the same data, the same answer as its clients
// give on their own. See docs/guides/move-from-flagsmith.md for what differs.

import { percentageOf } from '../flagsmith-bucket.ts'
import type {
  EvaluationContext,
  EvaluationResult,
  FeatureContext,
  FeatureVariant,
  FlagResult,
  SegmentContext,
  SegmentRule,
} from '../flagsmith-evaluation-context.ts'
import { keyOfIdentity } from '../flagsmith-identity-key.ts'
import { matchesCondition } from '../flagsmith-match-condition.ts'

// Membership in a Flagsmith segment.

/** All rules must match. Without rules, or without an identity, the segment is empty. */
function matchesSegment(context: EvaluationContext, segment: SegmentContext): boolean {
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

interface Override {
  feature: FeatureContext
  segment: string
}

/** Every feature of the context, and the segments that its identity is in. */
export function getEvaluationResult(context: EvaluationContext): EvaluationResult {
  const segments = Object.values(context.segments ?? {}).filter((segment) => matchesSegment(context, segment))
  const overrides = strongestOf(segments)
  const flags = Object.values(context.features ?? {}).map((feature) => {
    const override = overrides.get(feature.name)
    return [feature.name, flagOf(context, feature, override)] as const
  })
  return {
    flags: Object.fromEntries(flags),
    segments: segments.map(({ name, metadata }) => (metadata === undefined ? { name } : { name, metadata })),
  }
}

/** Of one feature, the override of the smallest priority; the first one of several. */
function strongestOf(segments: readonly SegmentContext[]): Map<string, Override> {
  const strongest = new Map<string, Override>()
  for (const { name, overrides = [] } of segments) {
    for (const feature of overrides) {
      const found = strongest.get(feature.name)
      const isStronger = found === undefined || priorityOf(feature) < priorityOf(found.feature)
      if (isStronger) strongest.set(feature.name, { feature, segment: name })
    }
  }
  return strongest
}

const priorityOf = ({ priority = Number.POSITIVE_INFINITY }: { priority?: number | undefined }) => priority

function flagOf(
  context: EvaluationContext,
  base: FeatureContext,
  override: Override | undefined,
): FlagResult {
  const feature = override?.feature ?? base
  const { name, enabled, variants = [], metadata } = feature
  const key = keyOfIdentity(context)
  const drawn = key === undefined ? undefined : drawVariant(feature, key)
  const reason = override === undefined ? 'DEFAULT' : `TARGETING_MATCH; segment=${override.segment}`
  return {
    name,
    enabled,
    value: drawn === undefined ? feature.value : drawn.value,
    reason: drawn === undefined ? reason : `SPLIT; weight=${drawn.weight}`,
    variant:
      key === undefined || variants.length === 0
        ? null
        : drawn === undefined
          ? 'control'
          : (drawn.key ?? null),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

/** Variants take their shares one after the other, by priority; what is left is the feature's own value. */
function drawVariant(
  { key, variants = [] }: FeatureContext,
  identityKey: string,
): FeatureVariant | undefined {
  if (variants.length === 0) return undefined
  const percentage = percentageOf(key, identityKey)
  let end = 0
  return variants
    .toSorted((left, right) => left.priority - right.priority)
    .find(({ weight }) => {
      end += weight
      return percentage < end
    })
}
