// Where code names flags: by the syntax in TypeScript and JavaScript, by text in everything else.

import type { Node } from '@babel/types'
import { type CodeNames, findReadCall } from './flag/reads.ts'
import { childrenOf, unwrap } from './syntax/nodes.ts'
import { isCode, parseCode } from './syntax/parse.ts'

export interface CodeReference {
  flag: string
  file: string
  line: number
  kind: 'read' | 'key' | 'name' | 'text'
  /** The lines around it. */
  context: string
}

export interface Search {
  keys: ReadonlySet<string>
  names: CodeNames
  /** Lines before and after; undefined: none at all. */
  contextLines: number | undefined
}

const longestLine = 200

/** One reference per flag and line, in the order of the lines. */
export function findReferences(file: string, text: string, search: Search): CodeReference[] {
  const named = namedFlags(search)
  if (![...search.keys, ...named.keys()].some((mark) => text.includes(lastName(mark)))) return []
  const parsed = isCode(file) ? parseCode(file, text) : undefined
  const found = new Map<string, Found>()
  const add = (each: Found) => {
    const id = `${each.line}\n${each.flag}`
    const known = found.get(id)
    if (known === undefined || order.indexOf(each.kind) < order.indexOf(known.kind)) found.set(id, each)
  }
  if (parsed === undefined || typeof parsed === 'string' || parsed.faults > 0) {
    findByText(text, { keys: search.keys, named }).forEach(add)
  } else findBySyntax(parsed.program, { ...search, named }).forEach(add)

  const lines = text.split('\n')
  return [...found.values()]
    .sort((a, b) => a.line - b.line || a.flag.localeCompare(b.flag))
    .map((each) => ({ ...each, file, context: contextOf(lines, each.line, search.contextLines) }))
}

type Found = Pick<CodeReference, 'flag' | 'line' | 'kind'>

/** The more a kind proves, the earlier. */
const order: CodeReference['kind'][] = ['read', 'name', 'key', 'text']

/** Constants and wrappers of the configuration that stand for one flag. */
function namedFlags({ names, keys }: Search): Map<string, string> {
  const all: [string, string][] = [
    ...Object.entries(names.constants),
    ...names.wrappers.flatMap(({ name, flag }): [string, string][] =>
      flag === undefined ? [] : [[name, flag]],
    ),
  ]
  return new Map(all.filter(([, flag]) => keys.has(flag)))
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

function contextOf(lines: readonly string[], line: number, count: number | undefined): string {
  if (count === undefined) return ''
  const around = lines.slice(Math.max(0, line - 1 - count), line + count)
  return around.map((each) => each.replaceAll('\0', '').slice(0, longestLine)).join('\n')
}

interface Named {
  named: ReadonlyMap<string, string>
}

function findBySyntax(program: Node, { keys, names, named }: Search & Named): Found[] {
  const found: Found[] = []
  const walk = (node: Node, isRead: boolean): void => {
    const line = node.loc?.start.line ?? 1
    const key = textOf(node)
    if (key !== undefined && keys.has(key)) found.push({ flag: key, line, kind: isRead ? 'read' : 'key' })
    const flag = named.get(pathOf(node))
    if (flag !== undefined) found.push({ flag, line, kind: 'name' })
    const isCall = node.type === 'CallExpression' || node.type === 'OptionalCallExpression'
    const path = isCall ? pathOf(node.callee) : ''
    const read = isCall
      ? findReadCall({ path, isMember: path.includes('.'), source: undefined }, names, new Set())
      : undefined
    for (const [, child] of childrenOf(node)) {
      walk(child, isCall && read !== undefined && child === node.arguments[read.argument])
    }
  }
  walk(program, false)
  return found
}

function textOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return node.value
  if (node.type === 'JSXText') return undefined
  return node.type === 'TemplateElement' ? (node.value.cooked ?? undefined) : undefined
}

/** `flags.getBoolean`; `?` for what has no name. */
function pathOf(given: Node): string {
  const node = unwrap(given)
  if (node.type === 'Identifier' || node.type === 'JSXIdentifier') return node.name
  if (node.type === 'ThisExpression') return 'this'
  const isMember = node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression'
  if (!isMember || node.computed || node.property.type !== 'Identifier') return '?'
  return `${pathOf(node.object)}.${node.property.name}`
}

/** A key counts where no letter, digit, `-` or `_` touches it. */
function findByText(text: string, { keys, named }: Named & { keys: ReadonlySet<string> }): Found[] {
  const marks = new Map([...[...keys].map((key): [string, string] => [key, key]), ...named])
  const found: Found[] = []
  text.split('\n').forEach((line, index) => {
    for (const [mark, flag] of marks) {
      if (isIn(line, mark)) found.push({ flag, line: index + 1, kind: 'text' })
    }
  })
  return found
}

function isIn(line: string, mark: string): boolean {
  for (let at = line.indexOf(mark); at >= 0; at = line.indexOf(mark, at + 1)) {
    const [before, after] = [line[at - 1] ?? ' ', line[at + mark.length] ?? ' ']
    if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true
  }
  return false
}
