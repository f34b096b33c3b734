// What no attribute of a page shows is shown in a replay: states of elements, the pointer and the focus, zoom, pictures of a
// canvas, style sheets by rule, shadow roots and pages in frames.

import { expect, type Page, test } from '@playwright/test'
import type {
  ReplayDocument,
  ReplayElement,
  ReplayNode,
  ReplayOperation,
} from '@telltale/core/telemetry/replay/operations'
import type { Site } from './flag-server.ts'
import { type Sent, startRecorderSite } from './recorder.ts'
import { openReplay, playerFiles, showMoment } from './replayed-page.ts'

let site: Site
test.beforeAll(async () => {
  site = await startRecorderSite(await playerFiles())
})
test.afterAll(() => site?.[Symbol.asyncDispose]())

const at = 1_000_000
type More = Partial<ReplayElement> & { inside?: readonly ReplayNode[] }
const element = (id: number, tag: string, { inside = [], ...more }: More = {}): ReplayElement => ({
  kind: 'element',
  id,
  tag,
  attributes: {},
  children: inside,
  ...more,
})
const text = (id: number, content: string): ReplayNode => ({ kind: 'text', id, text: content })
const documentWith = (id: number, ...body: ReplayNode[]): ReplayDocument => ({
  id,
  children: [
    { kind: 'doctype', id: id + 1 },
    element(id + 2, 'html', { inside: [element(id + 3, 'head'), element(id + 4, 'body', { inside: body })] }),
  ],
})
const pageWith = (...body: ReplayNode[]): ReplayOperation => ({
  at,
  do: 'page',
  width: 800,
  height: 500,
  document: documentWith(1, ...body),
})

async function open(page: Page, operations: readonly ReplayOperation[]): Promise<void> {
  const lines = operations.map((each) => JSON.stringify(each)).join('\n')
  const header = {
    index: 0,
    full: true,
    records: 1,
    reason: '',
    startedAt: at,
    endedAt: at + 10_000,
    assets: [],
  }
  const sent: Sent = { path: '', header, hash: '', mime: '', bytes: [], text: lines, keepalive: false }
  await openReplay(page, `${site.url}/host`, [sent])
}
const show = (page: Page, offset = 9_000) => showMoment(page, at + offset)

/** Reads from the recorded page. */
async function read<Value>(page: Page, look: (recorded: Document) => Value): Promise<Value> {
  const recorded = await page.evaluateHandle(() => {
    const player = document.querySelector('iframe')?.contentDocument
    const found = player?.querySelector<HTMLIFrameElement>('.stage iframe')?.contentDocument
    if (!found) throw new Error('nothing is shown')
    return found
  })
  return page.evaluate<Value, typeof recorded>(look, recorded)
}

test('fields, boxes, places and open dialogs are as they were', async ({ page }) => {
  await open(page, [
    pageWith(
      element(10, 'input', { attributes: { id: 'text' }, state: { value: 'typed' } }),
      element(11, 'input', {
        attributes: { id: 'box', type: 'checkbox', value: 'yes' },
        state: { checked: true },
      }),
      element(12, 'select', {
        attributes: { id: 'list' },
        inside: [13, 14].map((id) =>
          element(id, 'option', { inside: [text(id + 100, `${id}`)], state: { checked: id === 14 } }),
        ),
      }),
      element(15, 'div', {
        attributes: { id: 'scroller', style: 'height: 50px; overflow: auto' },
        state: { scroll: { x: 0, y: 120 } },
        inside: [element(16, 'p', { attributes: { style: 'height: 900px' } })],
      }),
      element(17, 'img', {
        attributes: { id: 'picture', style: 'margin: 1px' },
        state: { box: { width: 80, height: 30.5 } },
      }),
      element(18, 'dialog', {
        attributes: { id: 'dialog', open: '' },
        state: { open: 'modal' },
        inside: [text(19, 'said')],
      }),
      element(20, 'p', { attributes: { id: 'menu', popover: 'auto' }, state: { open: 'popover' } }),
      element(21, 'x-card', { attributes: { id: 'card' }, state: { defined: true } }),
      element(22, 'x-late', { attributes: { id: 'late' } }),
    ),
    { at: at + 2_000, do: 'state', id: 10, state: { value: 'typed more' } },
    { at: at + 2_000, do: 'state', id: 11, state: { checked: false } },
    { at: at + 2_000, do: 'state', id: 15, state: { scroll: { x: 0, y: 40 } } },
    { at: at + 2_000, do: 'attribute', id: 17, name: 'style', value: 'margin: 2px' },
    { at: at + 2_000, do: 'attribute', id: 18, name: 'open', value: null },
    { at: at + 2_000, do: 'state', id: 20, state: { open: 'closed' } },
    { at: at + 2_000, do: 'state', id: 22, state: { defined: true } },
  ])
  const look = (recorded: Document) => {
    const of = (id: string) => recorded.getElementById(id) as HTMLInputElement & HTMLDialogElement
    const { width, height } = of('picture').getBoundingClientRect()
    return {
      fields: [of('text').value, of('box').checked, of('box').value, of('list').value],
      scrolled: of('scroller').scrollTop,
      picture: [width, height, of('picture').style.margin],
      layers: [of('dialog').matches(':modal'), of('dialog').open, of('menu').matches(':popover-open')],
      defined: [of('card').matches(':defined'), of('late').matches(':defined')],
    }
  }
  await show(page, 1_000)
  expect(await read(page, look)).toEqual({
    fields: ['typed', true, 'yes', '14'],
    scrolled: 120,
    picture: [80, 30.5, '1px'],
    layers: [true, true, true],
    defined: [true, false],
  })
  await show(page)
  expect(await read(page, look)).toEqual({
    fields: ['typed more', false, 'yes', '14'],
    scrolled: 40,
    picture: [80, 30.5, '2px'],
    layers: [false, false, false],
    defined: [true, true],
  })
})

test('what the pointer is over and what has the focus looks so, also from within a shadow root and a frame', async ({
  page,
}) => {
  const style = `:focus { color: rgb(1, 0, 0) } :hover > i { color: rgb(2, 0, 0) } form:focus-within { color: rgb(3, 0, 0) }
    a:focus-visible { outline: 3px solid } x-card:hover { color: rgb(4, 0, 0) } iframe:hover { color: rgb(5, 0, 0) }`
  await open(page, [
    pageWith(
      element(10, 'style', { inside: [text(11, style)] }),
      element(12, 'p', { inside: [element(13, 'i', { attributes: { id: 'inner' } }), element(14, 'b')] }),
      element(15, 'form', {
        attributes: { id: 'form' },
        inside: [element(16, 'input', { attributes: { id: 'field' } })],
      }),
      element(17, 'a', { attributes: { id: 'link', href: '#' }, inside: [text(18, 'link')] }),
      element(19, 'x-card', { attributes: { id: 'card' }, shadow: { id: 20, children: [element(21, 'u')] } }),
      element(22, 'iframe', { attributes: { id: 'frame' }, document: documentWith(30, element(40, 'p')) }),
    ),
    { at: at + 1_000, do: 'pointer', positions: [{ at: at + 1_000, x: 5, y: 5, id: 14 }] },
    { at: at + 1_000, do: 'focus', id: 16 },
    { at: at + 2_000, do: 'pointer', positions: [{ at: at + 2_000, x: 5, y: 5, id: 21 }] },
    { at: at + 2_000, do: 'focus', id: 17 },
    { at: at + 3_000, do: 'pointer', positions: [{ at: at + 3_000, x: 5, y: 5, id: 40 }] },
    { at: at + 3_000, do: 'press', kind: 'down', x: 5, y: 5, id: 40 },
    { at: at + 3_001, do: 'focus', id: null },
    { at: at + 3_002, do: 'focus', id: 17 },
  ])
  const look = (recorded: Document) => {
    const colorOf = (id: string) => getComputedStyle(recorded.getElementById(id) as Element).color
    const link = getComputedStyle(recorded.getElementById('link') as Element).outlineStyle
    const shown = Object.fromEntries(
      ['inner', 'field', 'form', 'card', 'frame'].map((id) => [id, /\((\d)/.exec(colorOf(id))?.[1]]),
    )
    return { ...shown, link }
  }
  const nothing = { inner: '0', field: '0', form: '0', card: '0', frame: '0' }
  await show(page, 1_500)
  expect(await read(page, look)).toMatchObject({ ...nothing, inner: '2', field: '1', form: '3' })
  await show(page, 2_500)
  expect(await read(page, look)).toEqual({ ...nothing, card: '4', link: 'solid' })
  await show(page)
  expect(await read(page, look)).toEqual({ ...nothing, frame: '5', link: 'none' })
})

test('rules, declarations and constructed sheets equal those of the page, by position', async ({ page }) => {
  const rules = '@import "gone.css"; p { color: rgb(1, 0, 0) } @media all { i { color: rgb(2, 0, 0) } }'
  await open(page, [
    pageWith(
      element(10, 'style', { inside: [text(11, rules)] }),
      element(12, 'p', { attributes: { id: 'p', style: 'top: 1px; left: 2px' } }),
      element(13, 'i', { attributes: { id: 'i' } }),
      element(14, 'x-card', { attributes: { id: 'card' }, shadow: { id: 15, children: [element(16, 'b')] } }),
      element(17, 'iframe', { attributes: { id: 'frame' }, document: documentWith(30, element(40, 'b')) }),
    ),
    // The rule that is left out keeps its place.
    {
      at: at + 1_000,
      do: 'declare',
      sheet: { node: 10 },
      path: [1],
      property: 'color',
      value: 'rgb(3, 0, 0)',
      important: true,
    },
    {
      at: at + 1_000,
      do: 'insert-rule',
      sheet: { node: 10 },
      path: [2, 1],
      text: 'i { color: rgb(4, 0, 0) }',
    },
    {
      at: at + 1_000,
      do: 'declare',
      sheet: { node: 12 },
      path: [],
      property: 'top',
      value: null,
      important: false,
    },
    { at: at + 1_000, do: 'sheet', sheet: { constructed: 7 }, text: 'b { color: rgb(5, 0, 0) }' },
    { at: at + 1_000, do: 'adopt', id: 15, sheets: [7] },
    { at: at + 1_000, do: 'adopt', id: 30, sheets: [7] },
    { at: at + 2_000, do: 'delete-rule', sheet: { node: 10 }, path: [2, 1] },
    {
      at: at + 2_000,
      do: 'insert-rule',
      sheet: { constructed: 7 },
      path: [1],
      text: 'b { color: rgb(6, 0, 0) }',
    },
    { at: at + 2_000, do: 'text', id: 11, text: 'p { color: rgb(7, 0, 0) }' },
  ])
  const look = (recorded: Document) => {
    const of = (id: string) => recorded.getElementById(id) as HTMLIFrameElement
    const elements = [
      of('p'),
      of('i'),
      of('card').shadowRoot?.firstElementChild,
      of('frame').contentDocument?.querySelector('b'),
    ]
    return [...elements.map((each) => each && getComputedStyle(each).color), of('p').getAttribute('style')]
  }
  const color = (red: number) => `rgb(${red}, 0, 0)`
  await show(page, 1_500)
  expect(await read(page, look)).toEqual([color(3), color(4), color(5), color(5), 'left: 2px;'])
  await show(page)
  expect(await read(page, look)).toEqual([color(7), color(0), color(6), color(6), 'left: 2px;'])
})

test('nodes are added, moved with their content and removed; a canvas has its picture, and pinch zoom is shown', async ({
  page,
}) => {
  const picture =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await open(page, [
    pageWith(
      element(10, 'ul', {
        inside: [
          element(11, 'li', { inside: [text(12, 'one')] }),
          element(13, 'li', { inside: [text(14, 'two')] }),
        ],
      }),
      element(15, 'ol'),
      element(16, 'canvas', { attributes: { id: 'canvas' }, inside: [text(17, 'no canvas')] }),
      element(18, 'p', { attributes: { id: 'host' } }),
      element(19, 'svg', { space: 'svg', inside: [element(20, 'lineargradient', { space: 'svg' })] }),
      element(21, 'math', {
        space: 'math',
        inside: [element(22, 'mi', { space: 'math', inside: [text(23, 'x')] })],
      }),
    ),
    { at: at + 1_000, do: 'insert', parent: 15, before: null, nodes: [{ kind: 'known', id: 11 }] },
    { at: at + 1_000, do: 'insert', parent: 10, before: 13, nodes: [text(30, 'zero '), element(31, 'li')] },
    { at: at + 1_000, do: 'text', id: 12, text: 'moved' },
    { at: at + 1_000, do: 'remove', ids: [13] },
    { at: at + 1_000, do: 'text', id: 14, text: 'gone' },
    { at: at + 1_000, do: 'shadow', id: 18, shadow: { id: 32, children: [text(33, 'in a shadow')] } },
    { at: at + 1_000, do: 'canvas', id: 16, mime: 'image/png', data: picture },
    { at: at + 1_000, do: 'zoom', scale: 2, x: 30, y: 40 },
    { at: at + 1_000, do: 'viewport', width: 600, height: 400 },
  ])
  await show(page)
  const shown = await read(page, (recorded) => ({
    list: recorded.querySelector('ul')?.innerHTML,
    moved: recorded.querySelector('ol')?.innerHTML,
    canvas: getComputedStyle(recorded.getElementById('canvas') as Element).backgroundImage.slice(0, 27),
    shadow: recorded.getElementById('host')?.shadowRoot?.textContent,
    spaces: [...recorded.querySelectorAll('svg > *, math > *')].map(({ localName, namespaceURI }) => [
      localName,
      namespaceURI?.slice(-6),
    ]),
    view: recorded.defaultView?.frameElement?.parentElement?.style.transform,
    width: recorded.defaultView?.innerWidth,
    mode: recorded.compatMode,
  }))
  expect(shown).toEqual({
    list: 'zero <li></li>',
    moved: '<li>moved</li>',
    canvas: 'url("data:image/png;base64,',
    shadow: 'in a shadow',
    spaces: [
      ['linearGradient', '00/svg'],
      ['mi', 'MathML'],
    ],
    view: 'scale(2) translate(-30px, -40px)',
    width: 600,
    mode: 'CSS1Compat',
  })
})
