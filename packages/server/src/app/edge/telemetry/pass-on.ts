// Passes the requests of a spool on to the server, in the order of their arrival, until it has each of them. Several at
// the same time, but those of one client one after the other. What was passed on is noted every second: after a crash
// the rest is sent again, and the server recognises it by its ids.

import { crc32 } from 'node:zlib'
import { edgeLimits } from '@telltale/core/edge-limits'
import type { Position } from '../../../intake/spool/position.ts'
import type { StoredRecord } from '../../../intake/spool/segment-reader.ts'
import { createWakeSignal } from '../../../intake/spool/wake-signal.ts'
import { startRepeating } from '../../../platform/process/repeat.ts'
import { createDeliver, type DeliverParts, type DeliverState } from './deliver.ts'
import { type KeptRequest, requestIn } from './kept-request.ts'
import type { RequestSpool } from './open-request-spool.ts'

export interface PassingOn {
  condition(): PassingCondition
  /** Notes what was passed on so far. */
  stop(): Promise<void>
}

export interface PassingCondition extends DeliverState {
  waitingBytes: number
  /** When the oldest waiting request arrived, in milliseconds since 1970. */
  since: number | undefined
}

type PassOnParts = Pick<RequestSpool, 'spool' | 'segments' | 'journal'> & DeliverParts

interface Waiting {
  record: StoredRecord
  isSettled: boolean
}

export function startPassingOn(parts: PassOnParts): PassingOn {
  const { spool, segments, journal, log } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  const news = createWakeSignal()
  spool.onCommit(news.notify)
  const { deliver, state } = createDeliver(parts, signal)
  const lanes: Promise<void>[] = Array.from({ length: edgeLimits.edgeTelemetryLanes.value }, async () => {})
  const waiting: Waiting[] = []
  let { position: settled } = journal.last()
  let aheadBytes = 0

  const settle = (one: Waiting) => {
    one.isSettled = true
    for (let first = waiting[0]; first?.isSettled === true; first = waiting[0]) {
      waiting.shift()
      settled = first.record.next
      aheadBytes -= first.record.body.length
    }
    news.notify()
  }
  const begin = (record: StoredRecord) => {
    const one = { record, isSettled: false }
    waiting.push(one)
    aheadBytes += record.body.length
    const request = requestIn(record)
    if (request === undefined) return settle(one)
    const lane = laneOf(request, lanes.length)
    lanes[lane] = (lanes[lane] ?? Promise.resolve()).then(async () => {
      if (await deliver(record, request)) settle(one)
    })
  }
  const read = createRead(parts)
  const run = async () => {
    let at = settled
    while (!signal.aborted) {
      const hasRoom = aheadBytes < edgeLimits.edgeTelemetryAhead.value
      const record = hasRoom ? await read(at) : undefined
      if (record === undefined) {
        await news.wait(edgeLimits.edgeTelemetryProgress.value)
        continue
      }
      at = record.next
      begin(record)
    }
  }
  const noteProgress = createNoteProgress(parts, {
    isIdle: () => waiting.length === 0,
    settled: () => settled,
    moveTo(position) {
      settled = position
    },
  })
  const running = run()
  const stopNoting = startRepeating(
    log,
    { what: 'noting passed on telemetry', every: edgeLimits.edgeTelemetryProgress.value },
    async () => {
      await noteProgress()
      await spool.measure()
    },
  )

  return {
    condition: () => ({
      ...state(),
      waitingBytes: segments.bytesFrom(settled),
      since: waiting[0]?.record.header.receivedAt,
    }),
    async stop() {
      stopping.abort()
      news.notify()
      await Promise.all([running, ...lanes])
      await stopNoting()
      await noteProgress()
    },
  }
}

function createRead({ segments, log }: Pick<PassOnParts, 'segments' | 'log'>) {
  let canRead = true
  return async (at: Position): Promise<StoredRecord | undefined> => {
    try {
      const record = await segments.read(at)
      canRead = true
      return record
    } catch (error) {
      if (canRead) log.error({ err: error }, 'telemetry cannot be read from the disk: trying again')
      canRead = false
      return undefined
    }
  }
}

interface Progress {
  isIdle(): boolean
  settled(): Position
  moveTo(position: Position): void
}

/** Notes the progress on disk, and deletes the files before it. */
function createNoteProgress({ spool, segments, journal, now }: PassOnParts, progress: Progress) {
  let rotatedAt = 0
  const isAllPassedOn = () => progress.isIdle() && segments.bytesFrom(progress.settled()) === 0

  return async () => {
    // A file is deleted once another one is written: what the server has does not stay on this disk.
    if (isAllPassedOn() && now() - rotatedAt >= edgeLimits.edgeTelemetryKept.value) {
      rotatedAt = now()
      await spool.rotate()
    }
    if (isAllPassedOn()) progress.moveTo(segments.end())
    const { position } = journal.last()
    const settled = progress.settled()
    if (position.segment === settled.segment && position.offset === settled.offset) return
    const before = segments.bytesFrom(position)
    await journal.write({ position: settled })
    spool.release(before - segments.bytesFrom(settled))
    for (const segment of segments.complete(settled)) await segments.remove(segment)
  }
}

/** Requests of the same client are in the same lane. */
function laneOf({ address, headers }: KeptRequest, count: number): number {
  return crc32(`${address} ${headers['user-agent'] ?? ''}`) % count
}
