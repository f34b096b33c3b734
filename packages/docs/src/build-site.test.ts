import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, test } from 'vitest'
import { buildSite } from './build-site.ts'
import { addressOf, contents } from './contents.ts'
import { renderPage } from './render-page.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, 'docs', path), 'utf8')
const paths = contents.flatMap(({ pages }) => pages)
const documents = new Map(paths.map((path) => [path, read(path)]))
const attachments = new Set([
  'reference/flags-as-code.schema.json',
  'reference/setup-file.schema.json',
  ...readdirSync(join(root, 'docs/pictures')).map((name) => `pictures/${name}`),
])

/** With one document changed or added. */
const build = (path?: string, markdown = '') =>
  buildSite({
    documents: path === undefined ? documents : new Map([...documents, [path, markdown]]),
    attachments,
    version: '1.2.3',
  })

test('every document of the repository becomes a page, and every link and anchor exists', () => {
  const { files } = build()
  for (const path of paths) {
    const page = files.get(`${addressOf(path) || 'index'}.html`)
    expect(page, path).toContain('aria-current="page"')
    expect(page).toContain('Telltale 1.2.3')
  }
  expect(files.get('404.html')).toContain('Page not found')
})

test.each([
  ['guides/start.md', '[gone](nowhere.md)', 'guides/start.md links to nowhere.md, which does not exist'],
  [
    'guides/start.md',
    '[gone](monitoring.md#nowhere)',
    'links to guides/monitoring.md#nowhere, which does not exist',
  ],
  ['guides/new.md', '# New', 'guides/new.md is not listed'],
])('a build with %s as %s fails and says why', (path, markdown, fault) => {
  expect(() => build(path, markdown)).toThrow(fault)
})

test('what the console links to exists', () => {
  const source = join(root, 'packages/console/src')
  const linked = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.tsx'))
    .flatMap((path) => [
      ...readFileSync(join(source, ...path.split(sep)), 'utf8').matchAll(/<DocsLink page="([^"]*)"/g),
    ])
    .map(([, page = '']) => page)
  expect(linked.length).toBeGreaterThan(2)
  const addresses = paths.map(addressOf)
  for (const page of linked) expect(addresses).toContain(page.split('#', 1)[0])
})

test('a page has its title, headings with ids that differ, and the text of each section for the search', () => {
  const page = renderPage(
    '# A `title`\n\nBefore.\n\n## One & two\n\nFirst <b>text</b>.\n\n## One & two\n\n```sh\nnpm start < file\n```\n',
    () => undefined,
  )
  expect(page.title).toBe('A title')
  expect(page.headings.map(({ id }) => id)).toEqual(['a-title', 'one--two', 'one--two-1'])
  expect(page.sections).toEqual([
    { id: 'a-title', heading: 'A title', text: 'Before.' },
    { id: 'one--two', heading: 'One & two', text: 'First text .' },
    { id: 'one--two-1', heading: 'One & two', text: 'npm start < file' },
  ])
})

test('a link to what is not served leaves its text', () => {
  const { html } = renderPage('[a file](../bench/results.md) and [a page](x.md)', (target) =>
    target === 'x.md' ? '/docs/x?a=1&b="2"' : undefined,
  )
  expect(html).toBe('<p>a file and <a href="/docs/x?a=1&amp;b=&quot;2&quot;">a page</a></p>\n')
})
