import { expect, test } from 'vitest'
import { readSegment } from './read-segment.ts'

const linesOf = (...events: unknown[]) =>
  events.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n')
const read = (lines: string) => readSegment({ index: 3, startedAt: 10_000, endedAt: 15_000, lines })

test('the clock of the page is read by the one of the server', () => {
  const wrong = 77_000_000
  const { items, moments } = read(
    linesOf(
      { do: 'viewport', at: wrong },
      { do: 'page', at: wrong + 40 },
      { do: 'insert', at: wrong + 1_000 },
      { do: 'state', at: wrong + 2_000, state: { value: 'x' } },
      { do: 'insert', at: wrong + 90_000 },
    ),
  )
  // The whole page is shown from the start; nothing lies outside its segment.
  expect(items.map(({ at }) => at)).toEqual([10_000, 10_000, 11_000, 12_000, 15_000])
  expect(moments).toEqual([12_000])
})

test('notes on a page that does not change have their own time', () => {
  const { notes } = read(
    linesOf(
      { do: 'viewport', at: 0 },
      { do: 'page', at: 5 },
      { do: 'note', at: 4_000, note: { kind: 'stopped', why: 'over-budget' } },
    ),
  )
  expect(notes.map(({ at }) => at)).toEqual([14_000])
})

test('presses are in order, and a change never precedes the one it depends on', () => {
  const { items } = read(
    linesOf(
      { do: 'insert', at: 0 },
      { do: 'text', at: 3_000 },
      { do: 'press', at: 2_000, kind: 'down', x: 1, y: 2, id: 3 },
      // The clock of the page was set back.
      { do: 'attribute', at: 1_000 },
    ),
  )
  const told = items.map((item) => [item.kind === 'operation' ? item.operation.do : item.kind, item.at])
  expect(told).toEqual([
    ['insert', 10_000],
    ['press', 12_000],
    ['text', 13_000],
    ['attribute', 13_000],
  ])
})

test('invalid lines do not affect other lines', () => {
  const lines = linesOf('{"do":"tex', 'null', '[]', '', { do: 'text', at: 1 }, { do: 'text' })
  expect(read(lines).items).toHaveLength(1)
})

test('the pointer is where it was at each moment', () => {
  const positions = [
    { x: 1, y: 2, id: 5, at: 700 },
    { x: 3, y: 4, id: 5, at: 1_000 },
    { x: 'far', y: null, id: -1, at: 'x' },
  ]
  const { items } = read(linesOf({ do: 'text', at: 0 }, { do: 'pointer', at: 1_000, positions }))
  expect(items.slice(1)).toEqual([
    { kind: 'pointer', at: 10_700, place: { x: 1, y: 2, node: 5 } },
    { kind: 'pointer', at: 11_000, place: { x: 3, y: 4, node: 5 } },
    { kind: 'pointer', at: 11_000, place: { x: 0, y: 0, node: 0 } },
  ])
})

test('notes of the recorder are reported; notes of an unknown form are not', () => {
  const word = (note: unknown) => ({ do: 'note', at: 0, note })
  const { privacy, notes, addresses, items } = read(
    linesOf(
      word({ kind: 'recording', level: 'mask-all', reason: 'error' }),
      word('recording'),
      word({ kind: 'blocked', target: '#ticker' }),
      word({ kind: 'thinned', share: 0.03 }),
      word({ kind: 'stopped', why: 'over-budget' }),
      word({ kind: 'invented' }),
      word({ kind: 'assets', byAddress: { a: 'b' } }),
    ),
  )
  expect(privacy).toEqual({ level: 'mask-all', reason: 'error' })
  expect(notes.map(({ kind, detail }) => [kind, detail])).toEqual([
    ['blocked', '#ticker'],
    ['thinned', ''],
    ['stopped', 'over-budget'],
  ])
  expect(addresses).toMatchObject([{ byAddress: { a: 'b' } }])
  expect(items).toEqual([])
})
