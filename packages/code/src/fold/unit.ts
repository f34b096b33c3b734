// What is known about one file while a flag is removed from it.

import type { Node } from '@babel/types'
import type { Json } from '../flag/json.ts'
import type { CodeNames } from '../flag/reads.ts'
import { spanOf, walkNodes } from '../syntax/nodes.ts'
import type { Parsed } from '../syntax/parse.ts'
import { analyseScopes, type Scopes } from '../syntax/scopes.ts'
import { createEdits, type Edits } from '../text/edits.ts'
import type { Reduced } from './known.ts'

/** What another file exports under a name. */
export type Fact =
  /** A constant text, such as the key of a flag, or an object of such. */
  | { kind: 'constant'; value: Json }
  /** It holds the value of the flag. */
  | { kind: 'value'; value: Json }
  /** A function without parameters that returns the value of the flag. */
  | { kind: 'function'; value: Json; isAsync: boolean }

export interface Removal {
  key: string
  /** What every read of the flag is replaced with. */
  value: Json
  /** Keys of the other variations, whose tests are removed. */
  otherVariations: readonly string[]
  /** The key of the variation that is left. */
  variation: string | undefined
  names: CodeNames
}

export interface Leftover {
  line: number
  column: number
  reason: string
}

export interface Unit extends Parsed {
  path: string
  removal: Removal
  scopes: Scopes
  edits: Edits
  /** The packages and files that are imported. */
  sources: ReadonlySet<string>
  quote: string
  /** `;`, or nothing where the file goes without. */
  semicolon: string
  /** What the name exports that this file imports from there. */
  importedFact(source: string, name: string): Fact | undefined
  notes: { node: Node; reason: string }[]
  reduce(node: Node): Reduced
  /** Changes the node and all below it that depends on the flag. */
  visit(node: Node): undefined
}

/** How expressions are reduced and changed: passed in, because both lead to each other. */
export interface Steps {
  reduce(unit: Unit, node: Node): Reduced
  visit(unit: Unit, node: Node): undefined
}

export function createUnit(
  path: string,
  parsed: Parsed,
  { removal, importedFact, reduce, visit }: Pick<Unit, 'removal' | 'importedFact'> & Steps,
): Unit {
  const { text, program } = parsed
  const literal: { start: number; end: number }[] = []
  walkNodes(program, (node) => {
    if (node.type === 'TemplateElement' || node.type === 'StringLiteral') literal.push(spanOf(node))
    endBeforeNextLine(node, text)
    return undefined
  })
  const unit: Unit = {
    ...parsed,
    path,
    removal,
    importedFact,
    scopes: analyseScopes(program),
    edits: createEdits(text, literal),
    sources: sourcesOf(program),
    quote: count(text, "'") >= count(text, '"') ? "'" : '"',
    semicolon: usesSemicolons(program, text) ? ';' : '',
    notes: [],
    reduce: (node) => reduce(unit, node),
    visit: (node) => visit(unit, node),
  }
  return unit
}

/** A semicolon on a line after its statement guards what follows it, and stays with that. */
function endBeforeNextLine(node: Node, text: string): void {
  const end = node.end ?? 0
  if (text[end - 1] !== ';' || !/(Statement|Declaration)$/.test(node.type)) return
  const trimmed = text.slice(node.start ?? 0, end - 1).trimEnd()
  const left = (node.start ?? 0) + trimmed.length
  if (trimmed !== '' && text.slice(left, end).includes('\n')) node.end = left
}

function sourcesOf(program: Parsed['program']): Set<string> {
  return new Set(
    program.body.flatMap((statement) =>
      statement.type === 'ImportDeclaration' ? [statement.source.value] : [],
    ),
  )
}

function count(text: string, mark: string): number {
  return text.split(mark).length
}

function usesSemicolons(program: Node, text: string): boolean {
  let balance = 0
  walkNodes(program, (node) => {
    const isSimple = /^(ExpressionStatement|VariableDeclaration|ReturnStatement|ImportDeclaration)$/.test(
      node.type,
    )
    if (isSimple) balance += text[(node.end ?? 0) - 1] === ';' ? 1 : -1
    return undefined
  })
  return balance > 0
}
