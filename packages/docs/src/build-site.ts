import { posix } from 'node:path'
import { addressOf, contents } from './contents.ts'
import { renderLayout } from './render-layout.ts'
import { type RenderedPage, renderPage } from './render-page.ts'

export interface SearchedSection {
  /** The address of the section below `/docs/`. */
  id: string
  title: string
  heading: string
  text: string
}

export interface Site {
  /** Content by file name, relative to the folder served at `/docs/`. */
  files: Map<string, string>
}

interface SiteSource {
  /** Markdown by path below `docs/`. */
  documents: ReadonlyMap<string, string>
  /** Paths of other files below `docs/` that documents link to. */
  attachments: ReadonlySet<string>
  version: string
}

/** All pages and the search text. Throws with every broken link and every document that `contents` does not list. */
export function buildSite({ documents, attachments, version }: SiteSource): Site {
  const listed = new Set(contents.flatMap(({ pages }) => pages))
  const faults = [
    ...[...documents.keys()]
      .filter((path) => !listed.has(path))
      .map((path) => `${path} is not listed in contents.ts`),
    ...[...listed]
      .filter((path) => !documents.has(path))
      .map((path) => `${path} is listed and does not exist`),
  ]
  const targets: { from: string; to: string; anchor: string }[] = []
  const rendered = new Map<string, RenderedPage>()
  for (const [path, markdown] of documents) {
    const linkOf = (target: string) => {
      if (/^[a-z]+:/.test(target)) return target
      const [relative = '', anchor = ''] = target.split('#', 2)
      const to = relative === '' ? path : posix.normalize(posix.join(posix.dirname(path), relative))
      if (documents.has(to)) {
        targets.push({ from: path, to, anchor })
        return `/docs/${addressOf(to)}${anchor === '' ? '' : `#${anchor}`}`
      }
      if (attachments.has(to)) return `/docs/${to}`
      // Files of the repository are not served.
      if (!to.startsWith('../')) faults.push(`${path} links to ${target}, which does not exist`)
      return undefined
    }
    rendered.set(path, renderPage(markdown, linkOf))
  }
  for (const { from, to, anchor } of targets) {
    const exists = anchor === '' || rendered.get(to)?.headings.some(({ id }) => id === anchor)
    if (!exists) faults.push(`${from} links to ${to}#${anchor}, which does not exist`)
  }
  if (faults.length > 0) throw new Error(`The documentation has faults:\n${faults.join('\n')}`)
  return { files: filesOf(rendered, version) }
}

function filesOf(rendered: ReadonlyMap<string, RenderedPage>, version: string): Map<string, string> {
  const titles = new Map([...rendered].map(([path, { title }]) => [path, title]))
  const files = new Map<string, string>()
  for (const [path, page] of rendered)
    files.set(`${addressOf(path) || 'index'}.html`, renderLayout({ path, page, titles, version }))
  const missing: RenderedPage = {
    title: 'Page not found',
    html: '<h1>Page not found</h1><p>There is no document at this address. Search, or choose one from the list.</p>',
    headings: [],
    sections: [],
  }
  files.set('404.html', renderLayout({ page: missing, titles, version }))
  const sections: SearchedSection[] = [...rendered].flatMap(([path, page]) =>
    page.sections.map(({ id, heading, text }) => ({
      id: `${addressOf(path)}${id === '' ? '' : `#${id}`}`,
      title: page.title,
      heading,
      text,
    })),
  )
  files.set('search.json', JSON.stringify(sections))
  return files
}
