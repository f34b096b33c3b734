// What is left of the flag after its removal, for a person.

import type { Node } from '@babel/types'
import { constantOf } from '../fold/constants.ts'
import { readOf } from '../fold/reduce.ts'
import type { Leftover, Unit } from '../fold/unit.ts'
import { walkNodes } from '../syntax/nodes.ts'
import { positionAt } from '../text/lines.ts'

export function findLeftovers(unit: Unit): Leftover[] {
  const alive = unit.edits.alive()
  const found: { at: number; reason: string }[] = []
  const add = (at: number, reason: string) => {
    if (alive[at] === 1) found.push({ at, reason })
  }
  for (const { node, reason } of unit.notes) add(node.start ?? 0, reason)
  const explained = new Set<Node>()
  walkNodes(unit.program, (node) => {
    const reason = explained.has(node) ? undefined : reasonFor(unit, node, explained)
    if (reason !== undefined) add(node.start ?? 0, reason)
    return undefined
  })
  for (const { start, value } of unit.comments) {
    if (names(value, unit.removal.key)) add(start, 'A comment names the flag.')
  }
  return found.sort((a, b) => a.at - b.at).map(({ at, reason }) => ({ ...positionAt(unit.text, at), reason }))
}

function names(text: string, key: string): boolean {
  const escaped = key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(^|[^\\w-])${escaped}($|[^\\w-])`).test(text)
}

/** `explained`: nodes below that need no reason of their own. */
function reasonFor(unit: Unit, node: Node, explained: Set<Node>): string | undefined {
  const { key } = unit.removal
  if (node.type === 'CallExpression' || node.type === 'OptionalCallExpression') {
    const read = readOf(unit, node)
    if (read === undefined) return undefined
    for (const argument of node.arguments) explained.add(argument)
    return read.form === 'details'
      ? 'The details are used for more than the value.'
      : 'The read could not be replaced.'
  }
  if (node.type === 'StringLiteral' || node.type === 'TemplateLiteral') {
    if (constantOf(unit, node) !== key) return undefined
    const link = unit.scopes.links.get(node)
    if (link?.parent.type === 'ObjectProperty' && link.role === 'key')
      return 'The key names a member of an object.'
    if (link?.parent.type === 'JSXAttribute') return 'The key is an attribute of an element.'
    if (link?.role === 'arguments')
      return 'The key is passed to a function that is not known to read flags: name it among the wrappers.'
    return 'The key is used as a text.'
  }
  const isName = node.type === 'MemberExpression' || node.type === 'Identifier'
  const named = isName ? nameInConfig(unit, node) : undefined
  return named === key ? 'The constant of the key is used.' : undefined
}

function nameInConfig(unit: Unit, node: Node): string | undefined {
  const value = constantOf(unit, node)
  const link = unit.scopes.links.get(node)
  const isImported = link !== undefined && /^(Import|Export)/.test(link.parent.type)
  return typeof value === 'string' && !isImported ? value : undefined
}
