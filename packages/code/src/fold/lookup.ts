// Members: the value in an object of details, members of a JSON flag, and objects whose members are named by variation.

import type { Node } from '@babel/types'
import { isJsonObject, type Json } from '../flag/json.ts'
import { hasEffects, unwrap, walkNodes } from '../syntax/nodes.ts'
import type { Binding } from '../syntax/scopes.ts'
import { constantOf } from './constants.ts'
import { fromCode, fromFlag, isDecided, other, type Reduced } from './known.ts'
import type { Unit } from './unit.ts'

type Member = Extract<Node, { type: 'MemberExpression' | 'OptionalMemberExpression' }>

export function reduceLookup(unit: Unit, node: Member): Reduced {
  const object = unit.reduce(node.object)
  const name = nameOfMember(unit, node)
  if (object.kind === 'known' && object.isFlag && name !== undefined && !object.isPromise) {
    if (object.isDetails) return name === 'value' ? fromFlag(object.value, object.keep) : other(node)
    const isSafe = isJsonObject(object.value) && isOnlyRead(unit, node.object) && !isChanged(unit, node)
    if (isSafe && isJsonObject(object.value) && Object.hasOwn(object.value, name)) {
      return fromFlag(object.value[name], object.keep)
    }
    return other(node)
  }
  const chosen = node.computed ? reduceByVariation(unit, node) : undefined
  if (chosen !== undefined) return chosen
  const constant = constantOf(unit, node)
  return constant === undefined ? other(node) : fromCode(constant, node)
}

function nameOfMember(unit: Unit, { property, computed }: Member): string | undefined {
  if (!computed) return property.type === 'Identifier' ? property.name : undefined
  const reduced = unit.reduce(property)
  return reduced.kind === 'known' && typeof reduced.value === 'string' ? reduced.value : undefined
}

/** Whether a member is assigned, deleted, or called as a method. */
function isChanged(unit: Unit, node: Node): boolean {
  const link = unit.scopes.links.get(node)
  if (link === undefined) return false
  const { parent, role } = link
  if (parent.type === 'AssignmentExpression') return role === 'left'
  if (parent.type === 'UpdateExpression') return true
  if (parent.type === 'UnaryExpression') return parent.operator === 'delete'
  return role === 'callee'
}

/** Whether nothing could have changed the object: it is a read itself, or a variable of which only members are read. */
function isOnlyRead(unit: Unit, given: Node): boolean {
  const node = unwrap(given)
  if (node.type !== 'Identifier') return node.type === 'CallExpression' || node.type === 'AwaitExpression'
  const { links } = unit.scopes
  const uses = unit.scopes.bindingOf(node)?.references ?? []
  return uses.every((use) => {
    const link = links.get(use.node)
    const isMember = link?.role === 'object' && /MemberExpression$/.test(link.parent.type)
    return use.kind === 'type' || (isMember && link !== undefined && !isChanged(unit, link.parent))
  })
}

/** `{ a: x, b: y }[flag]`, or the same with the object in a constant that is used for nothing else. */
function reduceByVariation(unit: Unit, node: Member): Reduced | undefined {
  const property = unit.reduce(node.property)
  if (!isDecided(property) || property.keep.length > 0) return undefined
  const object = unwrap(node.object)
  if (object.type === 'ObjectExpression') {
    const value = valueIn(object, property.value)
    return value && reduceChosen(unit, value)
  }
  if (object.type !== 'Identifier') return undefined
  const binding = unit.scopes.bindingOf(object)
  const map = binding && singleUse(binding)
  const value = map && valueIn(map, property.value)
  return value && !hasEffects(value) && meansTheSame(unit, value, node)
    ? reduceChosen(unit, value)
    : undefined
}

function reduceChosen(unit: Unit, node: Node): Reduced {
  const reduced = unit.reduce(node)
  return reduced.kind === 'known' ? { ...reduced, isFlag: true } : reduced
}

function singleUse({ kind, declaration, identifier, references }: Binding): Node | undefined {
  const isPlain = kind === 'const' && references.length === 1 && declaration.type === 'VariableDeclarator'
  if (!isPlain || declaration.id !== identifier || !declaration.init) return undefined
  return unwrap(declaration.init)
}

/** The value of the member, if all that is dropped with the object has no effects. */
function valueIn(object: Node, name: Json | undefined): Node | undefined {
  if (object.type !== 'ObjectExpression' || (typeof name !== 'string' && typeof name !== 'boolean'))
    return undefined
  const values = new Map<string, Node>()
  for (const property of object.properties) {
    if (property.type !== 'ObjectProperty' || property.computed) return undefined
    const { key, value } = property
    const text = key.type === 'Identifier' ? key.name : key.type === 'StringLiteral' ? key.value : undefined
    if (text === undefined || text === '__proto__') return undefined
    values.set(text, value)
  }
  const chosen = values.get(String(name))
  const isHarmless = [...values.values()].every((value) => value === chosen || !hasEffects(value))
  return isHarmless ? chosen : undefined
}

/** Whether every name in the expression would mean the same where it is used. */
function meansTheSame(unit: Unit, value: Node, place: Node): boolean {
  let isSame = true
  walkNodes(value, (node) => {
    const binding = unit.scopes.bindingOf(node)
    const name = node.type === 'Identifier' || node.type === 'JSXIdentifier' ? node.name : undefined
    const isInside = binding !== undefined && isWithin(binding.identifier, value)
    if (name !== undefined && binding !== undefined && !isInside) {
      isSame &&= unit.scopes.resolveAt(place, name) === binding
      isSame &&= binding.kind !== 'let' && binding.kind !== 'var'
    }
    if (node.type === 'ThisExpression' || node.type === 'AwaitExpression') isSame = false
    return undefined
  })
  return isSame
}

function isWithin(inner: Node, outer: Node): boolean {
  return (inner.start ?? 0) >= (outer.start ?? 0) && (inner.end ?? 0) <= (outer.end ?? 0)
}
