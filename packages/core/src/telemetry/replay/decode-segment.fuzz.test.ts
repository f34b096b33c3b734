// Whatever the bytes are, the decoder ends: with operations, or with one of its two errors.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeSegment } from './decode-segment.ts'
import { BrokenRecording, RecordingTooLarge } from './read-bytes.ts'

const head = [0x54, 0x54, 0x52, 1, 1, 5]
const word = (text: string) => [0, text.length, ...new TextEncoder().encode(text)]
const point = [2, 4]
/** One record of each kind. */
const records = [
  ...[
    [1, 8],
    [2, 10, 10, 20, 5, 1, ...word('html'), 1, ...word('lang'), ...word('en'), 9, ...word('v'), 10],
  ],
  ...[
    [
      12,
      ...point,
      13,
      64,
      64,
      14,
      2,
      15,
      ...word('a {}'),
      16,
      17,
      7,
      19,
      1,
      3,
      4,
      ...word('x'),
      0,
      8,
      0,
      0,
      0,
    ],
  ],
  ...[
    [3, 2, 0, 1, ...word('p'), 0, 0, 6, 3, 0],
    [4, 2, 3, 4],
    [5, 3, ...word('new')],
    [6, 2, ...word('id'), 2],
  ],
  ...[
    [7, 2, ...word('id')],
    [8, 2, 12, ...point],
    [9, 2, 4, ...word('s'), 0],
    [10, 2, 20, 5, 0],
  ],
  ...[
    [11, 5, ...word('b {}')],
    [12, 4, 1, 0, ...word('c {}')],
    [13, 4, 1, 0],
    [15, 4, 1, 0, ...word('top')],
  ],
  ...[
    [14, 4, 1, 0, ...word('left'), ...word('1px'), 1],
    [16, 1, 1, 2],
    [17, 10, 10],
    [18, 100, ...point],
  ],
  ...[
    [20, 1, 5, ...point, 3],
    [21, 2, ...point, 3],
    [22, 3],
    [23, 3, ...word('image/png'), 2, 1, 2],
  ],
  ...[
    [24, ...word('{"kind":"lost"}')],
    [25, 1, ...word('said'), 1, ...word('{}')],
    [26, 0, ...word('GET'), ...word('/x'), 100, 5, 1, ...word('etag'), ...word('e'), 1, 2],
    [...word('text/plain'), ...word('ok'), 0, 0, 0, ...word(''), ...word('')],
    [27, 3, 1, 18, ...head, 2, 10, 10, 1, ...word('p'), 0, 0, 0, 20, 0],
  ],
].flat()
const valid = Uint8Array.from([...head, ...records])

/** How many operations came, and with which error it ended. */
function decode(bytes: Uint8Array): { count: number; error: unknown } {
  let count = 0
  try {
    for (const operation of decodeSegment(bytes)) {
      JSON.stringify(operation)
      count++
    }
    return { count, error: undefined }
  } catch (error) {
    return { count, error }
  }
}

const isExpected = (error: unknown) =>
  error === undefined || error instanceof BrokenRecording || error instanceof RecordingTooLarge

test('a segment with every record is whole', () => {
  expect(decode(valid)).toEqual({ count: 26, error: undefined })
})

test('bytes of any kind end in operations or in an error of the decoder', () => {
  const some = fc.uint8Array({ maxLength: 40 })
  /** Numbers that never end. */
  const high = fc.uint8Array({ minLength: 6, maxLength: 12, min: 128 })
  const record = fc.tuple(fc.integer({ min: 1, max: 27 }), some).map(([code, rest]) => [code, ...rest])
  const parts = fc.array(fc.oneof(some, high, record), { maxLength: 30 })
  fc.assert(
    fc.property(parts, fc.boolean(), (given, hasHead) => {
      const bytes = given.flatMap((part) => [...part])
      return isExpected(decode(Uint8Array.from(hasHead ? [...head, ...bytes] : bytes)).error)
    }),
    { numRuns: 3_000 },
  )
})

test('what a frame of another origin has recorded is put into its frame, and a fault in it leaves the page whole', () => {
  const inFrame = [...head, 2, 10, 10, 4, ...word('in it'), 0, 24, ...word('{"kind":"recording"}'), 17, 1, 1]
  const frame = (bytes: number[], number = 1) => [27, 3, number, bytes.length, ...bytes]
  const after = [5, 9, ...word('after')]
  const read = (...records: number[][]) => [...decodeSegment(Uint8Array.from([...head, ...records.flat()]))]
  const text = { kind: 'text', id: 2 ** 30 + 2, text: 'in it' }
  const shown = { at: 5, do: 'document', id: 3, document: { id: 2 ** 30 + 1, children: [text] } }
  const rest = { at: 5, do: 'text', id: 9, text: 'after' }
  expect(read(frame(inFrame), after)).toEqual([shown, rest])
  const lost = { at: 5, do: 'note', note: { kind: 'lost' } }
  expect(read(frame([...inFrame, 99]), after)).toEqual([shown, lost, rest])
  const within = frame([...head, ...frame(inFrame, 2)])
  const [deep] = read(within)
  expect(deep).toMatchObject({ id: 2 ** 30 + 3, document: { id: 2 ** 30 + 2 * 64 * 2 ** 30 + 1 } })
  const closed = { at: 5, do: 'document', id: 3, document: { id: 2 ** 30 + 1, children: [] } }
  expect(read(frame([]), after)).toEqual([closed, rest])
  expect(() => read(frame(inFrame, 64))).toThrow(BrokenRecording)
})

test('a number of more than eight bytes, or above all that can be counted, is broken', () => {
  for (const number of [Array(9).fill(0x80), [...Array(7).fill(0xff), 0x7f]]) {
    const { error } = decode(Uint8Array.from([...head, 22, ...number]))
    expect(error).toBeInstanceOf(BrokenRecording)
  }
})

test('a segment that is cut off gives what comes before the cut', () => {
  const { count } = decode(valid)
  for (let length = 0; length < valid.length; length++) {
    const cut = decode(valid.subarray(0, length))
    expect(isExpected(cut.error)).toBe(true)
    expect(cut.count).toBeLessThan(count)
  }
})

test('a segment in which bytes changed ends as well', () => {
  const place = fc.tuple(fc.nat(valid.length - 1), fc.nat(255))
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 8 }), (places) => {
      const changed = Uint8Array.from(valid)
      for (const [index, byte] of places) changed[index] = byte
      return isExpected(decode(changed).error)
    }),
    { numRuns: 5_000 },
  )
})

test('few bytes that mean much are refused before they are written out', () => {
  const long = [1, 0xff, 0x7f, ...Array(16_383).fill(0x61)]
  const once = [0, ...long.slice(1)]
  const names = Array.from({ length: 60_000 }, () => [5, 3, 2]).flat()
  expect(decode(Uint8Array.from([...head, 5, 3, ...once, ...names])).error).toBeInstanceOf(RecordingTooLarge)
  const deep = Array.from({ length: 5_000 }, () => [1, ...word('p'), 0]).flat()
  expect(decode(Uint8Array.from([...head, 2, 10, 10, ...deep])).error).toBeInstanceOf(RecordingTooLarge)
})
