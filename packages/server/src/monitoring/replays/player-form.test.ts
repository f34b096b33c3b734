import { foreignReplayFormats, replayFormats } from '@telltale/core/contract/attachments'
import { expect, test } from 'vitest'
import { createPlayerForm } from './player-form.ts'

const text = Buffer.from('{"type":3}\n')
const own = (given: Buffer, format = 'rrweb-2') =>
  createPlayerForm().read({ seq: 0, full: true, format, text: given })

const datadog = (records: object[], seq = 0, full = seq === 0) => ({
  ...{ seq, full, format: 'datadog-7', text: Buffer.from(JSON.stringify({ records })) },
})
const size = { type: 4, timestamp: 5, data: { href: '/', width: 1, height: 1 } }
const page = { type: 2, format: 1, timestamp: 5, data: [[1, [null, '#document'], [1, 'HTML']]] }
const late = (timestamp: number) => ({ type: 12, timestamp, data: [[1, [1, 'P']]] })
const nothing = { type: 99, timestamp: 7 }
const typesOf = (lines: Buffer | undefined) =>
  lines
    ?.toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ type, timestamp }) => [type, timestamp])

test('every form that is taken in can be played', async () => {
  for (const format of replayFormats) expect(await own(text, format), format).toBeDefined()
  for (const format of foreignReplayFormats)
    expect(await own(Buffer.from('{"records":[]}'), format), format).toBeDefined()
})

test('a form that nobody knows is none, whatever its name', async () => {
  for (const format of ['rrweb-9', '', 'constructor', '__proto__']) {
    expect(await own(text, format)).toBeUndefined()
  }
})

test('the last line ends, so that the next segment begins on its own', async () => {
  expect(await own(text)).toBe(text)
  expect((await own(Buffer.from('{"type":3}')))?.toString()).toBe('{"type":3}\n')
  expect((await own(Buffer.alloc(0)))?.toString()).toBe('')
})

test('a segment of another client goes on from the one before it, and none from one that is missing', async () => {
  const form = createPlayerForm()
  const read = async (...given: Parameters<typeof datadog>) => typesOf(await form.read(datadog(...given)))
  expect(await read([size, page])).toEqual([
    [4, 5],
    [2, 5],
  ])
  expect(await read([late(6)], 1)).toEqual([[3, 6]])
  expect(await read([late(8)], 3)).toBeUndefined()
  expect(await read([late(9)], 4)).toBeUndefined()
  expect(await read([size, page], 5, true)).toHaveLength(2)
  expect(await read([late(9)], 6)).toHaveLength(1)
})

test('the clock of a segment is that of its earliest record, also when that one tells nothing', async () => {
  const form = createPlayerForm()
  await form.read(datadog([size, page]))
  expect(typesOf(await form.read(datadog([nothing, late(9)], 1)))).toEqual([
    [5, 7],
    [3, 9],
  ])
})

test('what is no recording, or unfolds to more than a page is, cannot be played, nor what follows it', async () => {
  const form = createPlayerForm()
  for (const broken of ['', 'null', '7', '{"records":7}', '{"records":['])
    expect(await form.read({ ...datadog([]), text: Buffer.from(broken) })).toBeUndefined()
  const huge = { ...page, data: [[0, 'x'.repeat(1_000_000)], ...Array(90).fill([1, [null, 0]])] }
  expect(await form.read(datadog([huge]))).toBeUndefined()
  expect(await form.read(datadog([late(9)], 1))).toBeUndefined()
})
