// Filters of SCIM (RFC 7644, 3.4.2.2). Names of attributes are not case-sensitive: they are returned in lower case, and
// without the URN of the core schemas. `emails[type eq "work"].value eq "x"` becomes two comparisons.

import { limits } from '../limits.ts'
import { invalid } from './scim-error.ts'

const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Comparison = (typeof comparisons)[number]
export type ScimValue = string | number | boolean | null

export type ScimFilter =
  | { kind: 'and' | 'or'; of: readonly [ScimFilter, ScimFilter] }
  | { kind: 'not'; of: ScimFilter }
  | { kind: 'compare'; attribute: string; op: Comparison; value: ScimValue }
  | { kind: 'present'; attribute: string }

export interface ScimPath {
  /** `name.familyname`, `emails.value`. */
  attribute: string
  where: ScimFilter | undefined
}

export function parseFilter(text: string): ScimFilter {
  const parser = openParser(text)
  const filter = readOr(parser, '', 0)
  parser.end()
  return filter
}

/** The path of a PATCH: `members`, `members[value eq "1"]`, `emails[type eq "work"].value`. */
export function parsePath(text: string): ScimPath {
  const parser = openParser(text)
  const name = nameOf(parser.take('word'))
  const where = parser.accept('[') ? readOr(parser, '', 1) : undefined
  if (where !== undefined) parser.take(']')
  const inner = where !== undefined && parser.peek()?.kind === 'word' ? parser.take('word') : ''
  if (inner !== '' && !inner.startsWith('.')) throw invalid('invalidPath', `The path ends after "]": ${text}`)
  parser.end()
  return { attribute: name + inner.toLowerCase(), where }
}

const coreSchemas = /^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/

function nameOf(word: string): string {
  return word.toLowerCase().replace(coreSchemas, '')
}

interface Token {
  kind: 'word' | 'value' | '(' | ')' | '[' | ']'
  text: string
}

interface Parser {
  peek(): Token | undefined
  take(kind: Token['kind']): string
  accept(kind: Token['kind']): boolean
  /** A word such as `and`, in any case. */
  acceptWord(word: string): boolean
  end(): void
}

const pattern = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)|([A-Za-z$.][\w$:.-]*))/y

function openParser(text: string): Parser {
  if (text.length > limits.scimFilterLength) {
    throw invalid('invalidFilter', `A filter has at most ${limits.scimFilterLength} characters.`)
  }
  const tokens = tokenize(text)
  let at = 0
  const fail = (wanted: string) => {
    const found = tokens[at]?.text ?? 'its end'
    return invalid('invalidFilter', `The filter needs ${wanted} before ${found}.`)
  }
  const accept = (fits: (token: Token) => boolean) => {
    const token = tokens[at]
    if (token === undefined || !fits(token)) return undefined
    at += 1
    return token.text
  }
  return {
    peek: () => tokens[at],
    take: (kind) => {
      const text = accept((token) => token.kind === kind)
      if (text === undefined) throw fail(kind === 'word' ? 'an attribute' : kind)
      return text
    },
    accept: (kind) => accept((token) => token.kind === kind) !== undefined,
    acceptWord: (word) =>
      accept((token) => token.kind === 'word' && token.text.toLowerCase() === word) !== undefined,
    end: () => {
      if (at < tokens.length) throw fail('an operator')
    },
  }
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (text.slice(at).trim() !== '') {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null) throw invalid('invalidFilter', `The filter cannot be read at character ${at + 1}.`)
    const [, bracket, quoted, number, word = ''] = found
    if (bracket !== undefined) tokens.push({ kind: bracketOf(bracket), text: bracket })
    else if (quoted !== undefined || number !== undefined) {
      tokens.push({ kind: 'value', text: quoted ?? number ?? '' })
    } else tokens.push({ kind: 'word', text: word })
    at = pattern.lastIndex
  }
  return tokens
}

function bracketOf(text: string): Exclude<Token['kind'], 'word' | 'value'> {
  if (text === '(' || text === ')' || text === '[') return text
  return ']'
}

/** `within`: what the attributes belong to, such as `emails.`. */
function readOr(parser: Parser, within: string, depth: number): ScimFilter {
  let filter = readAnd(parser, within, depth)
  while (parser.acceptWord('or')) filter = { kind: 'or', of: [filter, readAnd(parser, within, depth)] }
  return filter
}

function readAnd(parser: Parser, within: string, depth: number): ScimFilter {
  let filter = readTerm(parser, within, depth)
  while (parser.acceptWord('and')) filter = { kind: 'and', of: [filter, readTerm(parser, within, depth)] }
  return filter
}

function readTerm(parser: Parser, within: string, depth: number): ScimFilter {
  if (depth > limits.scimFilterDepth) throw invalid('invalidFilter', 'The filter is nested too deep.')
  if (parser.acceptWord('not')) {
    parser.take('(')
    const of = readOr(parser, within, depth + 1)
    parser.take(')')
    return { kind: 'not', of }
  }
  if (parser.accept('(')) {
    const inner = readOr(parser, within, depth + 1)
    parser.take(')')
    return inner
  }
  const attribute = within + nameOf(parser.take('word'))
  if (!parser.accept('[')) return readComparison(parser, attribute)
  const where = readOr(parser, `${attribute}.`, depth + 1)
  parser.take(']')
  const next = parser.peek()
  if (next?.kind !== 'word' || !next.text.startsWith('.')) return where
  const inner = attribute + parser.take('word').toLowerCase()
  return { kind: 'and', of: [where, readComparison(parser, inner)] }
}

function readComparison(parser: Parser, attribute: string): ScimFilter {
  const word = parser.take('word').toLowerCase()
  if (word === 'pr') return { kind: 'present', attribute }
  const op = comparisons.find((one) => one === word)
  if (op === undefined) throw invalid('invalidFilter', `The filter has an unknown operator: ${word}`)
  return { kind: 'compare', attribute, op, value: readValue(parser) }
}

const words: Readonly<Record<string, ScimValue>> = { true: true, false: false, null: null }

function readValue(parser: Parser): ScimValue {
  const text = parser.take(parser.peek()?.kind === 'word' ? 'word' : 'value')
  const word = text.toLowerCase()
  if (Object.hasOwn(words, word)) return words[word] ?? null
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'string' || typeof value === 'number') return value
  } catch {
    // Neither a text in quotes nor a number: refused below.
  }
  throw invalid('invalidFilter', 'The filter compares with something that is neither text nor a number.')
}
