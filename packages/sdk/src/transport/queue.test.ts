import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Batch, createBatch } from './batch.ts'
import { createQueue } from './queue.ts'
import type { Outcome } from './send.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', () => undefined)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function start(answers: (Outcome | undefined)[]) {
  const sent: [id: string, isExit: boolean][] = []
  const refused = vi.fn()
  const queue = createQueue(async ({ id }, isExit) => {
    sent.push([id, isExit])
    return answers.length > 0 ? answers.shift() : { status: 202, retryAfter: 0 }
  }, refused)
  return { queue, sent, refused }
}
const failed = { status: 500, retryAfter: 0 }
const batchOf = (sizeBytes: number, isPrecious = true): Batch =>
  Object.assign(createBatch(isPrecious), { sizeBytes })

test('a batch is retried with backoff until it is accepted, and the next one waits', async () => {
  const { queue, sent } = start([failed, { status: 0, retryAfter: 0 }, { status: 408, retryAfter: 0 }])
  const [one, two] = [batchOf(1), batchOf(1)]
  queue.push(one)
  queue.push(two)
  await vi.advanceTimersByTimeAsync(100)
  expect(sent).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(sent.map(([id]) => id)).toEqual([one.id, one.id, one.id, one.id, two.id])
})

test('a batch that the server has no space for does not block the next one', async () => {
  const { queue, sent } = start([{ status: 503, retryAfter: 1_000 }])
  const [mixed, precious] = [batchOf(1), batchOf(1)]
  queue.push(mixed)
  await vi.advanceTimersByTimeAsync(100)
  queue.push(precious)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(sent.map(([id]) => id)).toEqual([mixed.id, precious.id, mixed.id])
})

test('Retry-After is respected, also when the page is left', async () => {
  const { queue, sent } = start([{ status: 429, retryAfter: 30_000 }])
  queue.push(batchOf(1))
  await vi.advanceTimersByTimeAsync(29_000)
  queue.exit()
  expect(sent).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(32_000)
  expect(sent).toHaveLength(2)
})

test('an unreadable batch is not retried; an invalid key stops everything', async () => {
  const { queue, sent, refused } = start([
    { status: 400, retryAfter: 0 },
    { status: 401, retryAfter: 0 },
  ])
  queue.push(batchOf(1))
  await vi.advanceTimersByTimeAsync(60_000)
  expect([sent.length, refused.mock.calls.length]).toEqual([1, 0])
  queue.push(batchOf(1))
  await vi.advanceTimersByTimeAsync(60_000)
  expect([sent.length, refused.mock.calls.length]).toEqual([2, 1])
})

test('without space the oldest dispensable batches are dropped first, then the oldest others', async () => {
  const { queue, sent } = start(Array.from({ length: 3 }, () => failed))
  const size = 300_000
  const batches = [batchOf(size), batchOf(size, false), batchOf(size, false), batchOf(size), batchOf(size)]
  for (const batch of batches) queue.push(batch)
  const last = batchOf(size)
  queue.push(last)
  await vi.advanceTimersByTimeAsync(60_000)
  const taken = [...new Set(sent.map(([id]) => id))]
  expect(taken).toEqual([batches[3], batches[4], last].map((batch) => batch?.id))
})

test('a page that is left sends everything, important batches first', () => {
  const { queue, sent } = start([])
  const [spare, precious] = [batchOf(1, false), batchOf(1)]
  queue.push(spare)
  queue.push(precious)
  queue.exit()
  expect(sent).toEqual([
    [precious.id, true],
    [spare.id, true],
  ])
})

test('a batch that is being compressed when the page is left is sent uncompressed, and not again', async () => {
  const { queue, sent } = start([])
  let compressed: (() => void) | undefined
  const settle = () =>
    new Promise<void>((resolve) => {
      compressed = resolve
    })
  const slow: Batch = { ...batchOf(1), settle }
  queue.push(slow)
  await vi.advanceTimersByTimeAsync(100)
  expect(sent).toEqual([])
  queue.exit()
  expect(sent).toEqual([[slow.id, true]])
  compressed?.()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(1)
})

test('batches without space when the page was left are sent later if the page stays', async () => {
  const { queue, sent } = start([undefined])
  const batch = batchOf(1)
  queue.push(batch)
  queue.exit()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual([
    [batch.id, true],
    [batch.id, false],
  ])
})
