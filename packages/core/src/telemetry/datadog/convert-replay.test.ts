import { expect, test } from 'vitest'
import { createReplayConverter } from './convert-replay.ts'
import { RecordingTooLarge } from './string-table.ts'

type Change = [unknown, ...unknown[]]
const at = 1_000
const whole = (...data: Change[]) => ({ type: 2, format: 1, timestamp: at, data })
const changed = (...data: Change[]) => ({ type: 12, timestamp: at + 1, data })

/** Node 0 is the document, 1 html, 2 body; the given nodes follow. */
const pageWith = (...nodes: unknown[]): Change => [1, [null, '#document'], [1, 'HTML'], [1, 'BODY'], ...nodes]

function open(...records: unknown[]) {
  const converter = createReplayConverter()
  converter.beginSegment()
  const events = records.flatMap((record) => converter.convert(record))
  return { converter, events, datas: events.map(({ data }) => data) }
}

const bodyOf = (data: unknown) => JSON.parse(JSON.stringify(data)).node.childNodes[0].childNodes[0]
const element = (id: number, tagName: string, more: object) => ({
  ...{ id, type: 2, tagName, attributes: {}, childNodes: [] },
  ...more,
})

test('a whole page is one event, with strings by number, as they are, or with a role', () => {
  const { events } = open(
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
  expect(events).toEqual([
    {
      ...{ type: 2, timestamp: at },
      data: {
        initialOffset: { left: 3, top: 40 },
        node: {
          ...{ id: 1, type: 0 },
          childNodes: [
            { id: 2, type: 1, name: 'html', publicId: '', systemId: '' },
            element(3, 'html', {
              attributes: { lang: 'en' },
              childNodes: [
                element(4, 'body', {
                  childNodes: [element(5, 'p', { childNodes: [{ id: 6, type: 3, textContent: 'Hello' }] })],
                }),
              ],
            }),
          ],
        },
      },
    },
  ])
})

test('nodes are put after the last one, into another, and before another', () => {
  const { datas } = open(
    whole(pageWith([1, 'A'], [0, 'B'], [1, 'I'])),
    changed([1, [-3, 'X'], [0, 'Y'], [-4, 'W'], [3, 'Z']]),
  )
  const names = (node: { tagName: string; childNodes: never[] }): unknown => [
    node.tagName,
    ...node.childNodes.map(names),
  ]
  expect(names(bodyOf(datas[0]))).toEqual(['body', ['a'], ['b', ['i']]])
  expect(datas[1]).toMatchObject({ source: 0, removes: [], texts: [], attributes: [] })
  expect(placed(['4:a', '5:b'], datas[1])).toEqual(['7:x', '8:y', '4:a', '9:w', '5:b'])
})

/** The children of the body after applying all additions in order. */
function placed(children: string[], data: unknown): string[] {
  for (const { parentId, nextId, node } of JSON.parse(JSON.stringify(data)).adds) {
    if (parentId !== 3) continue
    const next = children.findIndex((child) => child.startsWith(`${nextId}:`))
    expect(nextId === null || next >= 0).toBe(true)
    children.splice(nextId === null ? children.length : next, 0, `${node.id}:${node.tagName}`)
  }
  return children
}

test('what is taken away goes with all that is in it, and what came and went is never told', () => {
  const { datas, converter } = open(
    whole(pageWith([1, 'UL'], [1, 'LI'], [1, '#text', 'one'])),
    changed([1, [3, 'P'], [1, '#text', 'late']], [2, 3, 6]),
    changed([4, [5, 'of what is gone']]),
  )
  expect(datas[1]).toMatchObject({ removes: [{ parentId: 3, id: 4 }], adds: [] })
  expect(datas).toHaveLength(2)
  expect(converter.unknown).toBe(2)
})

test('texts, attributes, values and places of scrollbars change', () => {
  const { datas } = open(
    whole(pageWith([1, 'P', ['title', 'old']], [1, '#text', 'one'], [-1, 'INPUT'], [0, 'DIV'])),
    changed(
      [3, [3, ['title'], ['class', 'new']]],
      [4, [4, 'two']],
      [12, [5, 'typed']],
      [6, [6, 1, 2]],
      [9, [6, 0]],
    ),
  )
  expect(datas.slice(1)).toEqual([
    {
      ...{ source: 0, removes: [], adds: [], texts: [{ id: 5, value: 'two' }] },
      attributes: [{ id: 4, attributes: { title: null, class: 'new' } }],
    },
    { source: 5, id: 6, text: 'typed', isChecked: false },
    { source: 3, id: 7, x: 1, y: 2 },
    { source: 7, id: 7, type: 0 },
  ])
})

test('of a list only the option that was chosen is chosen; boxes are ticked and keep what they send', () => {
  const { datas } = open(
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
          [0, 'INPUT', ['type', 'radio']],
        ],
      ),
    ),
    changed([13, [0, 6, 7], [1, 8]]),
  )
  expect(datas.slice(1)).toEqual([
    {
      ...{ source: 0, removes: [], adds: [], texts: [] },
      attributes: [
        { id: 5, attributes: { selected: null } },
        { id: 7, attributes: { selected: '' } },
      ],
    },
    { source: 5, id: 8, text: 'yes', isChecked: true },
    { source: 5, id: 9, text: 'on', isChecked: false },
  ])
})

test('what is in a shadow root stands in its host, and leaves it again', () => {
  const { datas } = open(
    whole(pageWith([1, 'X-CARD'], [1, '#shadow-root'], [1, 'B'], [3, 'I'])),
    changed([1, [-2, 'U'], [4, 'EM']], [2, 5]),
  )
  expect(bodyOf(datas[0]).childNodes[0]).toMatchObject({
    ...{ id: 4, isShadowHost: true, isCustom: true },
    childNodes: [
      { id: 6, tagName: 'b', isShadow: true },
      { id: 7, tagName: 'i' },
    ],
  })
  expect(datas[1]).toMatchObject({
    removes: [{ parentId: 4, id: 6, isShadow: true }],
    adds: [
      { parentId: 4, nextId: null, node: { id: 9, tagName: 'em', isShadow: true } },
      { node: { id: 8 } },
    ],
  })
})

test('pictures of SVG are of SVG, a hidden part is a box of its size, a dialog that opens is in front', () => {
  const { datas } = open(
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
  )
  const [svg, box] = bodyOf(datas[0]).childNodes
  expect(svg).toMatchObject({ isSVG: true, childNodes: [{ tagName: 'lineargradient', isSVG: true }] })
  expect(box.attributes).toMatchObject({ rr_width: '30px', rr_height: '12.5px' })
  expect(datas[1]).toMatchObject({ attributes: [{ id: 7, attributes: { open: '', rr_open_mode: 'modal' } }] })
})

test('style sheets stand in their elements; adopted ones are told apart, under the number that the client means', () => {
  const { datas } = open(
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
  expect(bodyOf(datas[0]).childNodes[0].attributes).toEqual({ _cssText: 'p { color: red }' })
  expect(datas.slice(1)).toEqual([
    {
      ...{ source: 15, id: 5, styleIds: [2] },
      styles: [
        {
          styleId: 2,
          rules: [
            { rule: 'b {}', index: 0 },
            { rule: 'i {}', index: 1 },
          ],
        },
      ],
    },
    {
      ...{ source: 15, id: 7, styleIds: [2, 3, 4] },
      styles: [
        { styleId: 3, rules: [{ rule: '@media print { u {} }', index: 0 }] },
        { styleId: 4, rules: [] },
      ],
    },
  ])
})

test('what people did keeps its form, with the numbers of the player', () => {
  const moved = {
    source: 1,
    positions: [
      { x: 1, y: 2, id: 2, timeOffset: 0 },
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
  expect(open(whole(pageWith()), ...records).datas.slice(1)).toEqual([
    {
      source: 1,
      positions: [
        { x: 1, y: 2, id: 3, timeOffset: 0 },
        { x: 1, y: 2, id: 0 },
      ],
    },
    { source: 2, type: 2, id: 3, x: 1, y: 2 },
    { source: 4, width: 5, height: 6 },
    { source: 8, id: 3, adds: [{ rule: 'p {}', index: 0 }] },
  ])
})

test('strings can begin anew, and a whole page begins everything anew', () => {
  const { datas, converter } = open(
    whole([0, 'lost'], pageWith([1, '#text', 0])),
    changed([14], [0, 'first'], [4, [3, 0]]),
    whole([0, 'second'], pageWith([1, '#text', 0])),
    changed([4, [3, 0]]),
  )
  expect(datas[1]).toMatchObject({ texts: [{ id: 4, value: 'first' }] })
  expect(datas[3]).toMatchObject({ texts: [{ id: 4, value: 'second' }] })
  expect(converter.unknown).toBe(0)
})

test('of a hostile recording what makes no sense changes nothing', () => {
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
  expect(open(...hostile).events).toEqual([])
  const { datas, converter } = open(
    whole(pageWith([1, 'P', ['__proto__', 'x'], ['constructor', 'y']])),
    ...hostile,
  )
  expect(Object.keys(bodyOf(datas[0]).childNodes[0].attributes)).toEqual(['__proto__', 'constructor'])
  expect(converter.unknown).toBeGreaterThan(20)
  expect(Reflect.get({}, 'x')).toBeUndefined()
  // The converter still works after invalid records.
  expect(converter.convert(changed([3, [2, ['class', 'new']]]))).toHaveLength(1)
})

test('a page deeper than any is cut off, and neither builds too much nor takes too long', () => {
  const deep = Array.from({ length: 5_000 }, () => [1, 'DIV'])
  const { events } = open(whole(pageWith(...deep)))
  expect(JSON.stringify(events).split('"div"').length - 1).toBe(598)
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
