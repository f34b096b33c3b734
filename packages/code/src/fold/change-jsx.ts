// Elements of JSX whose presence depends on the flag.

import type { Node } from '@babel/types'
import { spanOf } from '../syntax/nodes.ts'
import { linesOf } from '../text/lines.ts'
import { visitChildren } from './change-expressions.ts'
import { isDecided } from './known.ts'
import { moved } from './place.ts'
import type { Unit } from './unit.ts'

/** `{flag && <A />}` between other children becomes `<A />`, or goes. */
export function changeContainer(
  unit: Unit,
  node: Extract<Node, { type: 'JSXExpressionContainer' }>,
): undefined {
  const { expression } = node
  const parent = unit.scopes.links.get(node)?.parent
  if (parent?.type !== 'JSXElement' && parent?.type !== 'JSXFragment') return visitChildren(unit, node)
  const reduced = unit.reduce(expression)
  if (reduced.keep.length > 0) return visitChildren(unit, node)
  if (isDecided(reduced) && (typeof reduced.value === 'boolean' || reduced.value == null)) {
    unit.edits.remove(spanOf(node), goneSpan(unit, node))
    return
  }
  const chosen =
    reduced.node === undefined || reduced.node === expression ? undefined : withoutParentheses(reduced.node)
  if (chosen?.type !== 'JSXElement' && chosen?.type !== 'JSXFragment') return visitChildren(unit, node)
  unit.visit(chosen)
  unit.edits.replace(spanOf(node), [moved(unit, spanOf(chosen), node)])
}

function withoutParentheses(node: Node): Node {
  return node.type === 'ParenthesizedExpression' ? withoutParentheses(node.expression) : node
}

/** With its line if it is alone there: between children, line breaks are no text. */
function goneSpan({ text, comments }: Unit, node: Node) {
  const span = spanOf(node)
  const lines = linesOf(text, span, comments)
  const isAlone = text[lines.end - 1] === '\n'
  return isAlone ? lines : span
}
