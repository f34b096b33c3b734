import { foreignReplayFormats, replayFormats } from '@telltale/core/contract/attachments'
import { expect, test } from 'vitest'
import { createPlayerForm } from './player-form.ts'
import type { PlayedSegment } from './recorded-segment.ts'

const event = { type: 3, timestamp: 7, data: { source: 3, id: 2, x: 0, y: 9 } }
const text = Buffer.from(`${JSON.stringify(event)}\n`)
const scrolled = { at: 7, do: 'state', id: 2, state: { scroll: { x: 0, y: 9 } } }
const own = (given: Buffer, format = 'rrweb-2') =>
  createPlayerForm().read({ seq: 0, full: true, format, text: given })

const datadog = (records: object[], seq = 0, full = seq === 0) => ({
  seq,
  full,
  format: 'datadog-7',
  text: Buffer.from(JSON.stringify({ records })),
})
const size = { type: 4, timestamp: 5, data: { href: '/', width: 1, height: 1 } }
const page = { type: 2, format: 1, timestamp: 5, data: [[1, [null, '#document'], [1, 'HTML']]] }
const late = (timestamp: number) => ({ type: 12, timestamp, data: [[1, [1, 'P']]] })
const nothing = { type: 99, timestamp: 7 }
const linesOf = (played: PlayedSegment | undefined) =>
  played?.lines
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
const told = (played: PlayedSegment | undefined) => linesOf(played)?.map(({ do: kind, at }) => [kind, at])

/** The head of a segment: node 9 is the next, and time 5. Node 2 is scrolled to 0, 9; `a` becomes the text of node 3. */
const [scroll, textOfThree] = [
  [8, 2, 12, 0, 18],
  [5, 3, 0, 1, 0x61],
]
const binary = (...bytes: number[][]) => Buffer.from([0x54, 0x54, 0x52, 1, 9, 5, ...bytes.flat()])

test('every form that is taken in can be played', async () => {
  for (const format of replayFormats) expect(await own(text, format), format).toBeDefined()
  for (const format of foreignReplayFormats)
    expect(await own(Buffer.from('{"records":[]}'), format), format).toBeDefined()
})

test('an unknown format is rejected, whatever its name', async () => {
  for (const format of ['rrweb-9', '', 'constructor', '__proto__']) {
    expect(await own(text, format)).toBeUndefined()
  }
})

test('stored events become operations; invalid lines do not affect others', async () => {
  const lines = ['{"type":3,"da', 'null', JSON.stringify(event), '[7]', '', JSON.stringify(event)].join('\n')
  const played = await own(Buffer.from(lines))
  expect(played?.isBroken).toBe(false)
  expect(linesOf(played)).toEqual([scrolled, scrolled])
  expect(linesOf(await own(Buffer.alloc(0)))).toEqual([])
})

test('a binary segment becomes operations, up to a fault', async () => {
  const whole = await own(binary(scroll, textOfThree), 'telltale-replay-1')
  const operations = [
    { ...scrolled, at: 5 },
    { at: 5, do: 'text', id: 3, text: 'a' },
  ]
  expect(whole?.isBroken).toBe(false)
  expect(linesOf(whole)).toEqual(operations)
  for (const fault of [[99], [5, 3, 0, 200, 0x61], [2, 1]]) {
    const broken = await own(binary(scroll, textOfThree, fault), 'telltale-replay-1')
    expect(broken?.isBroken).toBe(true)
    expect(linesOf(broken)).toEqual(operations)
  }
})

test('a long segment does not block other requests', async () => {
  const many = Buffer.concat(Array.from({ length: 60_000 }, () => text))
  let passed = 0
  const passing = setInterval(() => passed++)
  const played = await own(many)
  clearInterval(passing)
  expect(linesOf(played)).toHaveLength(60_000)
  expect(passed).toBeGreaterThan(0)
})

test('a foreign segment continues from its predecessor, and not across a missing one', async () => {
  const form = createPlayerForm()
  const read = async (...given: Parameters<typeof datadog>) => told(await form.read(datadog(...given)))
  expect(await read([size, page])).toEqual([
    ['viewport', 5],
    ['page', 5],
  ])
  expect(await read([late(6)], 1)).toEqual([['insert', 6]])
  expect(await read([late(8)], 3)).toBeUndefined()
  expect(await read([late(9)], 4)).toBeUndefined()
  expect(await read([size, page], 5, true)).toHaveLength(2)
  expect(await read([late(9)], 6)).toHaveLength(1)
})

test('the clock of a segment is that of its earliest record, even if that record has no operation', async () => {
  const form = createPlayerForm()
  await form.read(datadog([size, page]))
  expect(told(await form.read(datadog([nothing, late(9)], 1)))).toEqual([
    ['note', 7],
    ['insert', 9],
  ])
})

test('an invalid segment, or one that decompresses to too much, cannot be played, nor can its successors', async () => {
  const form = createPlayerForm()
  for (const broken of ['', 'null', '7', '{"records":7}', '{"records":['])
    expect(await form.read({ ...datadog([]), text: Buffer.from(broken) })).toBeUndefined()
  const huge = { ...page, data: [[0, 'x'.repeat(1_000_000)], ...Array(90).fill([1, [null, 0]])] }
  const broken = await form.read(datadog([size, huge]))
  expect(broken?.isBroken).toBe(true)
  expect(told(broken)).toEqual([['viewport', 5]])
  expect(await form.read(datadog([late(9)], 1))).toBeUndefined()
})
