import GithubSlugger from 'github-slugger'
import { Marked, type Tokens } from 'marked'

export interface Heading {
  id: string
  level: number
  text: string
}

/** A search entry: the text between two headings. */
export interface Section {
  /** Of the heading; empty before the first one below the title. */
  id: string
  heading: string
  text: string
}

export interface RenderedPage {
  title: string
  html: string
  headings: Heading[]
  sections: Section[]
}

/**
 * One document as HTML. `linkOf` returns the URL of a link's target, or undefined when the target is not part of the
 * documentation: only the link's text is kept then.
 */
export function renderPage(markdown: string, linkOf: (target: string) => string | undefined): RenderedPage {
  const slugger = new GithubSlugger()
  const headings: Heading[] = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const plain = plainText(text)
        const id = slugger.slug(plain)
        headings.push({ id, level: depth, text: plain })
        const content = this.parser.parseInline(tokens)
        const anchor =
          depth === 1
            ? ''
            : ` <a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(plain)}">#</a>`
        return `<h${depth} id="${id}">${content}${anchor}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const content = this.parser.parseInline(tokens)
        const address = linkOf(href)
        return address === undefined ? content : `<a href="${escapeHtml(address)}">${content}</a>`
      },
      image({ href, text }: Tokens.Image) {
        const address = linkOf(href)
        return address === undefined
          ? escapeHtml(text)
          : `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells.map((cell) => this.tablecell({ ...cell, header: tag === 'th' })).join('')}</tr>`
        const head = token.header.some(({ text }) => text !== '')
          ? `<thead>${row(token.header, 'th')}</thead>`
          : ''
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
        return `<div class="table" role="region" aria-label="Table" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`
      },
      code({ text, lang }: Tokens.Code) {
        const label = lang === undefined || lang === '' ? 'Code' : `Code, ${lang}`
        return `<pre role="region" aria-label="${escapeHtml(label)}" tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`
      },
    },
  })
  const html = marked.parse(markdown, { async: false })
  return { title: headings[0]?.text ?? '', html, headings, sections: sectionsOf(html) }
}

function sectionsOf(html: string): Section[] {
  const parts = html.split(/(?=<h[1-6] id=")/)
  return parts.flatMap((part) => {
    const heading = /^<h\d id="([^"]*)">(.*?)<\/h\d>/s.exec(part)
    const text = textOfHtml(part.slice(heading?.[0].length ?? 0))
    if (heading === null) return text === '' ? [] : [{ id: '', heading: '', text }]
    const title = textOfHtml((heading[2] ?? '').replace(/ <a class="anchor".*$/s, ''))
    return [{ id: heading[1] ?? '', heading: title, text }]
  })
}

/** A heading without code, emphasis and link markup. */
const plainText = (markdown: string) =>
  markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')

const textOfHtml = (html: string) =>
  html
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
