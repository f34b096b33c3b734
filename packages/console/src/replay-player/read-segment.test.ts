import { expect, test } from 'vitest'
import { readSegment } from './read-segment.ts'

const linesOf = (...events: unknown[]) =>
  events.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n')
const read = (lines: string) => readSegment({ index: 3, startedAt: 10_000, endedAt: 15_000, lines })

test('the clock of the page is read by the one of the server', () => {
  const wrong = 77_000_000
  const { items, moments } = read(
    linesOf(
      { type: 4, data: {}, timestamp: wrong },
      { type: 2, data: {}, timestamp: wrong + 40 },
      { type: 3, data: { source: 0 }, timestamp: wrong + 1_000 },
      { type: 3, data: { source: 5 }, timestamp: wrong + 2_000 },
      { type: 3, data: { source: 0 }, timestamp: wrong + 90_000 },
    ),
  )
  // The whole page is shown from the start; nothing lies outside its segment.
  expect(items.map(({ at }) => at)).toEqual([10_000, 10_000, 11_000, 12_000, 15_000])
  expect(moments).toEqual([12_000])
})

test('lines that are no events cost nothing but themselves', () => {
  const lines = linesOf('{"type":3,"da', 'null', '[]', '', { type: 3, data: { source: 0 }, timestamp: 1 })
  expect(read(lines).items).toHaveLength(1)
})

test('the pointer is where it was at each moment', () => {
  const positions = [
    { x: 1, y: 2, id: 5, timeOffset: -300 },
    { x: 3, y: 4, id: 5, timeOffset: 0 },
    { x: 'far', y: null, id: -1, timeOffset: 'x' },
  ]
  const { items } = read(
    linesOf(
      { type: 3, data: { source: 0 }, timestamp: 0 },
      { type: 3, data: { source: 1, positions }, timestamp: 1_000 },
    ),
  )
  expect(items.slice(1)).toEqual([
    { kind: 'pointer', at: 10_700, place: { x: 1, y: 2, node: 5 } },
    { kind: 'pointer', at: 11_000, place: { x: 3, y: 4, node: 5 } },
    { kind: 'pointer', at: 11_000, place: { x: 0, y: 0, node: 0 } },
  ])
})

test('words of the recorder are told, those of others are not', () => {
  const word = (payload: unknown, tag = 'telltale') => ({ type: 5, data: { tag, payload }, timestamp: 0 })
  const { privacy, notes, addresses, items } = read(
    linesOf(
      word({ kind: 'recording', level: 'mask-all', reason: 'error' }),
      word({ kind: 'recording', level: 'everything', reason: 'x' }, 'other'),
      word({ kind: 'blocked', target: '#ticker' }),
      word({ kind: 'stopped', why: 'over-budget' }),
      word({ kind: 'invented' }),
      word({ kind: 'assets', byAddress: { a: 'b' } }),
    ),
  )
  expect(privacy).toEqual({ level: 'mask-all', reason: 'error' })
  expect(notes.map(({ kind, detail }) => [kind, detail])).toEqual([
    ['blocked', '#ticker'],
    ['stopped', 'over-budget'],
  ])
  expect(addresses).toMatchObject([{ byAddress: { a: 'b' } }])
  expect(items).toEqual([])
})
