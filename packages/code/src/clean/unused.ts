// Removes what was used before and is not any more: imports, variables, functions, classes and types.

import type { Node } from '@babel/types'
import { beginsStatement, guard } from '../fold/place.ts'
import type { Unit } from '../fold/unit.ts'
import { hasEffects, spanOf } from '../syntax/nodes.ts'
import type { Binding } from '../syntax/scopes.ts'
import { linesOf } from '../text/lines.ts'
import { removeItems } from '../text/lists.ts'

/** Until nothing more becomes unused. `isLost`: an export that no other file uses any more. */
export function removeUnused(unit: Unit, isLost: (name: string) => boolean): undefined {
  const gone = new Set<Binding>()
  for (;;) {
    const alive = unit.edits.alive()
    const found = unit.scopes.bindings.filter(
      (binding) => !gone.has(binding) && isUnused(unit, binding, { alive, isLost }),
    )
    for (const binding of found) gone.add(binding)
    if (found.length === 0) return
    for (const binding of found) removeBinding(unit, binding, gone)
  }
}

function isUnused(
  unit: Unit,
  binding: Binding,
  { alive, isLost }: { alive: Uint8Array; isLost: (name: string) => boolean },
): boolean {
  const { declaration, references, identifier, kind, name } = binding
  if (kind === 'parameter' || alive[identifier.start ?? 0] !== 1) return false
  const exported = exportOf(unit, binding)
  if (exported !== undefined && !isLost(exported.name)) return false
  const { start, end } = spanOf(declaration)
  // Uses within itself, as in a recursive function, do not count.
  const outside = references.filter(({ node }) => {
    const isOwn = kind === 'function' || kind === 'class' || kind === 'type'
    return !(isOwn && (node.start ?? 0) >= start && (node.end ?? 0) <= end)
  })
  if (outside.some(({ node }) => alive[node.start ?? 0] === 1)) return false
  if (outside.length === 0 && exported === undefined) return false
  return name !== 'React' || kind !== 'import'
}

/** The statement that exports the declaration, and the name it is exported by. */
export function exportOf(
  { scopes }: Unit,
  { declaration, name }: Binding,
): { node: Node; name: string } | undefined {
  const parent = scopes.links.get(declaration)?.parent
  const statement = parent?.type === 'VariableDeclaration' ? scopes.links.get(parent)?.parent : parent
  if (statement?.type === 'ExportNamedDeclaration') return { node: statement, name }
  return statement?.type === 'ExportDefaultDeclaration' ? { node: statement, name: 'default' } : undefined
}

function removeBinding(unit: Unit, binding: Binding, gone: ReadonlySet<Binding>): undefined {
  const { declaration } = binding
  const { links } = unit.scopes
  switch (declaration.type) {
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
      return removeImport(unit, links.get(declaration)?.parent, gone)
    case 'VariableDeclarator':
      return removeVariable(unit, declaration, { binding, gone })
    case 'ClassDeclaration':
      if (declaration.superClass || declaration.decorators?.length || hasEffects(declaration.body)) return
      return removeWhole(unit, exportOf(unit, binding)?.node ?? declaration)
    default:
      return removeWhole(unit, exportOf(unit, binding)?.node ?? declaration)
  }
}

function removeWhole(unit: Unit, node: Node): undefined {
  unit.edits.remove(spanOf(node), linesOf(unit.text, spanOf(node), unit.comments))
}

function isGone(unit: Unit, node: Node, gone: ReadonlySet<Binding>): boolean {
  const binding = unit.scopes.bindingOf(node)
  return binding !== undefined && gone.has(binding)
}

function removeImport(unit: Unit, statement: Node | undefined, gone: ReadonlySet<Binding>): undefined {
  if (statement?.type !== 'ImportDeclaration') return
  const { specifiers } = statement
  const lost = specifiers.map(({ local }) => isGone(unit, local, gone))
  if (lost.every(Boolean)) return removeWhole(unit, statement)
  const named = specifiers.filter(({ type }) => type === 'ImportSpecifier')
  const offset = specifiers.length - named.length
  const [first] = specifiers
  const open = unit.text.indexOf('{', offset > 0 ? (first?.end ?? 0) : (statement.start ?? 0))
  const close = unit.text.indexOf('}', named.at(-1)?.end ?? open)
  const areNamedGone = named.length > 0 && named.every((_, index) => lost[index + offset])
  if (offset > 0 && areNamedGone) {
    unit.edits.replace({ start: first?.end ?? 0, end: close + 1 }, [])
    return
  }
  if (offset > 0 && lost[0] && named.length > 0)
    unit.edits.replace({ start: first?.start ?? 0, end: open }, [])
  removeItems(unit, named.map(spanOf), (index) => lost[index + offset] === true)
}

function removeVariable(
  unit: Unit,
  declarator: Extract<Node, { type: 'VariableDeclarator' }>,
  { binding, gone }: { binding: Binding; gone: ReadonlySet<Binding> },
): undefined {
  const { id, init } = declarator
  if (id.type === 'ObjectPattern') return removeFromPattern(unit, declarator, gone)
  const isPlain = id === binding.identifier
  const declaration = unit.scopes.links.get(declarator)?.parent
  const holder = declaration && unit.scopes.links.get(declaration)?.parent
  if (!isPlain || declaration?.type !== 'VariableDeclaration' || /^For/.test(holder?.type ?? '')) return
  const isHarmless = !init || !hasEffects(init) || isFolded(unit, init)
  if (isHarmless) return removeDeclarator(unit, declarator, declaration)
  // The call is kept for what it does.
  if (declaration.declarations.length === 1 && holder?.type !== 'ExportNamedDeclaration') {
    leaveExpression(unit, declaration, init)
  }
}

function leaveExpression(unit: Unit, declaration: Node, init: Node): undefined {
  const start = (unit.reduce(init).node ?? init).start ?? 0
  const isWrapped = beginsStatement.test(unit.text.slice(start, start + 20))
  const before = guard(unit, declaration, isWrapped ? 'wrapped' : start)
  const span = { start: declaration.start ?? 0, end: init.end ?? 0 }
  unit.edits.replace(span, isWrapped ? [before, '(', spanOf(init), ')'] : [before, spanOf(init)])
}

/** Whether a literal took the place of the expression. */
function isFolded(unit: Unit, init: Node): boolean {
  const reduced = unit.reduce(init)
  return reduced.kind === 'known' && reduced.isFlag && reduced.keep.length === 0
}

function removeDeclarator(
  unit: Unit,
  declarator: Node,
  declaration: Extract<Node, { type: 'VariableDeclaration' }>,
): undefined {
  const gone = lostDeclarators.get(unit) ?? new Set<Node>()
  lostDeclarators.set(unit, gone)
  gone.add(declarator)
  const { declarations } = declaration
  if (declarations.every((each) => gone.has(each))) {
    const parent = unit.scopes.links.get(declaration)?.parent
    return removeWhole(unit, parent?.type === 'ExportNamedDeclaration' ? parent : declaration)
  }
  removeItems(unit, declarations.map(spanOf), (index) => {
    const each = declarations[index]
    return each !== undefined && gone.has(each)
  })
}

const lostDeclarators = new WeakMap<Unit, Set<Node>>()

function removeFromPattern(
  unit: Unit,
  declarator: Extract<Node, { type: 'VariableDeclarator' }>,
  gone: ReadonlySet<Binding>,
): undefined {
  const { id, init } = declarator
  const declaration = unit.scopes.links.get(declarator)?.parent
  if (id.type !== 'ObjectPattern' || declaration?.type !== 'VariableDeclaration') return
  const { properties } = id
  const isLost = (property: (typeof properties)[number] | undefined) => {
    if (property?.type !== 'ObjectProperty' || property.computed) return false
    return property.value.type === 'Identifier' && isGone(unit, property.value, gone)
  }
  // A rest would take in what is not named any more.
  if (properties.some(({ type }) => type === 'RestElement')) return
  if (properties.every(isLost) && init && (!hasEffects(init) || isFolded(unit, init))) {
    return removeDeclarator(unit, declarator, declaration)
  }
  if (properties.every(isLost)) return
  removeItems(unit, properties.map(spanOf), (index) => isLost(properties[index]))
}
