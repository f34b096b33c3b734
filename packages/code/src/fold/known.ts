// What an expression becomes once the value of the flag is fixed.

import type { Node } from '@babel/types'
import type { Json } from '../flag/json.ts'

export interface Known {
  kind: 'known'
  value: Json | undefined
  /** False: known from the code alone, as the text of a constant. Such expressions are left as they are. */
  isFlag: boolean
  isPromise?: boolean | undefined
  /** An object of details, whose `value` this is. */
  isDetails?: boolean | undefined
  /** The expression of the file that has this value, if it should be kept instead of a literal. */
  node?: Node | undefined
  /** What is to be evaluated before, for its effects. */
  keep: readonly Node[]
}

export interface Other {
  kind: 'node'
  /** What is left of the expression: itself, or a part of it. */
  node: Node
  keep: readonly Node[]
}

export type Reduced = Known | Other

export function other(node: Node, keep: readonly Node[] = []): Other {
  return { kind: 'node', node, keep }
}

export function fromFlag(value: Json | undefined, keep: readonly Node[] = []): Known {
  return { kind: 'known', value, isFlag: true, keep }
}

export function fromCode(value: Json | undefined, node: Node): Known {
  return { kind: 'known', value, isFlag: false, node, keep: [] }
}

/** A plain value that depends on the flag: what can be decided. */
export function isDecided(reduced: Reduced): reduced is Known {
  return reduced.kind === 'known' && reduced.isFlag && !reduced.isPromise && !reduced.isDetails
}

export function isPlain(reduced: Reduced): reduced is Known {
  return reduced.kind === 'known' && !reduced.isPromise && !reduced.isDetails
}

export function isPrimitive(value: Json | undefined): value is string | number | boolean | null | undefined {
  return typeof value !== 'object' || value === null
}

const longestInlined = 60

/** Whether uses of a variable with this value are replaced, rather than the variable kept. */
export function isInlined({ value, node, isFlag, isPromise, isDetails }: Known): boolean {
  if (!isFlag || isPromise || isDetails || !isPrimitive(value)) return false
  if (typeof value === 'string' && value.length > longestInlined) return false
  return node === undefined || typeof value === 'boolean'
}

export function applyBinary(
  operator: string,
  left: Json | undefined,
  right: Json | undefined,
): { value: Json } | undefined {
  if (operator === '===' || operator === '!==') return negatedIf(operator === '!==', equals(left, right))
  if (operator === '==' || operator === '!=') {
    if (left === undefined || left === null)
      return negatedIf(operator === '!=', right === undefined || right === null)
    if (right === undefined || right === null) return negatedIf(operator === '!=', false)
    if (typeof left !== typeof right) return undefined
    return negatedIf(operator === '!=', equals(left, right))
  }
  if (typeof left === 'string' && typeof right === 'string') {
    return operator === '+' ? { value: left + right } : compare(operator, left, right)
  }
  if (typeof left === 'number' && typeof right === 'number') {
    return compare(operator, left, right) ?? calculate(operator, left, right)
  }
  if (operator !== '+' || !isPrimitive(left) || !isPrimitive(right)) return undefined
  return typeof left === 'string' || typeof right === 'string' ? { value: `${left}${right}` } : undefined
}

function negatedIf(isNegated: boolean, result: boolean | undefined): { value: boolean } | undefined {
  return result === undefined ? undefined : { value: isNegated ? !result : result }
}

/** Two objects may be the same one or not. */
function equals(left: Json | undefined, right: Json | undefined): boolean | undefined {
  return isPrimitive(left) || isPrimitive(right) ? left === right : undefined
}

function compare<Value extends string | number>(
  operator: string,
  left: Value,
  right: Value,
): { value: boolean } | undefined {
  switch (operator) {
    case '<':
      return { value: left < right }
    case '>':
      return { value: left > right }
    case '<=':
      return { value: left <= right }
    case '>=':
      return { value: left >= right }
    default:
      return undefined
  }
}

function calculate(operator: string, left: number, right: number): { value: number } | undefined {
  const results: Record<string, number> = {
    '+': left + right,
    '-': left - right,
    '*': left * right,
    '%': left % right,
  }
  const value = results[operator]
  return value !== undefined && Number.isFinite(value) && !Object.is(value, -0) ? { value } : undefined
}
