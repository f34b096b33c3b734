// Tokenizes a statement without parsing it, and rejects ambiguous text: what passes is a single statement, and its kind
// decides how it runs. Anything not known to be harmless is rejected.

type StatementKind = 'read' | 'insert' | 'command'

export type Statement = { kind: StatementKind; text: string; parameters: string[] }

/** A rejection with ClickHouse's code and name, as its clients know them. */
export class StatementRefused extends Error {
  override name = 'StatementRefused'
  readonly code: number
  readonly label: string

  constructor(code: number, label: string, reason: string) {
    super(reason)
    this.code = code
    this.label = label
  }
}

const syntax = (reason: string) => new StatementRefused(62, 'SYNTAX_ERROR', reason)

type Token = { word: string; at: number; end: number; depth: number }
type Scan = { tokens: Token[]; parameters: string[]; end: number }

const readers = new Set(['SELECT', 'WITH', 'SHOW', 'DESCRIBE', 'DESC', 'EXISTS', 'EXPLAIN', '('])
/** Settings that persist would affect the next user of the session; they belong in the statement's text. */
const refusedFirst = new Set(['SET', 'USE'])
const formats = new Set(
  'JSON JSONCompact JSONEachRow JSONCompactEachRow TabSeparated TSV TabSeparatedWithNames CSV CSVWithNames Null'.split(
    ' ',
  ),
)

/** In this order: white space, comments, quoted text, words, and any other character. */
const lexer =
  /(?<blank>\s+|--[^\n]*|\/\*(?:[^*/]|\*(?!\/)|\/(?!\*))*\*\/)|(?<quoted>'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`(?:[^`\\]|\\[\s\S]|``)*`)|\{\s*(?<parameter>[A-Za-z_]\w*)\s*:|(?<word>\w+)|(?<other>[\s\S])/guy

export function scanStatement(text: string): Statement {
  const { tokens, parameters, end } = scan(text)
  const first = tokens[0]?.word.toUpperCase()
  if (first === undefined) throw syntax('Empty query')
  if (refusedFirst.has(first)) throw syntax(`${first} is not allowed here: settings go in the statement`)
  requireTextFormats(tokens)

  const statement = text.slice(0, end)
  if (first === 'INSERT') {
    requireSoundInsert(tokens)
    return { kind: 'insert', text: statement, parameters }
  }
  if (!readers.has(first)) return { kind: 'command', text: statement, parameters }
  return { kind: 'read', text: makeReadOnly(statement, tokens), parameters }
}

function scan(text: string): Scan {
  const tokens: Token[] = []
  const parameters = new Set<string>()
  let depth = 0
  let end: number | undefined
  for (const match of text.matchAll(lexer)) {
    const { blank, quoted, parameter, word, other } = match.groups ?? {}
    if (blank !== undefined) continue
    if (end !== undefined && other !== ';') throw syntax('Multi-statements are not allowed')
    if (other === ';') {
      end ??= match.index
      continue
    }
    if (parameter !== undefined) parameters.add(parameter)
    if (other !== undefined) requirePlain(other, text, match.index)
    if (parameter !== undefined || (other !== undefined && '([{'.includes(other))) depth++
    if (other !== undefined && ')]}'.includes(other)) depth--
    // A quoted identifier may be a function's name; a quoted string is not a word.
    const written = word ?? other ?? (quoted?.startsWith("'") ? undefined : quoted?.slice(1, -1))
    if (written !== undefined) {
      tokens.push({ word: written, at: match.index, end: match.index + match[0].length, depth })
    }
  }
  return { tokens, parameters: [...parameters], end: end ?? text.length }
}

/** Characters that might open a quotation, a comment or a statement for the engine but not for this tokenizer. */
function requirePlain(other: string, text: string, at: number): void {
  const opens = `'"\`#$\0‘’“”`.includes(other) || /^(\/\/|\/\*)/.test(text.slice(at, at + 2))
  if (opens) throw syntax(`Unrecognized token at position ${at}`)
}

function requireTextFormats(tokens: Token[]): void {
  for (const [index, { word }] of tokens.entries()) {
    if (word.toUpperCase() === 'OUTFILE') throw syntax('INTO OUTFILE is not allowed')
    const next = tokens[index + 1]?.word
    // A column may have this name; the clause is at the end, or before the settings.
    const after = tokens[index + 2]?.word.toUpperCase()
    const isClause = word.toUpperCase() === 'FORMAT' && (after === undefined || after === 'SETTINGS')
    if (!isClause || next === undefined || !/^\w+$/.test(next)) continue
    if (formats.has(next)) continue
    throw new StatementRefused(73, 'UNKNOWN_FORMAT', `Only text formats are carried unharmed, not ${next}`)
  }
}

function requireSoundInsert(tokens: Token[]): void {
  for (const [index, { word }] of tokens.entries()) {
    const name = word.toLowerCase()
    if (name === 'insert_deduplicate') {
      throw new StatementRefused(115, 'UNKNOWN_SETTING', 'insert_deduplicate has no effect in this engine')
    }
    if (name === 'input' && tokens[index + 1]?.word === '(') {
      throw new StatementRefused(48, 'NOT_IMPLEMENTED', 'input() writes nothing in this engine')
    }
  }
}

/**
 * `readonly` forbids files, addresses and writes. It must be in the outermost clause; elsewhere it could be lifted
 * for a part of the statement.
 */
function makeReadOnly(text: string, tokens: Token[]): string {
  const clause = tokens.findLastIndex(({ word, depth }) => depth === 0 && word.toUpperCase() === 'SETTINGS')
  const [settings, ...written] = clause < 0 ? [] : tokens.slice(clause, clause + 4)
  const isReadOnly = written.map(({ word }) => word.toLowerCase()).join('') === 'readonly=1'
  const mentions = tokens.filter(({ word }) => word.toLowerCase() === 'readonly').length
  if (mentions > (isReadOnly ? 1 : 0)) {
    throw new StatementRefused(164, 'READONLY', 'Cannot modify readonly in a query')
  }
  if (isReadOnly) return text
  if (settings === undefined) return `${text}\nSETTINGS readonly=1`
  return `${text.slice(0, settings.end)} readonly=1,${text.slice(settings.end)}`
}
