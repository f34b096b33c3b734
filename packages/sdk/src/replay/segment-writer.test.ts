import { gunzipSync } from 'node:zlib'
import { records } from '@telltale/core/telemetry/replay/codes'
import { decodeSegment } from '@telltale/core/telemetry/replay/decode-segment'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SheetMark } from './assets.ts'
import type { Segment } from './segment.ts'
import { createSegmentWriter, type SegmentWriter } from './segment-writer.ts'

let cut: Segment[]
let writer: SegmentWriter
let settle: Promise<unknown>
beforeEach(() => {
  cut = []
  settle = Promise.resolve()
  // Nobody sees it: nothing waits until the page is idle.
  vi.stubGlobal('document', { hidden: true })
  writer = createSegmentWriter({
    context: () => ({ kind: 'context', index: 0, session: 'a' }),
    nextNode: () => 7,
    settled: () => settle,
    onCut: (segment) => cut.push(segment),
  })
})
afterEach(() => writer.clear())

const operationsOf = (segment: Segment | undefined) =>
  segment ? [...decodeSegment(gunzipSync(Buffer.concat(segment.body)))] : []
const sizeOf = ({ body }: Segment) => body.reduce((sum, { length }) => sum + length, 0)
/** A change of a text, at a time. */
function write(text: string, at = 5): void {
  writer.begin(at)
  writer.stream.byte(records.text)
  writer.stream.number(3)
  writer.stream.text(text)
  writer.end()
}
function beginPage(at = 5): void {
  writer.begin(at, true)
  writer.stream.byte(records.page)
  writer.stream.number(1)
  writer.stream.number(1)
}
function endPage(): void {
  writer.stream.byte(0)
  writer.end()
}
/** Of random letters: what compresses badly. */
const noise = (length: number) =>
  Array.from({ length }, () => String.fromCharCode(33 + Math.floor(Math.random() * 90))).join('')

test('a full snapshot begins a segment; each is read by itself, with the times of its records', async () => {
  write('before', 4)
  beginPage(6)
  endPage()
  write('later', 9)
  write('earlier', 8)
  writer.cut()
  write('next', 20)
  writer.cut()
  await vi.waitFor(() => expect(cut).toHaveLength(3))
  expect(cut).toMatchObject([
    { full: false, records: 1, startedAt: 4, endedAt: 4 },
    { full: true, records: 3, startedAt: 6, endedAt: 9 },
    { full: false, records: 1, startedAt: 20 },
  ])
  expect(operationsOf(cut[1])).toMatchObject([
    { at: 6, do: 'page' },
    { at: 9, text: 'later' },
    { at: 8, text: 'earlier' },
  ])
  expect(operationsOf(cut[2])).toEqual([{ at: 20, do: 'text', id: 3, text: 'next' }])
})

test('nothing is cut within a record, and one that is empty is none', async () => {
  beginPage()
  writer.cut()
  expect(cut).toEqual([])
  endPage()
  await vi.waitFor(() => expect(cut).toMatchObject([{ full: true, records: 1 }]))
  writer.begin(7)
  writer.end()
  writer.cut()
  write('after')
  writer.cut()
  await vi.waitFor(() => expect(cut).toHaveLength(2))
  expect(operationsOf(cut[1])).toHaveLength(1)
})

test('of a page that is left goes what fits, in whole records, and it is counted as it is', () => {
  beginPage()
  endPage()
  for (let count = 0; count < 100; count++) write(`${count} ${'é'.repeat(400)}`)
  expect(writer.cutNow()).toBe(false)
  const [left] = cut
  if (!left) throw new Error('nothing was cut')
  expect(operationsOf(left)).toHaveLength(left.records)
  expect(left.records).toBeGreaterThan(20)
  expect(left.records).toBeLessThan(102)
  expect(left.full).toBe(true)
  expect(sizeOf(left)).toBe(left.sizeBytes)
  expect(left.sizeBytes).toBeLessThanOrEqual(28 * 1024)
})

test('a snapshot that does not fit, or is not finished, is none', () => {
  beginPage()
  writer.stream.byte(4)
  writer.stream.text('x'.repeat(100_000))
  endPage()
  expect(writer.cutNow()).toBe(false)
  beginPage()
  expect(writer.cutNow()).toBe(false)
  expect(cut).toEqual([])
  write('goes on')
  expect(writer.cutNow()).toBe(true)
  expect(operationsOf(cut[0])).toHaveLength(1)
})

test('all segments of a page that is left share what may outlive it', () => {
  for (let count = 0; count < 4; count++) {
    write(noise(10_000), count)
    writer.cut()
  }
  expect(writer.cutNow()).toBe(false)
  expect(cut.map((each) => operationsOf(each)[0]?.at)).toEqual([0, 1])
  expect(cut.reduce((sum, each) => sum + sizeOf(each), 0)).toBeLessThanOrEqual(28 * 1024)
})

test('what was compressed before the page is left goes with the rest', async () => {
  const packed = vi.spyOn(Response.prototype, 'arrayBuffer')
  for (let count = 0; count < 10; count++) write('y'.repeat(5_000), count)
  await vi.waitFor(() => expect(packed).toHaveBeenCalledOnce())
  await packed.mock.results[0]?.value
  await new Promise((resolve) => setTimeout(resolve))
  write('the rest', 10)
  expect(writer.cutNow()).toBe(true)
  expect(cut[0]?.body).toHaveLength(2)
  expect(cut[0]?.records).toBe(11)
  expect(operationsOf(cut[0])).toHaveLength(11)
  expect(operationsOf(cut[0]).at(-1)).toMatchObject({ text: 'the rest' })
  packed.mockRestore()
})

test('a segment that grows is cut, whether the browser is idle or not', async () => {
  for (let count = 0; count < 1_000 && cut.length === 0; count++) {
    write(noise(1_000))
    await new Promise((resolve) => setTimeout(resolve))
  }
  expect(cut).toHaveLength(1)
  for (let count = 0; count < 120; count++) write('z'.repeat(10_000))
  await vi.waitFor(() => expect(cut.reduce((sum, each) => sum + each.records, 0)).toBeGreaterThan(100))
})

test('a hash that is not known yet is filled in before it is compressed', async () => {
  const mark: SheetMark = { hash: '', placeholder: '1'.padStart(36, '0') }
  const other: SheetMark = { hash: '', placeholder: '2'.padStart(36, '0') }
  let resolve = (_: unknown) => {}
  settle = new Promise((done) => {
    resolve = done
  })
  const writeSheet = (each: SheetMark) => {
    writer.begin(5)
    writer.stream.byte(records.sheet)
    writer.stream.number(2)
    writer.writeMark(each)
    writer.end()
  }
  write('a'.repeat(100))
  for (const each of [mark, other, mark]) writeSheet(each)
  writer.cut()
  mark.hash = 'a'.repeat(36)
  other.hash = 'b'.repeat(36)
  resolve(undefined)
  await vi.waitFor(() => expect(cut).toHaveLength(1))
  const texts = operationsOf(cut[0]).flatMap((each) => (each.do === 'sheet' ? [each.text] : []))
  expect(texts).toEqual([mark, other, mark].map(({ hash }) => `/*telltale:${hash}*/`))
  expect(cut[0]?.assets).toEqual([mark.hash, other.hash])
  writeSheet(mark)
  writer.cut()
  await vi.waitFor(() => expect(cut).toHaveLength(2))
  expect(operationsOf(cut[1])).toMatchObject([{ text: `/*telltale:${mark.hash}*/` }])
  expect(cut[1]?.assets).toEqual([mark.hash])
})
