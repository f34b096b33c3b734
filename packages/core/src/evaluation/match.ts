// Compiles conditions into matchers. One rule for all operators: an attribute that is not set matches only
// `is-not-set`, and a negated operator matches every attribute that is set and does not match the positive one.

import type { Condition, ConditionGroup } from '../contract/conditions.ts'
import type { MatchStep, Shown } from '../contract/trace.ts'
import { pathOf, readerOf, readPath, settle, unitFrom } from './context.ts'
import { equals, isIn, not, type Test } from './equality.ts'
import { compileFlagsmithCondition, type FlagsmithCondition } from './flagsmith-condition.ts'
import { modulo } from './number.ts'
import { ordered, versionOrdered } from './order.ts'
import { drawOf, type PercentageCondition } from './percentage.ts'
import type { Matcher } from './rule-set.ts'
import { contains, endsWith, matches, startsWith } from './text.ts'
import { show } from './trace.ts'
import { Unusable } from './unusable.ts'

type SegmentCondition = Extract<Condition, { operator: 'in-segment' | 'not-in-segment' }>
type PresenceCondition = Extract<Condition, { operator: 'is-set' | 'is-not-set' }>
type EqualsCondition = Extract<Condition, { operator: 'equals' | 'not-equals' }>
type AttributeCondition = Exclude<
  Condition,
  SegmentCondition | PresenceCondition | PercentageCondition | FlagsmithCondition
>

/** Throws `Unusable` when a condition cannot be compiled. Segments cannot reference each other. */
export function compileGroup(group: ConditionGroup, { inSegment = false } = {}): Matcher {
  const parts = group.of.map((part) => {
    if ('match' in part) return compileGroup(part, { inSegment })
    if (inSegment && 'segment' in part)
      throw new Unusable('A segment cannot refer to another segment.', '/segment')
    return compileCondition(part)
  })
  const [only] = parts
  // A group of one needs no wrapper.
  if (only !== undefined && parts.length === 1 && group.match !== 'none') return only

  // `all` stops at the first condition that does not match; `any` and `none` stop at the first that does.
  const settling = group.match !== 'all'
  const matchedWhenSettled = group.match === 'any'
  return (context, ruleSet, steps) => {
    const inner: MatchStep[] | undefined = steps && []
    let matched = !matchedWhenSettled
    for (const part of parts) {
      if (part(context, ruleSet, inner) !== settling) continue
      matched = matchedWhenSettled
      break
    }
    if (inner !== undefined) steps?.push({ kind: 'group', match: group.match, matched, of: inner })
    return matched
  }
}

/** Throws `Unusable` when an operand is invalid for its operator. */
export function compileCondition(condition: Condition): Matcher {
  switch (condition.operator) {
    case 'in-segment':
    case 'not-in-segment':
      return compileMembership(condition)
    case 'is-set':
    case 'is-not-set':
      return compilePresence(condition)
    case 'percentage':
      return compilePercentage(condition)
    case 'flagsmith':
      return compileFlagsmithCondition(condition)
    case 'equals':
      return condition.attribute.includes('.')
        ? compileTest(condition, equals(condition.value))
        : compileEquals(condition)
    default:
      return compileTest(condition, testOf(condition))
  }
}

function testOf(condition: AttributeCondition): Test {
  switch (condition.operator) {
    case 'equals':
      return equals(condition.value)
    case 'not-equals':
      return not(equals(condition.value))
    case 'in':
      return isIn(condition.values)
    case 'not-in':
      return not(isIn(condition.values))
    case 'contains':
      return contains(condition.value)
    case 'not-contains':
      return not(contains(condition.value))
    case 'starts-with':
      return startsWith(condition.value)
    case 'ends-with':
      return endsWith(condition.value)
    case 'matches':
      return matches(condition.value)
    case 'not-matches':
      return not(matches(condition.value))
    case 'modulo':
      return modulo(condition.divisor, condition.remainder)
    case 'greater':
    case 'greater-or-equal':
    case 'less':
    case 'less-or-equal':
      return ordered(condition.operator, condition.value)
    case 'semver-equals':
      return versionOrdered('equals', condition.value)
    case 'semver-greater':
      return versionOrdered('greater', condition.value)
    case 'semver-greater-or-equal':
      return versionOrdered('greater-or-equal', condition.value)
    case 'semver-less':
      return versionOrdered('less', condition.value)
    case 'semver-less-or-equal':
      return versionOrdered('less-or-equal', condition.value)
  }
}

function compileTest(condition: AttributeCondition, test: Test): Matcher {
  const { attribute, operator } = condition
  const path = pathOf(attribute)
  return (context, _ruleSet, steps) => {
    const value = settle(path === undefined ? context[attribute] : readPath(context, attribute, path))
    // Check hasOwn last: it costs as much as the test, and most conditions do not match.
    const matched =
      value !== undefined && test(value) && (path !== undefined || Object.hasOwn(context, attribute))
    if (steps !== undefined) {
      const actual = show(readerOf(attribute)(context))
      steps.push({ kind: 'condition', attribute, operator, expected: expectedBy(condition), actual, matched })
    }
    return matched
  }
}

/** Fast path for the most common condition: a value identical to the operand is set and needs no further check. */
function compileEquals(condition: EqualsCondition): Matcher {
  const { attribute, operator, value: operand } = condition
  return (context, _ruleSet, steps) => {
    const value = context[attribute]
    const matched =
      (value === operand || (typeof value === 'object' && settle(value) === operand)) &&
      Object.hasOwn(context, attribute)
    if (steps !== undefined) {
      const actual = show(readerOf(attribute)(context))
      steps.push({ kind: 'condition', attribute, operator, expected: show(operand), actual, matched })
    }
    return matched
  }
}

function expectedBy(condition: AttributeCondition): Shown {
  if ('values' in condition) return `one of ${condition.values.length}`
  if ('divisor' in condition) return `${condition.remainder} modulo ${condition.divisor}`
  return show(condition.value)
}

function compilePresence({ attribute, operator }: PresenceCondition): Matcher {
  const read = readerOf(attribute)
  const wanted = operator === 'is-set'
  return (context, _ruleSet, steps) => {
    const value = read(context)
    const matched = (value !== undefined) === wanted
    steps?.push({ kind: 'condition', attribute, operator, expected: undefined, actual: show(value), matched })
    return matched
  }
}

function compilePercentage(condition: PercentageCondition): Matcher {
  const { attribute, operator, weight: expected } = condition
  const read = readerOf(attribute)
  const draw = drawOf(condition)
  return (context, _ruleSet, steps) => {
    const value = read(context)
    const unit = unitFrom(value)
    const position = unit === undefined ? undefined : draw.positionOf(unit)
    const matched = position !== undefined && draw.isIn(position)
    steps?.push({ kind: 'condition', attribute, operator, expected, actual: show(value), matched, position })
    return matched
  }
}

/** A segment that is missing or failed to compile matches nothing, negated or not. */
function compileMembership({ operator, segment: key }: SegmentCondition): Matcher {
  const wanted = operator === 'in-segment'
  return (context, ruleSet, steps) => {
    const inner: MatchStep[] | undefined = steps && []
    const segment = ruleSet.segments.get(key)
    const matched =
      segment !== undefined &&
      segment.fault === undefined &&
      segment.matches(context, ruleSet, inner) === wanted
    if (inner !== undefined) steps?.push({ kind: 'segment', segment: key, operator, matched, of: inner })
    return matched
  }
}
