// Writes the expressions that depend on the flag.

import type { Node } from '@babel/types'
import { isIdentifierName, printJson } from '../flag/json.ts'
import { childrenOf, isFunction, spanOf, unwrap } from '../syntax/nodes.ts'
import type { Part } from '../text/edits.ts'
import { removeItems } from '../text/lists.ts'
import { isDecided, isPrimitive } from './known.ts'
import { moved, placeNode, placeValue } from './place.ts'
import type { Unit } from './unit.ts'

export function visitChildren(unit: Unit, node: Node): undefined {
  for (const [, child] of childrenOf(node)) unit.visit(child)
}

export function changeExpression(unit: Unit, node: Node): undefined {
  if (/^TS(As|Satisfies|TypeAssertion)/.test(node.type)) return visitChildren(unit, node)
  const reduced = unit.reduce(node)
  if (reduced.kind === 'known' && (!reduced.isFlag || reduced.isDetails || reduced.node === node)) {
    return visitChildren(unit, node)
  }
  const left = reduced.kind === 'known' ? reduced.node : reduced.node === node ? undefined : reduced.node
  if (reduced.kind === 'node' && left === undefined) return visitChildren(unit, node)

  const { keep } = reduced
  for (const kept of keep) unit.visit(kept)
  if (left !== undefined) unit.visit(left)
  const value = left === undefined && reduced.kind === 'known' ? [placeValue(unit, node, reduced)] : []
  const parts = left === undefined ? value : placeNode(unit, node, left)
  unit.edits.replace(spanOf(node), withKept(unit, keep, { parts, node }))
}

function withKept(unit: Unit, keep: readonly Node[], { parts, node }: { parts: Part[]; node: Node }): Part[] {
  if (keep.length === 0) return parts
  return ['(', ...keep.flatMap((kept): Part[] => [moved(unit, spanOf(kept), node), ', ']), ...parts, ')']
}

/** `{ isNew }` becomes `{ isNew: true }`. */
export function changeProperty(unit: Unit, node: Extract<Node, { type: 'ObjectProperty' }>): undefined {
  const isPattern = unit.scopes.links.get(node)?.parent.type === 'ObjectPattern'
  if (!node.shorthand || isPattern || node.value.type !== 'Identifier') return visitChildren(unit, node)
  const reduced = unit.reduce(node.value)
  if (!isDecided(reduced) || reduced.node !== undefined) return
  unit.edits.replace(spanOf(node), [`${node.value.name}: ${printJson(reduced.value, unit.quote)}`])
}

/** `map[flag]` becomes `map.a`. */
export function changeMember(
  unit: Unit,
  node: Extract<Node, { type: 'MemberExpression' | 'OptionalMemberExpression' }>,
): undefined {
  const whole = unit.reduce(node)
  const property = unit.reduce(node.property)
  const isNamed = node.computed && isDecided(property) && property.keep.length === 0 && whole.node === node
  if (!isNamed || typeof property.value !== 'string' || !isIdentifierName(property.value)) {
    return changeExpression(unit, node)
  }
  unit.visit(node.object)
  const isOptional = node.type === 'OptionalMemberExpression' && node.optional
  const name = `${isOptional ? '?.' : '.'}${property.value}`
  unit.edits.replace({ start: node.object.end ?? 0, end: node.end ?? 0 }, [name])
}

/** The flag as text within a template. */
export function changeTemplate(unit: Unit, node: Extract<Node, { type: 'TemplateLiteral' }>): undefined {
  if (unit.reduce(node).kind === 'known') return changeExpression(unit, node)
  for (const [index, expression] of node.expressions.entries()) {
    const reduced = unit.reduce(expression)
    const [before, after] = [node.quasis[index], node.quasis[index + 1]]
    const isText = isDecided(reduced) && reduced.keep.length === 0 && isPrimitive(reduced.value)
    if (!isText || before === undefined || after === undefined) {
      unit.visit(expression)
      continue
    }
    const text = String(reduced.value).replace(/[`\\]|\$\{/g, '\\$&')
    unit.edits.replace({ start: before.end ?? 0, end: after.start ?? 0 }, [text])
  }
}

/** Conditional spreads: `...(flag ? [a] : [])`, `...(flag && { a })`. */
export function changeSpreads(
  unit: Unit,
  node: Extract<Node, { type: 'ArrayExpression' | 'ObjectExpression' | 'CallExpression' }>,
): undefined {
  const items: (Node | null)[] =
    node.type === 'ArrayExpression'
      ? node.elements
      : node.type === 'ObjectExpression'
        ? node.properties
        : node.arguments
  const dependencies = node.type === 'ArrayExpression' && isDependencies(unit, node)
  const gone = new Set<number>()
  items.forEach((item, index) => {
    if (item === null) return
    if (dependencies && isDecided(unit.reduce(item)) && unit.reduce(item).node !== item) gone.add(index)
    else if (item.type !== 'SpreadElement') unit.visit(item)
    else if (changeSpread(unit, item, node.type) === 'gone') gone.add(index)
  })
  if (gone.size === 0) return
  const list = items.filter((item) => item !== null)
  if (list.length === items.length) removeItems(unit, list.map(spanOf), (index) => gone.has(index))
}

/** The last argument of a hook, after a function. */
function isDependencies({ scopes }: Unit, node: Node): boolean {
  const call = scopes.links.get(node)?.parent
  if (call?.type !== 'CallExpression' || call.arguments.length < 2) return false
  const [first] = call.arguments
  const callee = unwrap(call.callee)
  const name =
    callee.type === 'Identifier'
      ? callee.name
      : callee.type === 'MemberExpression'
        ? 'property' in callee && callee.property.type === 'Identifier'
          ? callee.property.name
          : ''
        : ''
  return call.arguments.at(-1) === node && first !== undefined && isFunction(first) && /^use[A-Z]/.test(name)
}

function changeSpread(
  unit: Unit,
  item: Extract<Node, { type: 'SpreadElement' }>,
  host: string,
): 'gone' | 'stays' {
  const reduced = unit.reduce(item.argument)
  const isInObject = host === 'ObjectExpression'
  if (reduced.keep.length > 0) return visited(unit, item)
  if (isDecided(reduced) && isInObject && (typeof reduced.value === 'boolean' || reduced.value == null)) {
    return 'gone'
  }
  const chosen = reduced.node === undefined ? undefined : unwrap(reduced.node)
  if (chosen === undefined || chosen === unwrap(item.argument)) return visited(unit, item)
  const inner = isInObject
    ? chosen.type === 'ObjectExpression' && chosen.properties
    : chosen.type === 'ArrayExpression' && chosen.elements
  if (inner === false) return visited(unit, item)
  if (inner.length === 0) return 'gone'
  const [first, last] = [inner[0], inner.at(-1)]
  if (!first || !last) return visited(unit, item)
  unit.visit(chosen)
  unit.edits.replace(spanOf(item), [moved(unit, { start: first.start ?? 0, end: last.end ?? 0 }, item)])
  return 'stays'
}

function visited(unit: Unit, item: Node): 'stays' {
  visitChildren(unit, item)
  return 'stays'
}
