// Writes the statements that depend on the flag: branches that never run go, and the others take their place.

import type { Node, Statement } from '@babel/types'
import { spanOf } from '../syntax/nodes.ts'
import type { Part, Span } from '../text/edits.ts'
import { indentAt, linesOf, trimSpan } from '../text/lines.ts'
import { conflicts, endsAlways, innerOf, type Outcome } from './blocks.ts'
import { visitChildren } from './change-expressions.ts'
import { changeSwitch } from './change-switch.ts'
import { isDecided } from './known.ts'
import { guard, moved, semicolonAfter, separates } from './place.ts'
import type { Unit } from './unit.ts'

/** Changes statements in a row. `host` is the block in which they are written in the end. */
export function changeList(unit: Unit, list: readonly Statement[], host: Node): Outcome {
  for (const [index, statement] of list.entries()) {
    const outcome = changeStatement(unit, statement, host)
    if (outcome !== 'ends') continue
    removeUnreachable(unit, list.slice(index + 1))
    return 'ends'
  }
  return 'stays'
}

/** What follows a return never runs; functions are declared all the same. */
function removeUnreachable(unit: Unit, rest: readonly Statement[]): undefined {
  const isHoisted = rest.some(
    ({ type, ...more }) => type === 'VariableDeclaration' && 'kind' in more && more.kind === 'var',
  )
  for (const statement of rest) {
    const isDeclared =
      /^(FunctionDeclaration|TS\w+Declaration|ExportNamedDeclaration|ImportDeclaration)$/.test(statement.type)
    if (isDeclared || isHoisted) unit.visit(statement)
    else removeStatement(unit, statement)
  }
}

function removeStatement(unit: Unit, node: Node): undefined {
  if (separates(unit, node)) {
    unit.edits.replace(spanOf(node), [';'])
    return
  }
  unit.edits.remove(spanOf(node), linesOf(unit.text, spanOf(node), unit.comments))
}

export function changeStatement(unit: Unit, node: Statement, host: Node): Outcome {
  switch (node.type) {
    case 'IfStatement':
      return changeIf(unit, node, host)
    case 'SwitchStatement':
      return changeSwitch(unit, node, host)
    case 'ExpressionStatement':
      return changeExpressionStatement(unit, node)
    case 'WhileStatement': {
      const test = unit.reduce(node.test)
      if (!isDecided(test) || test.value || test.keep.length > 0) break
      removeStatement(unit, node)
      return 'gone'
    }
    default:
      break
  }
  visitChildren(unit, node)
  return 'stays'
}

function changeExpressionStatement(
  unit: Unit,
  node: Extract<Node, { type: 'ExpressionStatement' }>,
): Outcome {
  const reduced = unit.reduce(node.expression)
  if (reduced.kind !== 'known' || !reduced.isFlag || reduced.isDetails) {
    unit.visit(node.expression)
    return 'stays'
  }
  const { keep } = reduced
  for (const kept of keep) unit.visit(kept)
  if (keep.length === 0) {
    removeStatement(unit, node)
    return 'gone'
  }
  unit.edits.replace(spanOf(node), keepAsStatements(unit, node, keep))
  return 'stays'
}

/** Effects of a dropped condition, one statement each. */
function keepAsStatements(unit: Unit, node: Node, keep: readonly Node[]): Part[] {
  const indent = indentAt(unit.text, node.start ?? 0)
  return keep.flatMap((kept, index): Part[] => [
    ...(index > 0 ? [`\n${indent}`] : []),
    guard(unit, node, startOf(unit, kept)),
    moved(unit, spanOf(kept), node),
    semicolonAfter(unit, node),
  ])
}

/** Where the text begins that is left of an expression. */
function startOf(unit: Unit, node: Node): number {
  return (unit.reduce(node).node ?? node).start ?? 0
}

interface Choice {
  keep: Node[]
  /** Undefined: nothing runs. */
  chosen: Statement | undefined
}

/** Follows `else if` until something is left that does not depend on the flag alone. */
function chooseBranch(unit: Unit, node: Extract<Node, { type: 'IfStatement' }>): Choice | undefined {
  const test = unit.reduce(node.test)
  if (!isDecided(test)) return undefined
  const chosen = (test.value ? node.consequent : node.alternate) ?? undefined
  const next = chosen?.type === 'IfStatement' ? chooseBranch(unit, chosen) : undefined
  return next === undefined
    ? { keep: [...test.keep], chosen }
    : { keep: [...test.keep, ...next.keep], chosen: next.chosen }
}

function changeIf(unit: Unit, node: Extract<Node, { type: 'IfStatement' }>, host: Node): Outcome {
  const choice = chooseBranch(unit, node)
  if (choice === undefined) return changeOpenIf(unit, node)
  for (const kept of choice.keep) unit.visit(kept)
  const { chosen } = choice
  const isListed = isInList(unit, node)
  const { parts, outcome } = isListed
    ? writeInList(unit, node, { chosen, host })
    : { parts: chosen && writeAsBranch(unit, node, chosen), outcome: 'stays' as const }
  const kept = keepAsStatements(unit, node, choice.keep)
  if (isListed && kept.length === 0 && parts === undefined) {
    removeStatement(unit, node)
    return 'gone'
  }
  if (isListed) {
    const between = kept.length > 0 && parts ? [`\n${indentAt(unit.text, node.start ?? 0)}`] : []
    unit.edits.replace(spanOf(node), [...kept, ...between, ...(parts ?? [])])
    return outcome
  }
  unit.edits.replace(
    spanOf(node),
    kept.length === 0 ? (parts ?? ['{}']) : ['{ ', ...kept, ' ', ...(parts ?? []), ' }'],
  )
  return 'stays'
}

function isInList({ scopes }: Unit, node: Node): boolean {
  const link = scopes.links.get(node)
  return (
    link !== undefined &&
    (link.role === 'body' || (link.parent.type === 'SwitchCase' && link.role === 'consequent')) &&
    hasList(link.parent)
  )
}

function hasList(node: Node): boolean {
  return /^(Program|BlockStatement|StaticBlock|TSModuleBlock|SwitchCase)$/.test(node.type)
}

function writeAsBranch(unit: Unit, node: Node, chosen: Statement): Part[] {
  unit.visit(chosen)
  return [moved(unit, spanOf(chosen), node)]
}

/** The statements of the chosen branch, without its braces unless its names are taken here. */
function writeInList(
  unit: Unit,
  node: Node,
  { chosen, host }: { chosen: Statement | undefined; host: Node },
): { parts: Part[] | undefined; outcome: Outcome } {
  if (chosen === undefined || chosen.type === 'EmptyStatement') return { parts: undefined, outcome: 'gone' }
  if (chosen.type !== 'BlockStatement') {
    const outcome = changeStatement(unit, chosen, host)
    if (outcome === 'gone') return { parts: undefined, outcome }
    const parts = [guard(unit, node, chosen.start ?? 0), moved(unit, spanOf(chosen), node)]
    return { parts, outcome: endsAlways(chosen) ? 'ends' : outcome }
  }
  const inner: Span = trimSpan(unit.text, innerOf(chosen))
  if (inner.start === inner.end) return { parts: undefined, outcome: 'gone' }
  if (conflicts(unit, chosen, host)) {
    changeList(unit, chosen.body, chosen)
    return { parts: [moved(unit, spanOf(chosen), node)], outcome: endsAlways(chosen) ? 'ends' : 'stays' }
  }
  const outcome = changeList(unit, chosen.body, host)
  const parts = [guard(unit, node, chosen.body[0]?.start ?? 0), moved(unit, inner, node)]
  return { parts, outcome: endsAlways(chosen) ? 'ends' : outcome }
}

/** A condition that still decides; a branch of it may go. */
function changeOpenIf(unit: Unit, node: Extract<Node, { type: 'IfStatement' }>): Outcome {
  unit.visit(node.test)
  unit.visit(node.consequent)
  const { alternate } = node
  if (!alternate) return 'stays'
  const choice = alternate.type === 'IfStatement' ? chooseBranch(unit, alternate) : undefined
  if (choice !== undefined && choice.keep.length === 0 && choice.chosen === undefined) {
    unit.edits.replace({ start: node.consequent.end ?? 0, end: node.end ?? 0 }, [])
  } else unit.visit(alternate)
  return 'stays'
}
