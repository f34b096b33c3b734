import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parseSync } from 'vite'

/** One piece of text that a person may read, and where it is. */
export interface Text {
  file: string
  line: number
  text: string
}

interface Node {
  type: string
  start: number
  [property: string]: unknown
}

const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'packages/node/README.md',
  'packages/sdk/README.md',
]

/** Every text in the sources of the packages and the demo, and in every document. */
export function readTexts(root: string): Text[] {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`)
  const sources = [...packages, 'packages/cli/bin', 'demo', 'scripts/ready'].flatMap((folder) =>
    list(root, folder, /\.(tsx?|mjs)$/),
  )
  const pages = [...documents, ...list(root, 'docs', /\.md$/)]
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  return [
    ...sources.filter(isProduct).flatMap((file) => textsOfSource(file, read(file))),
    ...pages.flatMap((file) => textsOfDocument(file, read(file))),
  ]
}

function list(root: string, folder: string, wanted: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .filter((path) => wanted.test(path) && !/\/(dist|\.ready|node_modules)\//.test(path))
}

/** Tests, and what only they use, are read by developers alone. */
function isProduct(file: string): boolean {
  return !/\.test\.tsx?$|\/testing\/|\.d\.ts$/.test(file)
}

/**
 * Strings, templates and the text of JSX that read as language: with a space between letters, or with a capital first letter
 * (a label). Of JSX every text and attribute counts. Specifiers of imports, types, keys and SQL are no texts.
 */
export function textsOfSource(file: string, source: string): Text[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)

  const lineAt = lineCounter(source)
  const texts: Text[] = []
  walk(program, false, (node, inJsx) => {
    const text = textOf(node)
    if (text === undefined || !(inJsx ? /\p{L}/u : language).test(text) || sql.test(text)) return
    texts.push({ file, line: lineAt(node.start), text: text.replace(/\s+/g, ' ').trim() })
  })
  return texts
}

const language = /\p{L}[^\s\p{L}]* [^\s\p{L}]*\p{L}|^\s*\p{Lu}\p{Ll}/u
const sql =
  /\b(SELECT|FROM|WHERE|INSERT INTO|ALTER TABLE|CREATE|UPDATE|DELETE|GROUP BY|ORDER BY|JOIN|AND \w+ (=|IN)|ENGINE =)\b/

function textOf(node: Node): string | undefined {
  if (node.type === 'JSXText') return String(node.value)
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  // An expression in a template stands for a value.
  if (node.type === 'TemplateLiteral' && Array.isArray(node.quasis))
    return node.quasis.map(({ value }) => value.cooked ?? value.raw).join('…')
  return undefined
}

/** Attributes whose values are for the machine. */
const technical =
  /^(className|id|type|role|rel|href|src|name|key|kind|size|tone|variant|icon|as|to|from|side|align|method|target|autoComplete|inputMode|htmlFor|d|fill|stroke|viewBox|transform|data-.*)$/

function walk(value: unknown, inJsx: boolean, visit: (node: Node, inJsx: boolean) => void): void {
  if (Array.isArray(value)) {
    for (const each of value) walk(each, inJsx, visit)
    return
  }
  if (!isNode(value)) return
  if (/^(Import|ExportAll)Declaration$|^ImportExpression$/.test(value.type)) return
  if (/^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)/.test(value.type)) return
  if (value.type === 'JSXAttribute') {
    const name = isNode(value.name) ? String(value.name.name) : ''
    walk(value.value, !technical.test(name), visit)
    return
  }
  visit(value, inJsx && value.type !== 'JSXExpressionContainer')
  for (const [name, each] of Object.entries(value)) {
    if (value.type === 'Property' && name === 'key' && value.computed !== true) continue
    if (value.type === 'ExportNamedDeclaration' && name === 'source') continue
    walk(each, isShown(value.type, name, inJsx), visit)
  }
}

/** What an expression in JSX shows: its branches, and not what it compares or calls. */
function isShown(type: string, name: string, inJsx: boolean): boolean {
  if (type === 'JSXElement' || type === 'JSXFragment') return true
  if (!inJsx) return false
  if (type === 'ConditionalExpression') return name !== 'test'
  if (type === 'LogicalExpression') return name === 'right'
  return type === 'JSXExpressionContainer' || type === 'TemplateLiteral'
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Paragraphs of a document without code: fenced blocks, code in a line, and addresses of links. */
export function textsOfDocument(file: string, document: string): Text[] {
  let fenced = false
  return document.split('\n').flatMap((raw, at) => {
    if (/^\s*(```|~~~)/.test(raw)) fenced = !fenced
    if (fenced) return []
    const text = raw
      .replace(/`[^`]*`/g, '`…`')
      .replace(/\]\([^)]*\)/g, ']')
      .trim()
    return /\p{L}/u.test(text) ? [{ file, line: at + 1, text }] : []
  })
}

function lineCounter(source: string): (offset: number) => number {
  const starts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (low + 1 < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
