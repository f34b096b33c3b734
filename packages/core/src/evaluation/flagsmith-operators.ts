// Flagsmith's operators as its clients evaluate them locally, so that answers over HTTP agree. Where its engines
// differ, this follows the TypeScript engine. Expressions run in linear time, so lookaround is not supported.

import type { RE2JS } from 're2js'
import { exceptedBy } from './flagsmith-condition-text.ts'
import type { SegmentCondition } from './flagsmith-evaluation-context.ts'
import { compareVersions, parseVersion } from './semver.ts'
import { compileExpression } from './text.ts'

type Trait = string | number | boolean

/** Whether a trait that is set matches a condition. Unknown operators never match. */
export function fulfils(trait: Trait, { operator, value }: SegmentCondition): boolean {
  if (operator === 'IN') return isIn(trait, value)
  const operand = typeof value === 'string' ? value : JSON.stringify(value)
  switch (operator) {
    case 'REGEX':
      return operand !== '' && findsExpression(operand, String(trait))
    case 'MODULO':
      return hasRemainder(trait, operand)
    case 'CONTAINS':
      return typeof trait === 'string' && trait !== '' && trait.includes(withoutMark(operand))
    case 'NOT_CONTAINS':
      return typeof trait === 'string' && !trait.includes(operand)
    default:
      return compares(trait, operator, operand)
  }
}

const versionMark = ':semver'

function withoutMark(operand: string): string {
  return operand.endsWith(versionMark) ? operand.slice(0, -versionMark.length) : operand
}

function compares(trait: Trait, operator: string, operand: string): boolean {
  if (operand.endsWith(versionMark)) {
    const version = withoutMark(operand)
    if (operator === 'NOT_EQUAL') return String(trait) !== version
    const order = orderOfVersions(String(trait), version)
    return order !== undefined && holds(operator, order)
  }
  const other = castLike(trait, operand)
  if (operator === 'EQUAL') return trait === other
  if (operator === 'NOT_EQUAL') return trait !== other
  // An operand that is not a number is NaN: every comparison is false.
  if (trait === other) return holds(operator, 0)
  return trait < other ? holds(operator, -1) : trait > other && holds(operator, 1)
}

function holds(operator: string, order: number): boolean {
  switch (operator) {
    case 'EQUAL':
      return order === 0
    case 'GREATER_THAN':
      return order > 0
    case 'GREATER_THAN_INCLUSIVE':
      return order >= 0
    case 'LESS_THAN':
      return order < 0
    case 'LESS_THAN_INCLUSIVE':
      return order <= 0
    default:
      return false
  }
}

function castLike(trait: Trait, operand: string): Trait {
  if (typeof trait === 'number') return Number.parseFloat(operand)
  if (typeof trait === 'boolean') return operand !== 'False' && operand !== 'false'
  return operand
}

/** Undefined when either version is invalid. A leading `v` is ignored. */
function orderOfVersions(left: string, right: string): number | undefined {
  const [one, other] = [left, right].map((text) => parseVersion(text.trim().replace(/^[v=]+\s*/, '')))
  return one && other && compareVersions(one, other)
}

/** The operand is a JSON or a comma-separated list. */
function isIn(trait: Trait, value: SegmentCondition['value']): boolean {
  if (typeof trait === 'boolean') return false
  const members = typeof value === 'string' ? (readList(value) ?? value.split(',')) : value
  return trait !== 0 && trait !== '' && members.includes(String(trait))
}

function readList(text: string): readonly unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : undefined
  } catch {
    // Not JSON: comma-separated.
    return undefined
  }
}

/** Parses numbers as `parseFloat` does: a numeric prefix is enough. */
function hasRemainder(trait: Trait, operand: string): boolean {
  const parts = operand.split('|')
  if (typeof trait === 'boolean' || parts.length !== 2) return false
  const [dividend = Number.NaN, divisor = Number.NaN, remainder = Number.NaN] = [trait, ...parts].map(
    (part) => Number.parseFloat(String(part)),
  )
  return dividend % divisor === remainder
}

/** More than the expressions of one environment. */
const expressionsKept = 1_000
const expressions = new Map<string, RE2JS | undefined>()

function findsExpression(text: string, trait: string): boolean {
  const excepted = exceptedBy(text)
  if (excepted !== undefined) return !findsExpression(excepted, trait)
  if (!expressions.has(text)) {
    if (expressions.size >= expressionsKept) expressions.clear()
    expressions.set(text, compileOrNothing(text))
  }
  return expressions.get(text)?.test(trait) ?? false
}

function compileOrNothing(text: string): RE2JS | undefined {
  try {
    // An expression that is invalid in JavaScript never matches in Flagsmith's engine. Parsed only, never run.
    new RegExp(text)
    return compileExpression(text)
  } catch {
    // An invalid expression never matches.
    return undefined
  }
}
