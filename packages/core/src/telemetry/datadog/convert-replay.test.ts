import { expect, test } from 'vitest'
import { RecordingTooLarge } from '../replay/read-bytes.ts'
import { createReplayConverter } from './convert-replay.ts'

type Change = [unknown, ...unknown[]]
const at = 1_000
const whole = (...data: Change[]) => ({ type: 2, format: 1, timestamp: at, data })
const changed = (...data: Change[]) => ({ type: 12, timestamp: at + 1, data })

/** Node 0 is the document, 1 html, 2 body; the given nodes follow. */
const pageWith = (...nodes: unknown[]): Change => [1, [null, '#document'], [1, 'HTML'], [1, 'BODY'], ...nodes]

function open(...records: unknown[]) {
  const converter = createReplayConverter()
  converter.beginSegment()
  const operations = records.flatMap((record) => converter.convert(record))
  // biome-ignore lint/suspicious/noExplicitAny: what is read here is of any form, and a test fails where it is of another
  const plain: any[] = JSON.parse(JSON.stringify(operations))
  return { converter, operations, plain, told: plain.map(({ at: _at, ...told }) => told) }
}

type Told = ReturnType<typeof open>['plain'][number]
const bodyOf = (page: Told) => page.document.children[0].children[0]
const element = (id: number, tag: string, more: object = {}) => ({
  kind: 'element',
  id,
  tag,
  attributes: {},
  children: [],
  ...more,
})
const text = (id: number, text: string) => ({ kind: 'text', id, text })

test('a whole page is one operation, with strings by number, as they are, or with a role', () => {
  const { operations } = open(
    { type: 4, timestamp: at, data: { href: '/', width: 5, height: 6 } },
    whole(
      [11, [1, '#document', '#doctype', 'HTML', 'BODY'], [3, 'html', ''], [4, 'Hello']],
      [0, 'P'],
      [
        1,
        [null, 0],
        [1, 1, 4, 5, 5],
        [0, 2, ['lang', { role: 3, string: 'en' }]],
        [1, 3],
        [1, 7],
        [1, '#text', 6],
      ],
      [6, [0, 3, 40]],
    ),
  )
  expect(operations).toEqual([
    { at, do: 'viewport', width: 5, height: 6 },
    {
      at,
      do: 'page',
      width: 5,
      height: 6,
      document: {
        id: 1,
        scroll: { x: 3, y: 40 },
        children: [
          { kind: 'doctype', id: 2 },
          element(3, 'html', {
            attributes: { lang: 'en' },
            children: [element(4, 'body', { children: [element(5, 'p', { children: [text(6, 'Hello')] })] })],
          }),
        ],
      },
    },
  ])
})

test('nodes are put after the last one, into another, and before another; neighbours together', () => {
  const { told } = open(
    whole(pageWith([1, 'A'], [0, 'B'], [1, 'I'])),
    changed([1, [-3, 'X'], [0, 'Y'], [-4, 'W'], [3, 'Z']]),
  )
  const names = ({ tag, children }: Told): unknown => [tag, ...children.map(names)]
  expect(names(bodyOf(told[0]))).toEqual(['body', ['a'], ['b', ['i']]])
  expect(told.slice(1)).toEqual([
    {
      do: 'insert',
      parent: 3,
      before: 4,
      nodes: [element(7, 'x', { children: [element(10, 'z')] }), element(8, 'y')],
    },
    { do: 'insert', parent: 3, before: 5, nodes: [element(9, 'w')] },
  ])
})

test('a removed node is removed with its content, and a node added and removed at once is not reported', () => {
  const { told, converter } = open(
    whole(pageWith([1, 'UL'], [1, 'LI'], [1, '#text', 'one'])),
    changed([1, [3, 'P'], [1, '#text', 'late']], [2, 3, 6]),
    changed([4, [5, 'of what is gone']]),
  )
  expect(told.slice(1)).toEqual([{ do: 'remove', ids: [4] }])
  expect(converter.unknown).toBe(2)
})

test('texts, attributes, values and places of scrollbars change', () => {
  const { told } = open(
    whole(pageWith([1, 'P', ['title', 'old']], [1, '#text', 'one'], [-1, 'INPUT'], [0, 'DIV'])),
    changed(
      [3, [3, ['title'], ['class', 'new']]],
      [4, [4, 'two']],
      [12, [5, 'typed']],
      [6, [6, 1, 2]],
      [9, [6, 0]],
      [10, [1, 2, 0, 0, 400, 300, 2]],
    ),
  )
  expect(told.slice(1)).toEqual([
    { do: 'text', id: 5, text: 'two' },
    { do: 'attribute', id: 4, name: 'title', value: null },
    { do: 'attribute', id: 4, name: 'class', value: 'new' },
    { do: 'zoom', x: 1, y: 2, scale: 2 },
    { do: 'state', id: 6, state: { value: 'typed' } },
    { do: 'state', id: 7, state: { scroll: { x: 1, y: 2 }, playing: true } },
  ])
})

test('only the chosen option of a select is selected; checkboxes are checked, and their value is not text', () => {
  const { told } = open(
    whole(
      pageWith(
        ...[
          [1, 'SELECT'],
          [1, 'OPTION', ['selected', '']],
          [0, 'OPTGROUP'],
          [1, 'OPTION'],
        ],
        ...[
          [5, 'INPUT', ['value', 'yes'], ['type', 'checkbox']],
          [0, 'INPUT', ['value', 'typed']],
        ],
      ),
    ),
    changed([13, [0, 6, 7], [1, 8]], [3, [7, ['value', 'no']], [8, ['value', 'else']]]),
  )
  const [, box, field] = bodyOf(told[0]).children
  expect([box.state, field.state]).toEqual([undefined, { value: 'typed' }])
  expect(told.slice(1).filter(({ do: kind }) => kind === 'state')).toEqual([
    { do: 'state', id: 5, state: { checked: false } },
    { do: 'state', id: 7, state: { checked: true } },
    { do: 'state', id: 8, state: { checked: true } },
    { do: 'state', id: 9, state: { checked: false, value: 'else' } },
  ])
})

test('content of a shadow root is inserted into its host, and removed again', () => {
  const { told } = open(
    whole(pageWith([1, 'X-CARD'], [1, '#shadow-root'], [1, 'B'], [3, 'I'])),
    changed([1, [-2, 'U'], [4, 'EM']], [2, 5]),
    changed([1, [3, '#shadow-root'], [1, 'Q']]),
  )
  expect(bodyOf(told[0]).children[0]).toEqual(
    element(4, 'x-card', {
      state: { defined: true },
      shadow: { id: 5, children: [element(6, 'b')] },
      children: [element(7, 'i')],
    }),
  )
  expect(told.slice(1)).toEqual([
    { do: 'remove', ids: [6] },
    { do: 'insert', parent: 5, before: null, nodes: [element(8, 'u'), element(9, 'em')] },
    { do: 'shadow', id: 7, shadow: { id: 10, children: [element(11, 'q')] } },
  ])
})

test('pictures of SVG are of SVG, a hidden part is a box of its size, a dialog that opens is in front', () => {
  const { told } = open(
    whole(
      pageWith(
        [1, 'svg>svg'],
        [1, 'svg>linearGradient'],
        [3, 'SPAN', ['data-dd-privacy', 'hidden']],
        [0, 'DIALOG'],
      ),
      [5, [5, 30, 12.5]],
    ),
    changed([3, [6, ['open', '']]]),
    changed([3, [6, ['open']]]),
  )
  const [svg, box] = bodyOf(told[0]).children
  expect(svg).toMatchObject({ space: 'svg', children: [{ tag: 'lineargradient', space: 'svg' }] })
  expect(box.state).toEqual({ box: { width: 30, height: 12.5 } })
  expect(told.slice(1)).toEqual([
    { do: 'attribute', id: 7, name: 'open', value: '' },
    { do: 'state', id: 7, state: { open: 'modal' } },
    { do: 'attribute', id: 7, name: 'open', value: null },
    { do: 'state', id: 7, state: { open: 'closed' } },
  ])
})

test("style sheets belong to their elements; adopted ones are separate, under the client's number", () => {
  const { told } = open(
    whole(
      pageWith([1, 'STYLE'], [0, 'A-A'], [1, '#shadow-root'], [2, 'B-B'], [1, '#shadow-root']),
      [
        7,
        ['p { color: red }'],
        [['b {}', 'i {}']],
        [['b {}', 'i {}']],
        [['u {}'], ['print']],
        [['s {}'], [], true],
      ],
      // The second sheet is shared: the client counts it once but sends it twice.
      [8, [3, 0], [5, 1], [7, 1, 2, 3]],
    ),
  )
  expect(bodyOf(told[0]).children[0].state).toEqual({ sheet: 'p { color: red }' })
  const sheet = (constructed: number, text: string) => ({ do: 'sheet', sheet: { constructed }, text })
  expect(told.slice(1)).toEqual([
    sheet(1, 'b {}i {}'),
    { do: 'adopt', id: 6, sheets: [1] },
    sheet(2, '@media print { u {} }'),
    sheet(3, ''),
    { do: 'adopt', id: 8, sheets: [1, 2, 3] },
  ])
})

test('what people did has the numbers of the player', () => {
  const moved = {
    source: 1,
    positions: [
      { x: 1, y: 2, id: 2, timeOffset: -10 },
      { x: 1, y: 2, id: 99 },
    ],
  }
  const records = [
    ...[moved, { source: 2, type: 2, id: 2, x: 1, y: 2 }, { source: 4, width: 5, height: 6 }],
    ...[
      { source: 8, id: 2, adds: [{ rule: 'p {}', index: 0 }] },
      { source: 3, id: 99, x: 1, y: 1 },
    ],
    ...[{ source: 0, adds: [] }, { source: 5, id: 2, text: 'x' }, null],
  ].map((data) => ({ type: 3, timestamp: at, data }))
  const zoomed = { type: 8, timestamp: at, data: { scale: 2, offsetLeft: 3, offsetTop: 4 } }
  expect(open(whole(pageWith()), ...records, zoomed).told.slice(1)).toEqual([
    {
      do: 'pointer',
      positions: [
        { at: at - 10, x: 1, y: 2, id: 3 },
        { at, x: 1, y: 2, id: 0 },
      ],
    },
    { do: 'press', kind: 'click', id: 3, x: 1, y: 2 },
    { do: 'viewport', width: 5, height: 6 },
    { do: 'insert-rule', sheet: { node: 3 }, path: [0], text: 'p {}' },
    { do: 'zoom', scale: 2, x: 3, y: 4 },
  ])
})

test('the string table can restart, and a full snapshot restarts everything', () => {
  const { told, converter } = open(
    whole([0, 'lost'], pageWith([1, '#text', 0])),
    changed([14], [0, 'first'], [4, [3, 0]]),
    whole([0, 'second'], pageWith([1, '#text', 0])),
    changed([4, [3, 0]]),
  )
  expect(told[1]).toEqual({ do: 'text', id: 4, text: 'first' })
  expect(told[3]).toEqual({ do: 'text', id: 4, text: 'second' })
  expect(converter.unknown).toBe(0)
})

test('invalid parts of a hostile recording change nothing', () => {
  const hostile: unknown[] = [
    ...[null, 7, 'text', [], {}, { type: 2 }, { type: 12, timestamp: 'x', data: [] }],
    changed([
      1,
      [null, '#document'],
      [0, 'P'],
      [9_999, 'P'],
      [-9_999, 'P'],
      [{}, 'P'],
      ['1', 'P'],
      [Number.NaN, 'P'],
    ]),
    changed(
      [1, [2, '#document'], [9, '#nobody'], [9, 7_777], [9, null], 7, null],
      [2, 0, -1, 1e9, '2', null],
    ),
    changed(
      [3, [2, 7, [], [null, 5], [{}]], [], null],
      [13, [0, 99, null], 5],
      [12, [2], [2, 9e9]],
      [8, [2, 'x', 4_000_000_000]],
    ),
    changed(
      [99, 1],
      ['constructor', 1],
      ['__proto__', 1],
      [5, [2, 'wide', null]],
      [6, [2, Number.POSITIVE_INFINITY, 0]],
    ),
    { type: 12, timestamp: at, data: { length: 5 } },
  ]
  expect(open(...hostile).operations).toEqual([])
  const { told, converter } = open(
    whole(pageWith([1, 'P', ['__proto__', 'x'], ['constructor', 'y']])),
    ...hostile,
  )
  expect(Object.keys(bodyOf(told[0]).children[0].attributes)).toEqual(['__proto__', 'constructor'])
  expect(converter.unknown).toBeGreaterThan(20)
  expect(Reflect.get({}, 'x')).toBeUndefined()
  // The converter still works after invalid records.
  expect(converter.convert(changed([3, [2, ['class', 'new']]]))).toHaveLength(1)
})

test('a page deeper than any is cut off, and neither builds too much nor takes too long', () => {
  const deep = Array.from({ length: 5_000 }, () => [1, 'DIV'])
  const { operations } = open(whole(pageWith(...deep)))
  expect(JSON.stringify(operations).split('"div"').length - 1).toBe(598)
})

test('a short recording that unfolds to much is refused', () => {
  const long = 'x'.repeat(1_000_000)
  const many = Array.from({ length: 100 }, () => ['title', 0])
  const converter = createReplayConverter()
  converter.beginSegment()
  converter.convert(whole([0, long], pageWith()))
  expect(() => converter.convert(changed([1, [2, 'P', ...many]]))).toThrow(RecordingTooLarge)
  const strings = Array.from({ length: 70 }, () => long)
  expect(() => createReplayConverter().convert(whole([0, ...strings]))).toThrow(RecordingTooLarge)
  const countless = Array.from({ length: 1_200_000 }, () => '')
  expect(() => createReplayConverter().convert(whole([0, ...countless]))).toThrow(RecordingTooLarge)
})
