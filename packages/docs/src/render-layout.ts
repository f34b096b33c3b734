import { addressOf, contents } from './contents.ts'
import { escapeHtml, type RenderedPage } from './render-page.ts'

export interface Layout {
  /** Path of the document below `docs/`; undefined for a page that does not exist. */
  path?: string
  page: RenderedPage
  /** Titles of all documents by path. */
  titles: ReadonlyMap<string, string>
  version: string
}

/** The whole HTML document around a rendered page. */
export function renderLayout({ path, page, titles, version }: Layout): string {
  const title = page.title === '' ? 'Documentation' : page.title
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Telltale documentation</title>
<link rel="icon" href="/favicon.svg">
<script src="/theme.js"></script>
<link rel="stylesheet" href="/docs/docs.css">
<script type="module" src="/docs/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="/docs/">Telltale documentation</a>
<search>
<label class="hidden" for="query">Search the documentation</label>
<input id="query" type="search" placeholder="Search" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list">
<div id="results" role="listbox" aria-label="Search results" hidden></div>
<p id="found" class="hidden" role="status"></p>
</search>
<a class="console" href="/">Console</a>
</header>
<div class="columns">
<nav aria-label="Documents"><details class="menu"><summary>All documents</summary>${renderMenu(titles, path)}</details></nav>
<main id="content" tabindex="-1">
${page.html}
${renderNeighbours(titles, path)}
<footer>Telltale ${escapeHtml(version)}</footer>
</main>
${renderOutline(page)}
</div>
</body>
</html>
`
}

function renderMenu(titles: ReadonlyMap<string, string>, current: string | undefined): string {
  return contents
    .map(({ title, pages }) => {
      const items = pages.map((path) => {
        const mark = path === current ? ' aria-current="page"' : ''
        return `<li><a href="/docs/${addressOf(path)}"${mark}>${escapeHtml(titles.get(path) ?? path)}</a></li>`
      })
      return `<section><h2>${escapeHtml(title)}</h2><ul>${items.join('')}</ul></section>`
    })
    .join('')
}

function renderOutline({ headings }: RenderedPage): string {
  const shown = headings.filter(({ level }) => level === 2)
  if (shown.length < 2) return ''
  const items = shown.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
  return `<aside aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></aside>`
}

function renderNeighbours(titles: ReadonlyMap<string, string>, path: string | undefined): string {
  if (path === undefined) return ''
  const pages = contents.flatMap((group) => group.pages)
  const place = pages.indexOf(path)
  const link = (target: string | undefined, label: string) =>
    target === undefined
      ? '<span></span>'
      : `<a href="/docs/${addressOf(target)}"><small>${label}</small>${escapeHtml(titles.get(target) ?? target)}</a>`
  return `<nav class="neighbours" aria-label="Previous and next">${link(pages[place - 1], 'Previous')}${link(pages[place + 1], 'Next')}</nav>`
}
