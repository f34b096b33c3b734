// Operations that no conversion would make, handed to the player's document itself and without the policy of the server:
// what is built is harmless by itself.

import { expect, type Page, test } from '@playwright/test'
import { createRrwebConverter } from '@telltale/core/telemetry/replay/convert-rrweb'
import { type EvilServer, startEvilServer } from './evil-server.ts'
import type { Site } from './flag-server.ts'
import { hostilePage } from './hostile-recordings.ts'
import type { Sent } from './recorder.ts'
import { startRecorderSite } from './recorder.ts'
import { openReplay, playerFiles, showMoment } from './replayed-page.ts'

let site: Site
let evil: EvilServer
test.beforeAll(async () => {
  site = await startRecorderSite(await playerFiles())
  evil = await startEvilServer()
})
test.afterAll(async () => {
  evil?.close()
  await site?.[Symbol.asyncDispose]()
})

const at = 1_000_000
const element = (id: number, tag: string, more: object = {}) => ({
  kind: 'element',
  id,
  tag,
  attributes: {},
  children: [],
  ...more,
})
const text = (id: number, content: string) => ({ kind: 'text', id, text: content })
const pageWith = (...body: object[]) => ({
  at,
  do: 'page',
  width: 800,
  height: 500,
  document: {
    id: 1,
    children: [
      element(3, 'html', { children: [element(4, 'head'), element(5, 'body', { children: body })] }),
    ],
  },
})

async function play(page: Page, operations: readonly unknown[]): Promise<void> {
  const lines = operations.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
  const header = {
    index: 0,
    full: true,
    records: 1,
    reason: '',
    startedAt: at,
    endedAt: at + 10_000,
    assets: [],
  }
  const sent: Sent = {
    path: '',
    header,
    hash: '',
    mime: '',
    bytes: [],
    text: lines.join('\n'),
    keepalive: false,
  }
  await openReplay(page, `${site.url}/host`, [sent])
  await showMoment(page, at + 9_000)
}

/** Of all pages within the recorded one. */
function built(page: Page) {
  return page.evaluate(() => {
    const found: Element[] = []
    const walk = (root: Document | ShadowRoot) => {
      for (const each of root.querySelectorAll('*')) {
        found.push(each)
        if (each.shadowRoot) walk(each.shadowRoot)
        if (each.localName === 'iframe') {
          const inner = (each as HTMLIFrameElement).contentDocument
          if (inner) walk(inner)
        }
      }
    }
    const player = document.querySelector('iframe')?.contentDocument
    const recorded = player?.querySelector<HTMLIFrameElement>('.stage iframe')?.contentDocument
    if (!recorded) throw new Error('nothing is shown')
    walk(recorded)
    for (const each of found) if (each instanceof HTMLElement) each.click()
    return {
      text: recorded.body.innerText,
      tags: [...new Set(found.map(({ localName }) => localName))],
      attributes: found.flatMap((each) => [...each.attributes].map(({ name, value }) => `${name}=${value}`)),
      styles: found.map((each) => (each.localName === 'style' ? each.textContent : '')).join(),
      sheets: recorded.adoptedStyleSheets
        .map((sheet) => [...sheet.cssRules].map((rule) => rule.cssText).join())
        .join(),
      marks: [window, frames[0], frames[0]?.frames[0]].map((each) => each !== undefined && 'hacked' in each),
    }
  })
}

function hostileOperations(): unknown[] {
  const run = `top.hacked = true; fetch('${evil.url}/program')`
  const link = (id: number, rel: string) =>
    element(id, 'link', { attributes: { rel, href: `${evil.url}/${rel}` } })
  const insert = (parent: unknown, ...nodes: unknown[]) => ({
    at: at + 1,
    do: 'insert',
    parent,
    before: null,
    nodes,
  })
  const change = (more: object) => ({ at: at + 2, ...more })
  return [
    pageWith(
      element(10, 'p', {
        attributes: { onclick: run, style: `background: url(${evil.url}/style.png)` },
        children: [text(11, 'Still here')],
      }),
      element(12, 'script', { children: [text(13, run)] }),
      element(14, 'iframe', {
        attributes: { src: evil.url, srcdoc: `<script>${run}</script>`, sandbox: 'allow-scripts' },
      }),
      // Parts of an address in several texts.
      element(15, 'style', {
        children: [
          text(16, '* { background: u'),
          text(17, `rl(${evil.url}/parts.png) } @imp`),
          text(18, `ort "${evil.url}/parts.css";`),
        ],
      }),
      element(19, 'style', {
        state: { sheet: `@import "${evil.url}/sheet.css"; b { background: url(${evil.url}/sheet.png) }` },
      }),
      element(20, 'svg', {
        space: 'svg',
        children: [
          element(21, 'script', { space: 'svg', children: [text(22, run)] }),
          element(23, 'image', {
            space: 'svg',
            attributes: { href: `${evil.url}/svg.png`, 'xlink:href': `${evil.url}/x.png` },
          }),
        ],
      }),
      element(24, 'math', {
        space: 'math',
        children: [
          element(25, 'mi', { space: 'math', attributes: { href: `javascript:${run}`, onclick: run } }),
          element(26, 'script', { space: 'math' }),
        ],
      }),
      element(27, 'img', { attributes: { src: `${evil.url}/image.png`, onerror: run } }),
      element(28, 'x-card', {
        state: { defined: true },
        shadow: {
          id: 29,
          children: [
            element(30, 'script', { children: [text(31, run)] }),
            element(32, 'img', { attributes: { src: `${evil.url}/shadow.png` } }),
          ],
        },
      }),
      element(33, 'canvas'),
      element(90, 'img', {
        attributes: {
          src: `${evil.url}/img.png`,
          srcset: `${evil.url}/img.png 2x`,
          style: 'object-fit: cover',
        },
      }),
      element(34, 'form', {
        children: [element(35, 'input', { attributes: { name: 'appendChild', id: 'insertBefore' } })],
      }),
      ...[link(36, 'stylesheet'), link(37, 'preconnect'), link(38, 'icon')],
      element(39, 'div', {
        state: {
          box: { width: '9px;background:url(x)', height: 1e99 },
          scroll: 'far',
          open: 'modal',
          value: 7,
        },
      }),
    ),
    insert(34, element(50, 'p', { children: [text(51, 'Late')] })),
    ...[
      // Another element would take the place of the page's own.
      insert(1, text(52, 'x')),
      insert(14, element(53, 'p')),
      insert(12, text(54, run)),
      insert(11, text(55, 'x')),
    ],
    // Into itself, into what is in it, twice, and where a document or a shadow root is.
    ...[10, 5, 3, 1, 29].map((id) => insert(10, { kind: 'known', id })),
    ...[insert(5, element(5, 'p')), insert(50, element(1, 'p'), element(3, 'p'), element(29, 'p'))],
    ...[
      insert('5', element(60, 'p')),
      insert(5, 7, null, [], { kind: 'element' }, { kind: 'text', id: -1 }),
      insert(999, element(61, 'p')),
    ],
    change({ do: 'attribute', id: 10, name: 'onclick', value: run }),
    change({ do: 'attribute', id: 14, name: 'srcdoc', value: `<script>${run}</script>` }),
    change({ do: 'attribute', id: 14, name: 'sandbox', value: null }),
    change({ do: 'attribute', id: 12, name: 'src', value: `${evil.url}/script.js` }),
    change({ do: 'attribute', id: 36, name: 'rel', value: 'preload' }),
    change({ do: 'attribute', id: { toString: run }, name: ['x'], value: {} }),
    change({ do: 'text', id: 16, text: `@import url(${evil.url}/text.css); * { background: \\75 r` }),
    change({
      do: 'declare',
      sheet: { node: 10 },
      path: [],
      property: 'background',
      value: `url(${evil.url}/declared.png)`,
      important: true,
    }),
    change({
      do: 'declare',
      sheet: { node: 19 },
      path: [0],
      property: 'background',
      value: `url(${evil.url}/rule.png)`,
      important: false,
    }),
    change({ do: 'insert-rule', sheet: { node: 15 }, path: [0], text: `@import "${evil.url}/inserted.css"` }),
    change({
      do: 'insert-rule',
      sheet: { node: 15 },
      path: [0],
      text: `i { background: url(${evil.url}/inserted.png) }`,
    }),
    change({
      do: 'sheet',
      sheet: { constructed: 1 },
      text: `p { background: url(${evil.url}/constructed.png) }`,
    }),
    change({ do: 'adopt', id: 1, sheets: [1, 1, 'x', 9e9] }),
    change({ do: 'canvas', id: 33, mime: 'image/svg+xml', data: 'AAAA' }),
    change({ do: 'canvas', id: 33, mime: 'image/png', data: `"),url(${evil.url}/canvas.png` }),
    change({ do: 'canvas', id: 90, mime: 'image/svg+xml', data: 'AAAA' }),
    change({ do: 'canvas', id: 90, mime: `image/png,"),url(${evil.url}/img.png`, data: 'AAAA' }),
    change({ do: 'canvas', id: 90, mime: 'image/png', data: `"),url(${evil.url}/img.png` }),
    change({ do: 'document', id: 14, document: { id: 1, children: [] } }),
    change({
      do: 'document',
      id: 14,
      document: {
        id: 70,
        children: [
          element(71, 'html', {
            children: [
              element(72, 'script', { children: [text(73, run)] }),
              element(74, 'img', { attributes: { src: `${evil.url}/frame.png` } }),
            ],
          }),
        ],
      },
    }),
    change({ do: 'document', id: 10, document: { id: 75, children: [] } }),
    change({ do: 'shadow', id: 34, shadow: { id: 76, children: [element(77, 'p')] } }),
    change({
      do: 'state',
      id: 28,
      state: {
        defined: true,
        sheet: `* { background: url(${evil.url}/state.png) }`,
        open: {},
        scroll: { x: 'a', y: 1e300 },
      },
    }),
    change({ do: 'remove', ids: [1, 29, -1, '5', 1e300, null] }),
    ...['zoom', 'viewport', 'focus', 'pointer', 'press', 'note', 'address', '__proto__', 'constructor'].map(
      (kind) => change({ do: kind, id: {}, positions: 7, note: 7, width: 'x', scale: null }),
    ),
    ...[
      null,
      7,
      'text',
      [],
      {},
      '{"do":"text","id":1',
      JSON.stringify({ at: at + 3, do: 'attribute', id: 10, name: '__proto__', value: 'x' }),
    ],
    insert(5, element(80, 'p', { children: [text(81, 'After all of it')] })),
  ]
}

async function expectHarmless(page: Page, requested: readonly string[]) {
  const { text: words, tags, attributes, styles, sheets, marks } = await built(page)
  const acting = ['script', 'link', 'meta', 'base', 'object', 'embed', 'frame', 'animate', 'set']
  expect(tags.filter((tag) => acting.includes(tag))).toEqual([])
  expect(
    attributes.filter((each) => /^(on\w+|src|srcdoc|srcset|action|ping)=|javascript:/.test(each)),
  ).toEqual([])
  expect(attributes.filter((each) => /^sandbox=/.test(each) && each !== 'sandbox=allow-same-origin')).toEqual(
    [],
  )
  for (const css of [styles, sheets, attributes.join()])
    expect(css).not.toMatch(new RegExp(`(url\\(|=)["']?${evil.url}`))
  expect(marks).toEqual([false, false, false])
  expect(evil.heard).toEqual([])
  expect(requested.filter((url) => !/^(blob|data):/.test(url) && !url.startsWith(site.url))).toEqual([])
  return words
}

test('operations of any form build nothing that runs or reaches the network', async ({ page }) => {
  const requested: string[] = []
  page.context().on('request', (request) => requested.push(request.url()))
  await play(page, hostileOperations())
  const words = await expectHarmless(page, requested)
  for (const expected of ['Still here', 'Late', 'After all of it']) expect(words).toContain(expected)
})

test('a hostile recording as operations builds nothing that runs, without the policy of the server too', async ({
  page,
}) => {
  const requested: string[] = []
  page.context().on('request', (request) => requested.push(request.url()))
  const converter = createRrwebConverter()
  const operations = hostilePage(evil.url)(at).flatMap((event) => converter.convert(event))
  await play(page, operations)
  const words = await expectHarmless(page, requested)
  for (const expected of ['Still here', 'The end', 'Late', 'After all of it'])
    expect(words).toContain(expected)
})
