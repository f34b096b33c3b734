// Variables and functions that hold the value of the flag.

import type { Node } from '@babel/types'
import { isJsonObject } from '../flag/json.ts'
import { unwrap } from '../syntax/nodes.ts'
import type { Binding } from '../syntax/scopes.ts'
import { constantOf, importOf } from './constants.ts'
import { fromCode, fromFlag, isDecided, isInlined, type Known, other, type Reduced } from './known.ts'
import type { Unit } from './unit.ts'

export function reduceName(unit: Unit, node: Extract<Node, { type: 'Identifier' }>): Reduced {
  const binding = unit.scopes.bindingOf(node)
  if (binding === undefined) return node.name === 'undefined' ? fromCode(undefined, node) : other(node)
  const isRead = binding.references.some((reference) => reference.node === node && reference.kind === 'read')
  if (!isRead) return other(node)
  const known = findValue(unit, binding)
  if (known !== undefined) {
    return isInlined(known) ? { ...known, node: undefined, keep: [] } : { ...known, node, keep: [] }
  }
  const constant = constantOf(unit, node)
  return constant === undefined ? other(node) : fromCode(constant, node)
}

/** The value that a variable has from the flag, if nothing else is ever assigned to it. */
export function findValue(unit: Unit, binding: Binding): Known | undefined {
  if (binding.kind === 'import') {
    const from = importOf(unit.scopes, binding)
    const fact = from && unit.importedFact(from.source, from.name)
    return fact?.kind === 'value' ? fromFlag(fact.value) : undefined
  }
  const { declaration } = binding
  if (declaration.type !== 'VariableDeclarator' || !declaration.init) return undefined
  const loop = unit.scopes.links.get(unit.scopes.links.get(declaration)?.parent ?? declaration)?.parent.type
  if (loop === 'ForInStatement' || loop === 'ForOfStatement') return undefined
  const init = unit.reduce(declaration.init)
  if (init.kind !== 'known' || !init.isFlag) return undefined
  if (binding.references.some(({ kind }) => kind === 'write')) {
    note(unit, declaration, `"${binding.name}" holds the flag and is assigned again, so its uses are left.`)
    return undefined
  }
  if (declaration.id === binding.identifier) return init
  return declaration.id.type === 'ObjectPattern' ? memberValue(declaration.id, binding, init) : undefined
}

function memberValue(
  pattern: Extract<Node, { type: 'ObjectPattern' }>,
  { identifier }: Binding,
  init: Known,
): Known | undefined {
  const property = pattern.properties.find(
    (each) => each.type === 'ObjectProperty' && each.value === identifier,
  )
  if (property?.type !== 'ObjectProperty' || property.computed || init.isPromise) return undefined
  const { key } = property
  const name = key.type === 'Identifier' ? key.name : key.type === 'StringLiteral' ? key.value : undefined
  if (init.isDetails) return name === 'value' ? fromFlag(init.value) : undefined
  if (name === undefined || !isJsonObject(init.value) || !Object.hasOwn(init.value, name)) return undefined
  return fromFlag(init.value[name])
}

export function note(unit: Unit, node: Node, reason: string): void {
  if (!unit.notes.some((each) => each.node === node && each.reason === reason))
    unit.notes.push({ node, reason })
}

/** What a call of the function returns, if that is nothing but the value of the flag. */
export function findFunctionValue(unit: Unit, given: Node): Known | undefined {
  const callee = unwrap(given)
  if (callee.type !== 'Identifier') return undefined
  const binding = unit.scopes.bindingOf(callee)
  if (binding === undefined || binding.references.some(({ kind }) => kind === 'write')) return undefined
  if (binding.kind === 'import') {
    const from = importOf(unit.scopes, binding)
    const fact = from && unit.importedFact(from.source, from.name)
    return fact?.kind === 'function' ? { ...fromFlag(fact.value), isPromise: fact.isAsync } : undefined
  }
  return returnedBy(unit, binding)
}

/** The same for the function of a binding. */
export function returnedBy(unit: Unit, { declaration, identifier }: Binding): Known | undefined {
  const isVariable =
    declaration.type === 'VariableDeclarator' && declaration.id === identifier && declaration.init
  const node = isVariable ? unwrap(declaration.init ?? declaration) : declaration
  const isFunction =
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  if (!isFunction || node.generator || node.params.length > 0) return undefined
  const [only, ...more] = node.body.type === 'BlockStatement' ? node.body.body : []
  const returned =
    node.body.type !== 'BlockStatement'
      ? node.body
      : only?.type === 'ReturnStatement' && more.length === 0
        ? only.argument
        : undefined
  const value = returned ? unit.reduce(returned) : undefined
  if (value?.kind !== 'known' || value.keep.length > 0 || value.isDetails) return undefined
  const plain = { ...value, isPromise: false }
  if (!isDecided(plain) || !isInlined(plain)) return undefined
  return { ...fromFlag(value.value), isPromise: node.async || value.isPromise }
}
