// Flagsmith's evaluation as a pure function over its published evaluation context. For the same data it returns what
// its clients compute locally. See docs/guides/move-from-flagsmith.md for the differences.

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

/** All rules must match. A segment without rules, or without an identity, never matches. */
function matchesSegment(context: EvaluationContext, segment: SegmentContext): boolean {
  if (segment.rules.length === 0 || !context.identity) return false
  return segment.rules.every((rule) => matchesRule(context, { segment, rule }))
}

interface Place {
  segment: SegmentContext
  rule: SegmentRule
}

/** Conditions and nested rules are joined by the same type, and an empty list matches. */
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

/** All features of the context, and the segments that its identity belongs to. */
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

/** Per feature the override with the smallest priority; among equals the first. */
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

/** Variants take their percentages in order of priority; the remainder gets the feature's own value. */
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
