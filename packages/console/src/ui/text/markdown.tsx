import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { createElement, Fragment, type ReactNode } from 'react'

type MarkdownProps = {
  text: string
  /** Words that are emphasised, such as mentions; each with its `@`. */
  emphasised?: readonly string[]
}

/**
 * A subset of Markdown as elements: paragraphs, lists, quotes, code, headings, tables, emphasis and links. HTML and
 * pictures are shown as the text they are; nothing is fetched.
 */
export function Markdown({ text, emphasised = [] }: MarkdownProps) {
  return (
    <div className="grid min-w-0 gap-8 break-words text-pretty [&_a]:text-accent [&_a]:underline [&_code]:font-code [&_code]:text-12 [&_li]:ml-18 [&_ol]:list-decimal [&_ul]:list-disc">
      {blocks(lexer(text, { gfm: true, breaks: true }), emphasised)}
    </div>
  )
}

type Words = readonly string[]

/** As arguments, children need no keys: parts of one text have no identity, and are rendered together. */
function drawAll<Part>(parts: readonly Part[], draw: (part: Part, index: number) => ReactNode): ReactNode {
  return createElement(Fragment, null, ...parts.map(draw))
}

const drawEach = (tokens: readonly Token[], draw: (token: MarkedToken) => ReactNode) =>
  drawAll(tokens, (token) => (isMarked(token) ? draw(token) : token.raw))

const known = new Set([
  ...['blockquote', 'br', 'code', 'codespan', 'def', 'del', 'em', 'escape', 'heading', 'hr', 'html', 'image'],
  ...['link', 'list', 'list_item', 'paragraph', 'space', 'strong', 'table', 'text', 'checkbox'],
])

/** Only extensions, which are not used, have other types. */
const isMarked = (token: Token): token is MarkedToken => known.has(token.type)

const blocks = (tokens: readonly Token[], words: Words): ReactNode =>
  drawEach(tokens, (token) => {
    switch (token.type) {
      case 'paragraph':
        return <p>{inline(token.tokens, words)}</p>
      case 'heading':
        return <p className="font-strong text-14">{inline(token.tokens, words)}</p>
      case 'blockquote':
        return (
          <blockquote className="grid gap-8 border-line-strong border-l-2 pl-10 text-text-2">
            {blocks(token.tokens, words)}
          </blockquote>
        )
      case 'code':
        return (
          <pre className="overflow-x-auto rounded-control bg-hover p-8">
            <code>{token.text}</code>
          </pre>
        )
      case 'list':
        return token.ordered ? (
          <ol start={token.start === '' ? 1 : token.start}>{items(token, words)}</ol>
        ) : (
          <ul>{items(token, words)}</ul>
        )
      case 'table':
        return <MarkdownTable table={token} words={words} />
      case 'hr':
        return <hr className="border-line" />
      case 'space':
      case 'def':
        return null
      default:
        return inline([token], words)
    }
  })

const items = (list: Tokens.List, words: Words): ReactNode =>
  drawEach(list.items, (token) =>
    token.type === 'list_item' ? <li>{blocks(token.tokens, words)}</li> : null,
  )

function MarkdownTable({ table, words }: { table: Tokens.Table; words: Words }) {
  const row = (cells: readonly Tokens.TableCell[], Cell: 'th' | 'td') => (
    <tr>
      {drawAll(cells, ({ tokens }) => (
        <Cell className="border border-line px-8 py-4 text-left">{inline(tokens, words)}</Cell>
      ))}
    </tr>
  )
  return (
    <div className="overflow-x-auto">
      <table>
        <thead>{row(table.header, 'th')}</thead>
        <tbody>{drawAll(table.rows, (cells) => row(cells, 'td'))}</tbody>
      </table>
    </div>
  )
}

const inline = (tokens: readonly Token[], words: Words): ReactNode =>
  drawEach(tokens, (token) => {
    switch (token.type) {
      case 'strong':
        return <strong className="font-strong">{inline(token.tokens, words)}</strong>
      case 'em':
        return <em>{inline(token.tokens, words)}</em>
      case 'del':
        return <del>{inline(token.tokens, words)}</del>
      case 'codespan':
        return <code className="rounded-control bg-hover px-4">{token.text}</code>
      case 'br':
        return <br />
      case 'link':
        return <MarkdownLink href={token.href}>{inline(token.tokens, words)}</MarkdownLink>
      case 'text':
        return token.tokens ? inline(token.tokens, words) : emphasise(token.text, words)
      case 'escape':
        return token.text
      default:
        return token.raw
    }
  })

const followed = /^(https?:|mailto:)/i

function MarkdownLink({ href, children }: { href: string; children: ReactNode }) {
  if (!followed.test(href)) return <>{children}</>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

function emphasise(text: string, words: Words): ReactNode {
  const found = words.filter((word) => text.toLowerCase().includes(word.toLowerCase()))
  if (found.length === 0) return text
  const longestFirst = found.toSorted((a, b) => b.length - a.length)
  const pattern = longestFirst.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const parts = text.split(new RegExp(`(${pattern})`, 'iu'))
  return drawAll(parts, (part, index) =>
    index % 2 === 1 ? <strong className="font-medium text-accent">{part}</strong> : part,
  )
}
