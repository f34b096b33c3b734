// Values that the code itself fixes: texts, numbers, and objects of them in constants. They name the flag, and are what
// its value is compared with.

import type { Node } from '@babel/types'
import { isJsonObject, type Json } from '../flag/json.ts'
import { unwrap } from '../syntax/nodes.ts'
import type { Binding } from '../syntax/scopes.ts'
import type { Unit } from './unit.ts'

/** Names in a row, `flags.getBoolean`; imported ones as they are exported. `?` for what has no name. */
export function pathOf(unit: Unit, given: Node): string {
  const node = unwrap(given)
  if (node.type === 'ThisExpression') return 'this'
  if (node.type === 'Identifier') return importedAs(unit, node)?.name ?? node.name
  const isMember = node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression'
  if (!isMember) return '?'
  const name = memberName(unit, node)
  return `${pathOf(unit, node.object)}.${name ?? '?'}`
}

interface ImportedName {
  source: string
  name: string
}

/** The file or package that a name was imported from, and its name there. */
export function importedAs({ scopes }: Unit, node: Node): ImportedName | undefined {
  const binding = scopes.bindingOf(node)
  return binding?.kind === 'import' ? importOf(scopes, binding) : undefined
}

export function importOf(scopes: Unit['scopes'], { declaration }: Binding): ImportedName | undefined {
  const statement = scopes.links.get(declaration)?.parent
  if (statement?.type !== 'ImportDeclaration') return undefined
  const source = statement.source.value
  if (declaration.type === 'ImportDefaultSpecifier') return { source, name: 'default' }
  if (declaration.type !== 'ImportSpecifier') return { source, name: '*' }
  const { imported } = declaration
  return { source, name: imported.type === 'Identifier' ? imported.name : imported.value }
}

/** The name of a member, written or computed from constants. */
function memberName(unit: Unit, node: Node): string | undefined {
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return undefined
  const { property, computed } = node
  if (!computed) return property.type === 'Identifier' ? property.name : undefined
  const value = constantOf(unit, property)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** The value if the code fixes it; an object only where it is declared as a constant that is never written. */
export function constantOf(unit: Unit, given: Node): Json | undefined {
  const node = unwrap(given)
  const named = unit.removal.names.constants
  switch (node.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return node.value
    case 'NullLiteral':
      return null
    case 'TemplateLiteral':
      return node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? undefined) : undefined
    case 'Identifier': {
      const path = pathOf(unit, node)
      return Object.hasOwn(named, path) ? named[path] : constantOfBinding(unit, node)
    }
    case 'MemberExpression':
    case 'OptionalMemberExpression': {
      const path = pathOf(unit, node)
      if (Object.hasOwn(named, path)) return named[path]
      const name = memberName(unit, node)
      const object = name === undefined ? undefined : constantOf(unit, node.object)
      return isJsonObject(object) && name !== undefined && Object.hasOwn(object, name)
        ? object[name]
        : undefined
    }
    case 'ArrayExpression':
    case 'ObjectExpression':
      return literalOf(node)
    default:
      return undefined
  }
}

function constantOfBinding(unit: Unit, node: Node): Json | undefined {
  const binding = unit.scopes.bindingOf(node)
  if (binding === undefined || binding.references.some(({ kind }) => kind === 'write')) return undefined
  const { declaration } = binding
  if (binding.kind === 'import') {
    const from = importOf(unit.scopes, binding)
    const fact = from && unit.importedFact(from.source, from.name)
    return fact?.kind === 'constant' ? fact.value : undefined
  }
  if (declaration.type === 'TSEnumDeclaration') return literalOf(declaration)
  const isPlain = declaration.type === 'VariableDeclarator' && declaration.id === binding.identifier
  if (!isPlain || !declaration.init) return undefined
  const init = unwrap(declaration.init)
  const isFixed = binding.kind === 'const' || !/^(Object|Array)Expression$/.test(init.type)
  return isFixed ? literalOf(init) : undefined
}

/** Of a literal alone, without what names stand for. */
export function literalOf(given: Node): Json | undefined {
  const node = unwrap(given)
  switch (node.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return node.value
    case 'NullLiteral':
      return null
    case 'TemplateLiteral':
      return node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? undefined) : undefined
    case 'UnaryExpression': {
      const value = node.operator === '-' ? literalOf(node.argument) : undefined
      return typeof value === 'number' && value !== 0 ? -value : undefined
    }
    case 'CallExpression':
      return isFreeze(node) && node.arguments[0] ? literalOf(node.arguments[0]) : undefined
    case 'ArrayExpression': {
      const items = node.elements.map((element) => (element === null ? undefined : literalOf(element)))
      return items.every((item) => item !== undefined) ? items : undefined
    }
    case 'ObjectExpression':
    case 'TSEnumDeclaration':
      return membersOf(node)
    default:
      return undefined
  }
}

function isFreeze({ callee }: { callee: Node }): boolean {
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Object' &&
    callee.property.type === 'Identifier' &&
    callee.property.name === 'freeze'
  )
}

/** The members that are literals; what else there is stays unknown. */
function membersOf(node: Node): Json | undefined {
  const found: Record<string, Json> = {}
  const list =
    node.type === 'ObjectExpression' ? node.properties : node.type === 'TSEnumDeclaration' ? node.members : []
  for (const property of list) {
    if (property.type === 'SpreadElement') return undefined
    const [key, value] =
      property.type === 'TSEnumMember'
        ? [property.id, property.initializer ?? undefined]
        : property.type === 'ObjectProperty' && !property.computed
          ? [property.key, property.value]
          : [undefined, undefined]
    if (key === undefined || value === undefined) continue
    const read = literalOf(value)
    const name = key.type === 'Identifier' ? key.name : key.type === 'StringLiteral' ? key.value : undefined
    if (read !== undefined && name !== undefined) found[name] = read
  }
  return found
}
