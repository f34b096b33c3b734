// Writes what is left of an expression where the expression was: with parentheses where they are needed.

import type { Node } from '@babel/types'
import { type Json, printJson } from '../flag/json.ts'
import { childrenOf, spanOf } from '../syntax/nodes.ts'
import type { Part } from '../text/edits.ts'
import { indentAt, lineStart } from '../text/lines.ts'
import type { Unit } from './unit.ts'

/** A span of the text, with the indentation that it has in the place of `from`. */
export function moved({ text }: Unit, span: { start: number; end: number }, from: Node): Part {
  const start = from.start ?? 0
  if (lineStart(text, start) === lineStart(text, span.start)) return span
  const dedent = indentAt(text, span.start).length - indentAt(text, start).length
  return { ...span, dedent }
}

/** Without semicolons, a statement that starts with a bracket would continue the one before. */
export function guard(unit: Unit, node: Node, start: number | 'wrapped'): string {
  if (start !== 'wrapped' && !/^[([`/+-]/.test(unit.text.slice(start, start + 1))) return ''
  return wouldContinue(unit, node) ? ';' : ''
}

/** What ends with a brace and stays: an `if` may become a statement that does not. */
const endsWithBlock = /^(FunctionDeclaration|ClassDeclaration|BlockStatement|TryStatement|For\w*Statement)$/

function wouldContinue(unit: Unit, node: Node): boolean {
  const link = unit.scopes.links.get(node)
  if (link === undefined) return false
  const [, previous] =
    childrenOf(link.parent).findLast(
      ([role, child]) => role === link.role && (child.end ?? 0) <= (node.start ?? 0),
    ) ?? []
  if (previous !== undefined) {
    // Without the comment behind it.
    const before = unit.text.slice(0, previous.end ?? 0)
    return !before.endsWith(';') && !(before.endsWith('}') && isClosed(unit, previous))
  }
  const inBlock = link.parent.type === 'BlockStatement' || link.parent.type === 'SwitchCase'
  const holder = inBlock ? unit.scopes.links.get(link.parent)?.parent : link.parent
  if (holder?.type !== 'IfStatement' && holder?.type !== 'SwitchStatement') return false
  const decision = unit.reduce(holder.type === 'IfStatement' ? holder.test : holder.discriminant)
  // What is left of the condition comes first. A branch that is alone takes the place of the whole statement.
  if (decision.kind !== 'known') return false
  return decision.keep.length > 0 || wouldContinue(unit, holder)
}

/** An expression as a statement: without these, it would begin a block or a declaration. */
export const beginsStatement = /^(\{|function\b|async function|class\b|let\s*\[)/

/** A statement with braces behind which another one can begin with a bracket, whatever is left of it. */
function isClosed(unit: Unit, statement: Node): boolean {
  if (endsWithBlock.test(statement.type)) return true
  if (statement.type !== 'IfStatement') return false
  const { consequent, alternate } = statement
  return [consequent, alternate].every((branch) => branch == null || endsBranch(unit, branch))
}

function endsBranch(unit: Unit, branch: Node): boolean {
  if (branch.type === 'IfStatement') return isClosed(unit, branch)
  const last = branch.type === 'BlockStatement' ? branch.body.at(-1) : branch
  return last === undefined || unit.text.slice(0, last.end ?? 0).endsWith(';')
}

/** What ends a new statement in the place of `node`: files may mix both styles. */
export function semicolonAfter(unit: Unit, node: Node): string {
  const end = node.end ?? 0
  return isBeforeBracket(unit, node) || unit.text[end - 1] === ';' ? ';' : unit.semicolon
}

/** The next line would continue a statement that takes the place of `node`. */
function isBeforeBracket({ text }: Unit, node: Node): boolean {
  return /^\s*\n\s*([([`+-]|\/(?![/*]))/.test(text.slice(node.end ?? 0))
}

/** Without `node`, the statement behind it would continue the one before. */
export function separates(unit: Unit, node: Node): boolean {
  return isBeforeBracket(unit, node) && wouldContinue(unit, node)
}

/** `chosen`, a part of `node`, in the place of it. */
export function placeNode(unit: Unit, node: Node, chosen: Node): Part[] {
  const inner = chosen.type === 'ParenthesizedExpression' ? chosen.expression : chosen
  const isWide = chosen !== inner && unit.text.slice(chosen.start ?? 0, chosen.end ?? 0).includes('\n')
  if (isWide && !isChild(unit, node)) return [moved(unit, spanOf(chosen), node)]
  const part = moved(unit, spanOf(inner), node)
  const isWrapped = needsParentheses(unit, node, inner)
  const statement = unit.scopes.links.get(node)?.parent
  const before =
    statement?.type === 'ExpressionStatement'
      ? guard(unit, statement, isWrapped ? 'wrapped' : (inner.start ?? 0))
      : ''
  return isWrapped ? [before, '(', part, ')'] : [before, part]
}

function isChild({ scopes }: Unit, node: Node): boolean {
  return scopes.links.get(node)?.parent.type === 'JSXExpressionContainer'
}

const loose: Record<string, readonly string[]> = {
  VariableDeclarator: ['init'],
  AssignmentExpression: ['right'],
  AssignmentPattern: ['right'],
  ReturnStatement: ['argument'],
  ThrowStatement: ['argument'],
  YieldExpression: ['argument'],
  CallExpression: ['arguments'],
  OptionalCallExpression: ['arguments'],
  NewExpression: ['arguments'],
  ArrayExpression: ['elements'],
  ObjectProperty: ['value', 'key'],
  ClassProperty: ['value'],
  SpreadElement: ['argument'],
  JSXExpressionContainer: ['expression'],
  JSXSpreadAttribute: ['argument'],
  ArrowFunctionExpression: ['body'],
  ExpressionStatement: ['expression'],
  TemplateLiteral: ['expressions'],
  ParenthesizedExpression: ['expression'],
  ConditionalExpression: ['consequent', 'alternate'],
  MemberExpression: ['property'],
  OptionalMemberExpression: ['property'],
  IfStatement: ['test'],
  WhileStatement: ['test'],
  DoWhileStatement: ['test'],
  ForStatement: ['init', 'test', 'update'],
  SwitchStatement: ['discriminant'],
  SequenceExpression: ['expressions'],
  TSEnumMember: ['initializer'],
}

function needsParentheses(unit: Unit, node: Node, inner: Node): boolean {
  const link = unit.scopes.links.get(node)
  if (link === undefined) return true
  const { parent, role } = link
  const start = unit.text.slice(inner.start ?? 0, (inner.start ?? 0) + 20)
  if (parent.type === 'ArrowFunctionExpression' && role === 'body' && start.startsWith('{')) return true
  if (parent.type === 'ExpressionStatement' && beginsStatement.test(start)) return true
  if (inner.type === 'SequenceExpression') return parent.type !== 'ExpressionStatement'
  if (loose[parent.type]?.includes(role)) return false
  if (parent.type === 'NewExpression') return inner.type !== 'Identifier'
  const isHead = role === 'object' || role === 'callee' || role === 'tag'
  if (isHead && (inner.type.startsWith('Optional') || inner.type === 'NumericLiteral')) return true
  if (isPrimary(inner)) return false
  if (isMixed(parent, inner)) return true
  return precedenceOf(inner) < precedenceOf(node) || precedenceOf(node) === 0
}

function isMixed(parent: Node, inner: Node): boolean {
  if (parent.type !== 'LogicalExpression' || inner.type !== 'LogicalExpression') return false
  return (parent.operator === '??') !== (inner.operator === '??')
}

function isPrimary({ type }: Node): boolean {
  return /^(Identifier|ThisExpression|Super|(Optional)?(Call|Member)Expression|NewExpression|ArrayExpression|ObjectExpression|TemplateLiteral|TaggedTemplateExpression|(String|Numeric|Boolean|Null|BigInt|RegExp)Literal|JSXElement|JSXFragment|ParenthesizedExpression)$/.test(
    type,
  )
}

const levels = [
  ['??'],
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!=', '===', '!=='],
  ['<', '>', '<=', '>=', 'in', 'instanceof'],
  ['<<', '>>', '>>>'],
  ['+', '-'],
  ['*', '/', '%'],
  ['**'],
]

/** 0: unknown. */
function precedenceOf(node: Node): number {
  switch (node.type) {
    case 'ConditionalExpression':
      return 1
    case 'BinaryExpression':
    case 'LogicalExpression':
      return 2 + levels.findIndex((level) => level.includes(node.operator))
    case 'UnaryExpression':
    case 'AwaitExpression':
      return 2 + levels.length
    default:
      return 0
  }
}

/** The value as a literal, in the place of `node`. */
export function placeValue(
  unit: Unit,
  node: Node,
  { value, isPromise = false }: { value: Json | undefined; isPromise?: boolean | undefined },
): string {
  const text = printJson(value, unit.quote)
  if (isPromise) return `Promise.resolve(${text})`
  const link = unit.scopes.links.get(node)
  if (link === undefined) return text
  const { parent, role } = link
  const isHead = role === 'object' || role === 'callee'
  const isOperand = parent.type === 'UnaryExpression' || parent.type === 'BinaryExpression'
  if (typeof value === 'number' && (isHead || (value < 0 && isOperand))) return `(${text})`
  const isStart = role === 'body' || parent.type === 'ExpressionStatement' || isHead
  return text.startsWith('{') && isStart ? `(${text})` : text
}
