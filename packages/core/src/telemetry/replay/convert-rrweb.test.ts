import { expect, test } from 'vitest'
import { createRrwebConverter } from './convert-rrweb.ts'
import type { ReplayOperation } from './operations.ts'
import { RecordingTooLarge } from './read-bytes.ts'

const at = 1_000
const change = (data: object) => ({ type: 3, data, timestamp: at })
const tree = (parts: object) =>
  change({ source: 0, adds: [], removes: [], texts: [], attributes: [], ...parts })
const page = (node: unknown) => ({ type: 2, data: { node }, timestamp: at })
const element = (
  id: number,
  tagName: string,
  ...[attributes = {}, childNodes = []]: [object?, object[]?]
) => ({
  type: 2,
  id,
  tagName,
  attributes,
  childNodes,
})
const text = (id: number, textContent: string) => ({ type: 3, id, textContent })
const built = (id: number, tag: string, more: object = {}) => ({
  kind: 'element',
  id,
  tag,
  attributes: {},
  children: [],
  ...more,
})
const shadowOf = (host: number) => host + 2 ** 40

function convert(...events: unknown[]): ReplayOperation[] {
  const converter = createRrwebConverter()
  return events.flatMap((event) => converter.convert(event))
}
/** Without their time. */
const told = (...events: unknown[]) => convert(...events).map(({ at: _at, ...operation }) => operation)
const shown = (node: object) => {
  const [operation] = told(page({ type: 0, id: 1, childNodes: [node] }))
  return operation?.do === 'page' ? operation.document.children[0] : undefined
}

test('a snapshot has the size reported before it', () => {
  const size = { type: 4, data: { href: 'https://shop.example/', width: 800, height: 500 }, timestamp: at }
  const document = {
    type: 0,
    id: 1,
    compatMode: 'BackCompat',
    childNodes: [{ type: 1, id: 2, name: 'html' }],
  }
  const data = { node: document, initialOffset: { left: 0, top: 40 } }
  expect(convert(size, { type: 2, data, timestamp: at + 5 })).toEqual([
    { at, do: 'viewport', width: 800, height: 500 },
    {
      at: at + 5,
      do: 'page',
      width: 800,
      height: 500,
      document: { id: 1, isQuirky: true, scroll: { x: 0, y: 40 }, children: [{ kind: 'doctype', id: 2 }] },
    },
  ])
})

/** What is recorded, and the attributes and states that it means. */
type Described = [object, object, object]

test.each<[string, string, ...Described]>([
  ['a sheet', 'style', { _cssText: 'a {}' }, {}, { sheet: 'a {}' }],
  [
    'a box',
    'img',
    { rr_width: '40px', rr_height: 30, alt: 'x' },
    { alt: 'x' },
    { box: { width: 40, height: 30 } },
  ],
  ['a place', 'div', { rr_scrollLeft: 1, rr_scrollTop: 2 }, {}, { scroll: { x: 1, y: 2 } }],
  ['a dialog', 'dialog', { open: '', rr_open_mode: 'modal' }, { open: '' }, { open: 'modal' }],
  [
    'a popover',
    'p',
    { popover: 'auto', 'data-telltale-popover': 'open' },
    { popover: 'auto' },
    { open: 'popover' },
  ],
  ['a text', 'textarea', { value: 'typed' }, {}, { value: 'typed' }],
  [
    'a field',
    'input',
    { value: 'typed', type: 'text' },
    { value: 'typed', type: 'text' },
    { value: 'typed' },
  ],
  [
    'a tick',
    'input',
    { type: 'checkbox', value: 'yes', checked: true },
    { type: 'checkbox', value: 'yes' },
    { checked: true },
  ],
  ['a choice', 'option', { selected: true }, {}, { checked: true }],
  [
    'a film',
    'video',
    { rr_mediaState: 'played', muted: true, width: 3 },
    { muted: '', width: '3' },
    { playing: true },
  ],
])('attributes of the recorder are states: %s', (_name, tag, ...[recorded, attributes, state]: Described) => {
  expect(shown(element(2, tag, recorded))).toEqual(built(2, tag, { attributes, state }))
})

test('a shadow root and the document of a frame are nodes', () => {
  const inside = { ...text(4, 'in'), isShadow: true }
  expect(
    shown({ ...element(3, 'x-card', {}, [inside, text(5, 'out')]), isShadowHost: true, isCustom: true }),
  ).toEqual(
    built(3, 'x-card', {
      state: { defined: true },
      children: [{ kind: 'text', id: 5, text: 'out' }],
      shadow: { id: shadowOf(3), children: [{ kind: 'text', id: 4, text: 'in' }] },
    }),
  )
  const added = { parentId: 7, nextId: null, node: { type: 0, id: 8, childNodes: [] } }
  expect(told(tree({ adds: [added], isAttachIframe: true }))).toEqual([
    { do: 'document', id: 7, document: { id: 8, children: [] } },
  ])
})

test('neighbours are inserted together, lists of removed nodes are unfolded, and a move is both', () => {
  const adds = [
    { parentId: 2, nextId: null, node: element(9, 'i', {}, [text(10, 'x')]) },
    { parentId: 2, nextId: 9, node: text(8, 'y') },
    { parentId: 3, nextId: 8, node: { ...text(7, 'z'), isShadow: true } },
  ]
  expect(
    told(
      tree({
        removes: [
          { parentId: 2, ids: [4, 3, -1] },
          { parentId: 2, id: 9 },
        ],
        adds,
      }),
    ),
  ).toEqual([
    { do: 'remove', ids: [4, 7, 6, 9] },
    {
      do: 'insert',
      parent: 2,
      before: null,
      nodes: [
        { kind: 'text', id: 8, text: 'y' },
        built(9, 'i', { children: [{ kind: 'text', id: 10, text: 'x' }] }),
      ],
    },
    { do: 'shadow', id: 3, shadow: { id: shadowOf(3), children: [] } },
    { do: 'insert', parent: shadowOf(3), before: 8, nodes: [{ kind: 'text', id: 7, text: 'z' }] },
  ])
})

test('attributes change, also in parts, and states with them', () => {
  const attributes = [
    {
      id: 4,
      attributes: {
        class: 'a',
        title: null,
        style: { color: 'red', top: false, left: ['1px', 'important'] },
      },
    },
    { id: 5, attributes: { open: null, rr_open_mode: 'non-modal' } },
    { id: 6, attributes: { 'data-telltale-popover': null } },
  ]
  const style = { do: 'declare', sheet: { node: 4 }, path: [] }
  expect(told(tree({ texts: [{ id: 7, value: 'new' }], attributes }))).toEqual([
    { do: 'text', id: 7, text: 'new' },
    { do: 'attribute', id: 4, name: 'class', value: 'a' },
    { do: 'attribute', id: 4, name: 'title', value: null },
    { ...style, property: 'color', value: 'red', important: false },
    { ...style, property: 'top', value: null, important: false },
    { ...style, property: 'left', value: '1px', important: true },
    { do: 'attribute', id: 5, name: 'open', value: null },
    { do: 'state', id: 5, state: { open: 'closed' } },
    { do: 'state', id: 6, state: { open: 'closed' } },
  ])
})

test('rules, declarations and adopted sheets have paths and numbers', () => {
  const events = [
    { source: 8, id: 4, adds: [{ rule: 'a {}', index: [1, 2] }, { rule: 'b {}' }], removes: [{ index: 3 }] },
    { source: 8, styleId: 5, replaceSync: 'c {}' },
    { source: 13, id: 4, index: [0], set: { property: 'color', value: 'red', priority: 'important' } },
    { source: 13, styleId: 5, index: [0], remove: { property: 'color' } },
    {
      source: 15,
      id: 6,
      styleIds: [5],
      styles: [{ styleId: 5, rules: [{ rule: 'd {}' }, { rule: 'e {}' }] }],
    },
  ]
  expect(told(...events.map(change))).toEqual([
    { do: 'insert-rule', sheet: { node: 4 }, path: [1, 2], text: 'a {}' },
    { do: 'insert-rule', sheet: { node: 4 }, path: [0], text: 'b {}' },
    { do: 'delete-rule', sheet: { node: 4 }, path: [3] },
    { do: 'sheet', sheet: { constructed: 5 }, text: 'c {}' },
    { do: 'declare', sheet: { node: 4 }, path: [0], property: 'color', value: 'red', important: true },
    { do: 'declare', sheet: { constructed: 5 }, path: [0], property: 'color', value: null, important: false },
    { do: 'sheet', sheet: { constructed: 5 }, text: 'd {}\ne {}' },
    { do: 'adopt', id: 6, sheets: [5] },
    { do: 'adopt', id: shadowOf(6), sheets: [5] },
  ])
})

test('what the user did has its time', () => {
  const events = [
    {
      source: 1,
      positions: [
        { x: 1, y: 2, id: 3, timeOffset: -20 },
        { x: 4, y: 5, id: 0 },
      ],
    },
    ...[
      { source: 2, type: 2, id: 3, x: 1, y: 2 },
      { source: 2, type: 5, id: 3 },
      { source: 2, type: 6, id: 3 },
    ],
    ...[
      { source: 3, id: 3, x: 0, y: 9 },
      { source: 5, id: 3, text: 'x', isChecked: false },
    ],
    ...[
      { source: 7, id: 3, type: 1 },
      { source: 4, width: 5, height: 6 },
    ],
  ]
  expect(told(...events.map(change))).toEqual([
    {
      do: 'pointer',
      positions: [
        { at: 980, x: 1, y: 2, id: 3 },
        { at, x: 4, y: 5, id: 0 },
      ],
    },
    { do: 'press', kind: 'click', x: 1, y: 2, id: 3 },
    { do: 'focus', id: 3 },
    { do: 'focus', id: null },
    { do: 'state', id: 3, state: { scroll: { x: 0, y: 9 } } },
    { do: 'state', id: 3, state: { value: 'x', checked: false } },
    { do: 'state', id: 3, state: { playing: false } },
    { do: 'viewport', width: 5, height: 6 },
  ])
})

test('custom events of the recorder are notes; others are ignored', () => {
  const word = (tag: string, payload: unknown) => ({ type: 5, data: { tag, payload }, timestamp: at })
  expect(
    told(word('telltale', { kind: 'lost' }), word('other', { kind: 'lost' }), word('telltale', 7)),
  ).toEqual([{ do: 'note', note: { kind: 'lost' } }])
})

test.each([
  null,
  7,
  'text',
  [],
  {},
  { type: 3 },
  { type: 3, data: null, timestamp: at },
  { type: 3, data: {}, timestamp: 'x' },
  { type: 6, data: { plugin: 'x' }, timestamp: at },
  change({ source: 9, id: 1, property: 'constructor' }),
  change({ source: 8, adds: [{ rule: 'a {}' }] }),
  change({ source: 13, id: 1, index: 'x', set: { property: 'x' } }),
  tree({ adds: 7, removes: { length: 3 }, texts: [null, { id: {} }], attributes: [[], { id: 5 }] }),
  tree({
    adds: [
      { parentId: -1, node: text(3, '') },
      { parentId: 1, node: { type: 9, id: 4 } },
    ],
  }),
  tree({ removes: [{ id: 1.5 }, { id: '7' }, { id: 2 ** 41 }, {}] }),
])('unknown events are ignored: %j', (event) => {
  expect(convert(event)).toEqual([])
})

test('a snapshot of another form has no content and cannot be shown', () => {
  expect(told(page('none'))).toEqual([{ do: 'page', width: 0, height: 0, document: { id: 1, children: [] } }])
})

test('names such as `constructor` are ordinary names', () => {
  const attributes = JSON.parse('{"__proto__":{"polluted":1},"constructor":"x"}')
  expect(shown(element(2, '__proto__', attributes))).toMatchObject({
    tag: '__proto__',
    attributes: { constructor: 'x' },
  })
  expect('polluted' in {}).toBe(false)
})

test('a tree deeper than any is refused, and neither builds too much nor takes too long', () => {
  let deep: object = text(100, '')
  for (let id = 101; id < 20_000; id++) deep = element(id, 'div', {}, [deep])
  expect(() => convert(page({ type: 0, id: 1, childNodes: [deep] }))).toThrow(RecordingTooLarge)
  expect(() => convert(tree({ adds: [{ parentId: 2, nextId: null, node: deep }] }))).toThrow(
    RecordingTooLarge,
  )
})
