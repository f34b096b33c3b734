// Reduces an expression for a fixed value of the flag. Nothing is changed here: the result says what is left.

import type { Node } from '@babel/types'
import { findReadCall, type ReadCall } from '../flag/reads.ts'
import { hasEffects, isBoolean, unwrap } from '../syntax/nodes.ts'
import { constantOf, importedAs, pathOf } from './constants.ts'
import { type Context, contextOf } from './context.ts'
import {
  applyBinary,
  fromCode,
  fromFlag,
  isDecided,
  isPlain,
  isPrimitive,
  type Known,
  other,
  type Reduced,
} from './known.ts'
import { reduceLookup } from './lookup.ts'
import { findFunctionValue, reduceName } from './names.ts'
import type { Unit } from './unit.ts'

/** Remembers what expressions of a file reduce to. */
export function createReducer(): (unit: Unit, node: Node) => Reduced {
  const memo = new Map<Node, Reduced>()
  return (unit, node) => {
    const known = memo.get(node)
    if (known !== undefined) return known
    // A constant that refers to itself has no known value.
    memo.set(node, other(node))
    const reduced = reduceNode(unit, node)
    memo.set(node, reduced)
    return reduced
  }
}

function reduceNode(unit: Unit, node: Node): Reduced {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
      return reduceWrapped(unit, node, node.expression)
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return fromCode(node.value, node)
    case 'NullLiteral':
      return fromCode(null, node)
    case 'Identifier':
      return reduceName(unit, node)
    case 'UnaryExpression':
      return reduceUnary(unit, node)
    case 'BinaryExpression':
      return reduceBinary(unit, node)
    case 'LogicalExpression':
      return reduceLogical(unit, node)
    case 'ConditionalExpression':
      return reduceConditional(unit, node)
    case 'AwaitExpression': {
      const awaited = unit.reduce(node.argument)
      if (awaited.kind !== 'known' || !awaited.isFlag) return other(node)
      return { ...awaited, isPromise: false, node: awaited.isPromise ? undefined : awaited.node }
    }
    case 'CallExpression':
    case 'OptionalCallExpression':
      return reduceCall(unit, node)
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return reduceLookup(unit, node)
    case 'TemplateLiteral':
      return reduceTemplate(unit, node)
    default:
      return other(node)
  }
}

function reduceWrapped(unit: Unit, node: Node, inner: Node): Reduced {
  const reduced = unit.reduce(inner)
  if (reduced.kind === 'known') return reduced.node === inner ? { ...reduced, node } : reduced
  return reduced.node === inner ? other(node) : reduced
}

function reduceUnary(unit: Unit, node: Extract<Node, { type: 'UnaryExpression' }>): Reduced {
  const argument = unit.reduce(node.argument)
  if (!isDecided(argument)) return other(node)
  const { value, keep } = argument
  if (node.operator === '!') return fromFlag(!value, keep)
  if (node.operator === 'typeof') return fromFlag(value === null ? 'object' : typeof value, keep)
  if (node.operator === '-' && typeof value === 'number' && value !== 0) return fromFlag(-value, keep)
  if (node.operator === '+' && typeof value === 'number') return fromFlag(value, keep)
  return other(node)
}

function reduceBinary(unit: Unit, node: Extract<Node, { type: 'BinaryExpression' }>): Reduced {
  const [left, right] = [unit.reduce(node.left), unit.reduce(node.right)]
  if (!isPlain(left) || !isPlain(right) || !(left.isFlag || right.isFlag)) return other(node)
  const result = applyBinary(node.operator, left.value, right.value)
  return result === undefined ? other(node) : fromFlag(result.value, [...left.keep, ...right.keep])
}

function reduceConditional(unit: Unit, node: Extract<Node, { type: 'ConditionalExpression' }>): Reduced {
  const test = unit.reduce(node.test)
  if (!isDecided(test)) return other(node)
  return after(test.keep, unit.reduce(test.value ? node.consequent : node.alternate))
}

/** What was chosen by the flag depends on it, and is written as the code has it. */
function after(keep: readonly Node[], chosen: Reduced): Reduced {
  const all = [...keep, ...chosen.keep]
  return chosen.kind === 'known' ? { ...chosen, isFlag: true, keep: all } : other(chosen.node, all)
}

function reduceLogical(unit: Unit, node: Extract<Node, { type: 'LogicalExpression' }>): Reduced {
  const { operator } = node
  const left = unit.reduce(node.left)
  if (isDecided(left)) {
    const stops =
      operator === '&&'
        ? !left.value
        : operator === '||'
          ? Boolean(left.value)
          : (left.value ?? null) !== null
    return stops ? left : after(left.keep, unit.reduce(node.right))
  }
  const right = unit.reduce(node.right)
  if (operator === '??' || !isDecided(right) || right.keep.length > 0) return other(node)
  const context = contextOf(unit.scopes.links, node)
  const keep = hasEffects(node.left, (call) => isRead(unit, call)) ? [node.left] : []
  return reduceByRight(node, left, { right, context, keep })
}

/** `a && flag`: by what it is used for, `a` is left, or the result no longer depends on `a`. */
function reduceByRight(
  node: Extract<Node, { type: 'LogicalExpression' }>,
  left: Reduced,
  { right, context, keep }: { right: Known; context: Context; keep: Node[] },
): Reduced {
  const rest = left.kind === 'node' ? left : other(node.left)
  const isTrue = Boolean(right.value)
  const isAnd = node.operator === '&&'
  const isNeutral = isAnd === isTrue
  const isExact = isBoolean(node.left) && right.value === isTrue
  if (context === 'effect' || context === 'test' || isExact) {
    if (isNeutral || context === 'effect') return rest
    return fromFlag(isTrue, keep)
  }
  const isLeft = context === (isAnd ? 'and' : 'or')
  return isNeutral && isLeft ? rest : other(node)
}

type Call = Extract<Node, { type: 'CallExpression' | 'OptionalCallExpression' }>

function reduceCall(unit: Unit, node: Call): Reduced {
  const { callee } = node
  const read = readOf(unit, node)
  if (read !== undefined) {
    const { isAsync, form } = read
    return { ...fromFlag(unit.removal.value), isPromise: isAsync, isDetails: form === 'details' }
  }
  const [first] = node.arguments
  if (callee.type === 'Identifier' && first !== undefined && node.arguments.length === 1) {
    const argument = /^(Boolean|String)$/.test(callee.name) ? unit.reduce(first) : undefined
    if (argument !== undefined && isDecided(argument) && isPrimitive(argument.value)) {
      const { value, keep } = argument
      return fromFlag(callee.name === 'Boolean' ? Boolean(value) : String(value), keep)
    }
  }
  if (callee.type === 'MemberExpression' && first !== undefined) {
    const included = reduceIncludes(unit, callee, first)
    if (included !== undefined) return included
  }
  return node.arguments.some((argument) => hasEffects(argument))
    ? other(node)
    : (findFunctionValue(unit, callee) ?? other(node))
}

function isRead(unit: Unit, node: Node): boolean {
  return node.type === 'CallExpression' && readOf(unit, node) !== undefined
}

/** How the call reads the flag that is removed. */
export function readOf(unit: Unit, node: Call): ReadCall | undefined {
  const callee = unwrap(node.callee)
  const root = callee.type === 'Identifier' ? importedAs(unit, callee) : undefined
  const isMember = callee.type !== 'Identifier'
  const described = { path: pathOf(unit, callee), isMember, source: root?.source }
  const { names, key } = unit.removal
  const read = findReadCall(described, names, unit.sources)
  if (read === undefined) return undefined
  if (read.flag !== undefined) return read.flag === key ? read : undefined
  const argument = node.arguments[read.argument]
  return argument !== undefined && constantOf(unit, argument) === key ? read : undefined
}

/** `['a', 'b'].includes(flag)`. */
function reduceIncludes(
  unit: Unit,
  callee: Extract<Node, { type: 'MemberExpression' }>,
  first: Node,
): Reduced | undefined {
  const isIncludes = callee.property.type === 'Identifier' && callee.property.name === 'includes'
  const argument = isIncludes ? unit.reduce(first) : undefined
  if (argument === undefined || !isDecided(argument)) return undefined
  const list = constantOf(unit, callee.object)
  const { value = null, keep } = argument
  return Array.isArray(list) && isPrimitive(value) ? fromFlag(list.includes(value), keep) : undefined
}

function reduceTemplate(unit: Unit, node: Extract<Node, { type: 'TemplateLiteral' }>): Reduced {
  if (node.expressions.length === 0) {
    const value = constantOf(unit, node)
    return value === undefined ? other(node) : fromCode(value, node)
  }
  const parts = node.expressions.map((expression) => unit.reduce(expression))
  const known = parts.filter(isPlain)
  const isKnown = known.length === parts.length && known.some(({ isFlag }) => isFlag)
  if (!isKnown || !known.every(({ value }) => isPrimitive(value))) return other(node)
  const text = node.quasis.map(
    ({ value }, index) => `${value.cooked ?? ''}${index < known.length ? known[index]?.value : ''}`,
  )
  return fromFlag(
    text.join(''),
    known.flatMap(({ keep }) => keep),
  )
}
