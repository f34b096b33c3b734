import { gunzipSync } from 'node:zlib'
import { beforeEach, expect, test, vi } from 'vitest'
import { beginSegment, packText, type Segment, sealSegment, wrapRest } from './open-segment.ts'
import { type PageEvent, types } from './page-event.ts'
import { createSegments } from './segments.ts'

let cut: Segment[]
beforeEach(() => {
  cut = []
  // Nobody sees it: nothing waits until the page is idle.
  vi.stubGlobal('document', { hidden: true })
})

const start = () =>
  createSegments({
    context: () => ({ kind: 'context', index: 0, session: 'a' }),
    settled: () => Promise.resolve(),
    onCut: (segment) => cut.push(segment),
    onWork: () => undefined,
  })
const event = (type: number, text = ''): PageEvent => ({ type, data: { text }, timestamp: 5 })
const textOf = ({ body }: Segment) => Buffer.concat(body.map((piece) => gunzipSync(piece))).toString()
const linesOf = (segment: Segment) =>
  textOf(segment)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
const sizeOf = ({ body }: Segment) => body.reduce((sum, { length }) => sum + length, 0)

test('a segment holds what was recorded, and says whether a player can begin with it', async () => {
  const segments = start()
  for (const type of [types.address, types.page, types.change]) segments.add(event(type))
  segments.cut()
  segments.add(event(types.change, 'later'))
  segments.cut()
  await vi.waitFor(() => expect(cut).toHaveLength(2))
  expect(cut).toMatchObject([
    { full: true, records: 3 },
    { full: false, records: 1 },
  ])
  expect(cut[0] && linesOf(cut[0]).map(({ type }) => type)).toEqual([4, 2, 3])
  segments.clear()
})

test('of a page that is left goes what fits, in whole lines, and it is counted as it is', () => {
  const segments = start()
  for (const type of [types.address, types.page]) segments.add(event(type))
  for (let count = 0; count < 100; count++) segments.add(event(types.change, 'é'.repeat(400)))
  expect(segments.cutNow()).toBe(false)
  const [left] = cut
  if (!left) throw new Error('nothing was cut')
  expect(linesOf(left)).toHaveLength(left.records)
  expect(left.records).toBeGreaterThan(20)
  expect(left.records).toBeLessThan(102)
  expect(left.full).toBe(true)
  expect(sizeOf(left)).toBe(left.sizeBytes)
  expect(left.sizeBytes).toBeLessThanOrEqual(28 * 1024 + 100)
})

test('a beginning that does not fit is none', () => {
  const segments = start()
  segments.add(event(types.address))
  segments.add(event(types.page, 'x'.repeat(100_000)))
  expect(segments.cutNow()).toBe(false)
  expect(cut).toMatchObject([{ full: false, records: 1 }])
})

test('where not one line fits, there is no segment', () => {
  const segments = start()
  segments.add(event(types.change, '名'.repeat(20_000)))
  expect(segments.cutNow()).toBe(false)
  expect(cut).toEqual([])
})

test('all segments of a page that is left share what may outlive it', () => {
  const segments = start()
  for (let count = 0; count < 4; count++) {
    segments.add(event(types.change, `${count}`.repeat(10_000)))
    segments.cut()
  }
  expect(segments.cutNow()).toBe(false)
  expect(cut.map((each) => linesOf(each)[0].data.text[0])).toEqual(['0', '1'])
  expect(cut.reduce((sum, each) => sum + sizeOf(each), 0)).toBeLessThanOrEqual(28 * 1024)
})

test('what was compressed before the page is left goes with the rest', async () => {
  const segment = beginSegment(event(types.change), { kind: 'context', index: 0, session: 'a' })
  segment.text = `${JSON.stringify(event(types.change, 'x'.repeat(30_000)))}\n`
  await packText(segment)
  segment.text += `${JSON.stringify(event(types.change, 'the rest'))}\n`
  wrapRest(segment, 1_000)
  const sealed = sealSegment(segment)
  expect(sealed?.records).toBe(2)
  expect(sealed && linesOf(sealed).map(({ data }) => data.text.length)).toEqual([30_000, 8])
})
