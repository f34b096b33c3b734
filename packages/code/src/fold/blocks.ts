// Whether the statements of a block can stand in the place of the block.

import type { Node, Statement } from '@babel/types'
import { namesIn } from '../syntax/scopes.ts'
import type { Span } from '../text/edits.ts'
import type { Unit } from './unit.ts'

/** `ends`: nothing after it runs. */
export type Outcome = 'stays' | 'gone' | 'ends'

export function innerOf(block: Node): Span {
  return { start: (block.start ?? 0) + 1, end: (block.end ?? 0) - 1 }
}

export function endsAlways(node: Node | null | undefined): boolean {
  switch (node?.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
    case 'ContinueStatement':
    case 'BreakStatement':
      return true
    case 'BlockStatement':
      return node.body.some(endsAlways)
    case 'IfStatement':
      return endsAlways(node.consequent) && endsAlways(node.alternate)
    default:
      return false
  }
}

const taken = new WeakMap<Unit, Map<Node, Set<string>>>()

/** Whether names of the statements mean something else in `host`; from then on they are taken there. */
export function conflicts(unit: Unit, block: Node & { body: readonly Statement[] }, host: Node): boolean {
  return conflictsOf(unit, block.body, { block, host })
}

export function conflictsOf(
  unit: Unit,
  statements: readonly Statement[],
  { block, host }: { block: Node; host: Node },
): boolean {
  const names = statements.flatMap(declaredNames)
  if (names.length === 0) return false
  const all = taken.get(unit) ?? new Map<Node, Set<string>>()
  taken.set(unit, all)
  const here = all.get(host) ?? new Set<string>()
  all.set(host, here)
  const isInside = (node: Node) =>
    (node.start ?? 0) >= (block.start ?? 0) && (node.end ?? 0) <= (block.end ?? 0)
  const owner = unit.scopes.links.get(host)?.parent
  const isTaken = (name: string) => {
    if (here.has(name) || unit.scopes.scopeOf(host)?.bindings.has(name)) return true
    if (owner !== undefined && unit.scopes.scopeOf(owner)?.bindings.has(name)) return true
    return unit.scopes.references.some(({ node }) => {
      const isSame = (node.type === 'Identifier' || node.type === 'JSXIdentifier') && node.name === name
      return isSame && !isInside(node) && contains(host, node)
    })
  }
  if (names.some(isTaken)) return true
  for (const name of names) here.add(name)
  return false
}

function contains(outer: Node, inner: Node): boolean {
  return (inner.start ?? 0) >= (outer.start ?? 0) && (inner.end ?? 0) <= (outer.end ?? 0)
}

/** Names that a block keeps to itself. */
function declaredNames(statement: Statement): string[] {
  switch (statement.type) {
    case 'VariableDeclaration':
      if (statement.kind === 'var') return []
      return statement.declarations.flatMap(({ id }) => namesIn(id)).flatMap(nameOf)
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSEnumDeclaration':
      return statement.id ? nameOf(statement.id) : []
    default:
      return []
  }
}

function nameOf(node: Node): string[] {
  return node.type === 'Identifier' ? [node.name] : []
}
