import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { limits } from '@telltale/core/limits'
import { eventColumns } from '@telltale/core/telemetry/event-row'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { boundEvent, toLiveEvent } from './live-row.ts'
import { createWaiting, eventsPerTurn } from './waiting.ts'
import { writeStream } from './write-stream.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Has no reader: everything stays queued. */
const unreadResponse = () => new ServerResponse(new IncomingMessage(new Socket()))

function largeEvent() {
  const values: Partial<Record<(typeof eventColumns)[number], unknown>> = {
    ts: 1,
    received_at: 1,
    err_stack: 'x'.repeat(3 * limits.liveEventSize),
  }
  return boundEvent(toLiveEvent(eventColumns.map((column) => values[column] ?? '')), 3 * limits.liveEventSize)
}

test('a slow reader gets a bounded amount, and keeps its stream', () => {
  const response = unreadResponse()
  const waiting = createWaiting()
  const stop = vi.fn()
  const isClosed = vi.fn()
  const watcher = { take: waiting.take, stop }
  writeStream(response, {
    watchers: [watcher],
    isStoreAway: () => false,
    earlier: Promise.resolve([]),
    onClose: isClosed,
  })
  const event = largeEvent()
  const turns = 1_000
  for (let turn = 0; turn < turns; turn += 1) {
    for (let count = 0; count < 20; count += 1) waiting.add(event)
    vi.advanceTimersByTime(limits.liveInterval)
  }
  const oneTurn = eventsPerTurn * limits.liveEventSize
  expect(response.writableLength).toBeGreaterThan(limits.liveBacklog)
  expect(response.writableLength).toBeLessThan(limits.liveBacklog + oneTurn)
  // What it missed is still counted.
  expect(waiting.take().arrived).toBeGreaterThan(turns)

  response.emit('close')
  expect(stop).toHaveBeenCalledOnce()
  expect(isClosed).toHaveBeenCalledOnce()
})

test('a stream ends after its maximum time', () => {
  const response = unreadResponse()
  const { take } = createWaiting()
  const earlier = Promise.resolve([])
  writeStream(response, {
    watchers: [{ take, stop: () => undefined }],
    isStoreAway: () => true,
    earlier,
    onClose: () => undefined,
  })
  expect(response.writableEnded).toBe(false)
  vi.advanceTimersByTime(limits.liveLifetime)
  expect(response.writableEnded).toBe(true)
  vi.advanceTimersByTime(limits.liveLifetime)
  expect(response.destroyed).toBe(true)
})
