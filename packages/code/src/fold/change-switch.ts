import type { Node, Statement, SwitchCase } from '@babel/types'
import { childrenOf, isFunction, spanOf } from '../syntax/nodes.ts'
import type { Part } from '../text/edits.ts'
import { indentAt, lineEnd, lineStart } from '../text/lines.ts'
import { conflictsOf, endsAlways, type Outcome } from './blocks.ts'
import { visitChildren } from './change-expressions.ts'
import { isDecided, isPlain } from './known.ts'
import { note } from './names.ts'
import { moved } from './place.ts'
import type { Unit } from './unit.ts'

type Switch = Extract<Node, { type: 'SwitchStatement' }>

/** `switch (flag)`: the statements of the case that runs. */
export function changeSwitch(unit: Unit, node: Switch, host: Node): Outcome {
  const discriminant = unit.reduce(node.discriminant)
  const tests = node.cases.map(({ test }) => (test ? unit.reduce(test) : undefined))
  const isOpen = tests.some((test) => test !== undefined && !isPlain(test))
  if (!isDecided(discriminant) || discriminant.keep.length > 0 || isOpen) {
    visitChildren(unit, node)
    return 'stays'
  }
  const matching = tests.findIndex((test) => test?.kind === 'known' && test.value === discriminant.value)
  const first = matching >= 0 ? matching : node.cases.findIndex(({ test }) => !test)
  const reached = first < 0 ? [] : reachedFrom(node.cases, first)
  const isListed = /^(body|consequent)$/.test(unit.scopes.links.get(node)?.role ?? '')
  if (reached.some(breaksInside) || !isListed) return narrowSwitch(unit, node, reached)

  const statements = reached.flatMap(statementsOf)
  const until = statements.findIndex(isBreak)
  const run = until < 0 ? statements : statements.slice(0, until)
  if (run.length === 0) {
    unit.edits.remove(spanOf(node), wholeLines(unit, node))
    return 'gone'
  }
  const isConflict = conflictsOf(unit, run, { block: node, host })
  for (const statement of run) unit.visit(statement)
  unit.edits.replace(spanOf(node), write(unit, node, { run, isConflict }))
  return run.some(endsAlways) ? 'ends' : 'stays'
}

function write(
  unit: Unit,
  node: Switch,
  { run, isConflict }: { run: Statement[]; isConflict: boolean },
): Part[] {
  const indent = indentAt(unit.text, node.start ?? 0)
  const parts = run.flatMap((statement, index): Part[] => [
    ...(index > 0 ? [`\n${indent}`] : []),
    moved(unit, withComments(unit, statement), node),
  ])
  return isConflict ? ['{\n', indent, ...parts, `\n${indent}}`] : parts
}

/** From the comments in the lines directly above, to the one behind it. */
function withComments({ text, comments }: Unit, node: Node) {
  let { start, end } = spanOf(node)
  for (const comment of comments.toReversed()) {
    const isAbove = comment.end <= start && /^\s*$/.test(text.slice(comment.end, start))
    if (isAbove && text.slice(lineStart(text, comment.start), comment.start).trim() === '')
      start = comment.start
    const isBehind =
      comment.start >= end && comment.start < lineEnd(text, end) && comment.end <= lineEnd(text, end)
    if (isBehind && text.slice(end, comment.start).trim() === '') end = comment.end
  }
  return { start, end }
}

/** The case and those that it falls through to. */
function reachedFrom(cases: readonly SwitchCase[], first: number): SwitchCase[] {
  const reached: SwitchCase[] = []
  for (const each of cases.slice(first)) {
    reached.push(each)
    if (statementsOf(each).some((statement) => endsAlways(statement))) break
  }
  return reached
}

function statementsOf({ consequent }: SwitchCase): Statement[] {
  const [only, ...more] = consequent
  return only?.type === 'BlockStatement' && more.every(isBreak) ? [...only.body, ...more] : consequent
}

function isBreak(statement: Statement): boolean {
  return statement.type === 'BreakStatement' && !statement.label
}

/** Whether a `break` within a statement ends the switch. */
function breaksInside(each: SwitchCase): boolean {
  const search = (node: Node): boolean => {
    if (node.type === 'BreakStatement') return !node.label
    if (isFunction(node) || /^(For\w*|While|DoWhile|Switch)Statement$/.test(node.type)) return false
    return childrenOf(node).some(([, child]) => search(child))
  }
  return statementsOf(each).some((statement) => !isBreak(statement) && search(statement))
}

/** Leaves the switch with the cases that can run. */
function narrowSwitch(unit: Unit, node: Switch, reached: readonly SwitchCase[]): Outcome {
  note(unit, node, 'A break inside of a statement ends this switch, so only its other cases were removed.')
  unit.visit(node.discriminant)
  for (const each of node.cases) {
    if (reached.includes(each)) visitChildren(unit, each)
    else unit.edits.remove(spanOf(each), wholeLines(unit, each))
  }
  return 'stays'
}

function wholeLines({ text }: Unit, node: Node) {
  const { start, end } = spanOf(node)
  const [first, last] = [lineStart(text, start), lineEnd(text, end)]
  const isAlone = text.slice(first, start).trim() === '' && text.slice(end, last).trim() === ''
  return isAlone ? { start: first, end: Math.min(text.length, last + 1) } : { start, end }
}
