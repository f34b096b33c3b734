// Inserts the contents of the spool into the tables, in order, each row once: the next rows are recorded before they
// are sent, so that after any crash the same rows are sent with the same tokens, and the store recognises duplicates.

import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@telltale/core/limits'
import type { Log } from '../../platform/process/log.ts'
import { retryPause } from '../../platform/process/retry-pause.ts'
import type { BatchIds } from './batch-ids.ts'
import type { Claims } from './claims.ts'
import { cutRows } from './cut-rows.ts'
import { deliverTables, type Store, splitLines } from './deliver-rows.ts'
import { hashOfBatch } from './id-bytes.ts'
import type { Journal, JournalEntry, VoidRecord } from './journal.ts'
import { isBefore, type Position } from './position.ts'
import type { Quarantine, RefusedRow } from './quarantine.ts'
import { readRecords } from './read-records.ts'
import { knownIn } from './record.ts'
import type { StoredRecord } from './segment-reader.ts'
import type { Segments } from './segments.ts'
import type { Spool } from './spool.ts'
import { createWakeSignal, type WakeSignal } from './wake-signal.ts'

interface WriterParts {
  spool: Spool
  segments: Segments
  journal: Journal
  quarantine: Quarantine
  batchIds: BatchIds
  /** Only with other servers beside this one. */
  claims: Claims | undefined
  store: Store
  insertTimeout: number
  /** Distinguishes the rows of this server from those of others. */
  serverId: string
  now(): number
  log: Log
  onRefused(rows: readonly RefusedRow[]): void
}

export interface Writer {
  /** When the oldest waiting record arrived. */
  waitingSince(): number | undefined
  /** Ships as much as possible in this time, then stops; the rest is shipped after the next start. */
  stop(patience: number): Promise<void>
}

type Plan = NonNullable<JournalEntry['plan']>

export function startWriter(parts: WriterParts): Writer {
  const { segments, journal, log, spool } = parts
  const stopping = new AbortController()
  const delivery = { store: parts.store, signal: stopping.signal, timeout: parts.insertTimeout, log }
  let position: Position = journal.last().position
  let isDraining = false
  let waitingSince: number | undefined
  let newRows = 0
  let failures = 0
  /** The records from the position on: read while the previous rows were being sent. */
  let readAhead: StoredRecord[] = []
  const news = createWakeSignal()
  spool.onCommit((rows) => {
    newRows += rows
    waitingSince ??= parts.now()
    news.notify()
  })

  const isBehind = () => isBefore(position, segments.end())

  /** Waits until there are enough rows, or the first of them has waited long enough. */
  const untilWorth = async () => {
    while (!isBehind() && !isDraining) await news.wait()
    await gather(news, () => newRows >= limits.flushRows || isDraining)
  }

  const moveTo = (end: Position) => {
    const before = segments.bytesFrom(position)
    position = end
    spool.release(before - segments.bytesFrom(position))
    if (!isBehind()) waitingSince = undefined
  }

  const ship = async (records: readonly StoredRecord[], plan: Plan) => {
    const voids = new Map(plan.void.map((each) => [nameOf(each), each]))
    const shipped = records.flatMap((record) => without(voids.get(nameOf(record.position)), record))
    const token = `${parts.serverId}-${position.segment}-${position.offset}`
    const [delivered, read] = await Promise.allSettled([
      deliverTables(cutRows(shipped, token), delivery),
      readRecords(segments, plan.end),
    ])
    if (delivered.status === 'rejected') throw delivered.reason
    for (const { token, refused } of delivered.value) {
      await parts.quarantine.keep(token, refused)
      parts.onRefused(refused)
      log.error({ rows: refused.length, message: refused[0]?.message }, 'rows were rejected and quarantined')
    }
    readAhead = read.status === 'fulfilled' ? read.value : []
    moveTo(plan.end)
    failures = 0
    if (isBehind()) waitingSince = records.at(-1)?.header.receivedAt ?? parts.now()
  }

  const planNext = async (): Promise<{ records: StoredRecord[]; plan: Plan } | undefined> => {
    const records = await readRecords(segments, position, { begun: readAhead })
    readAhead = []
    const end = records.at(-1)?.next
    if (end === undefined) return undefined
    waitingSince = records[0]?.header.receivedAt
    const plan = { end, void: await findLost(records, parts) }
    await journal.write({ position, plan })
    return { records, plan }
  }

  const finishPlan = async () => {
    const { plan } = journal.last()
    if (plan === undefined) return
    await ship(await readRecords(segments, position, { end: plan.end }), plan)
  }

  const work = async () => {
    await finishPlan()
    for (let isBacklog = isBehind(); ; ) {
      stopping.signal.throwIfAborted()
      if (!isBehind()) await journal.write({ position })
      await retire(journal.last().position, parts)
      if (isDraining && !isBehind()) return
      if (!isBacklog) await untilWorth()
      newRows = 0
      // Taken before reading, so that records that arrive meanwhile are not skipped.
      const end = segments.end()
      const next = await planNext()
      isBacklog = next !== undefined && isBefore(next.plan.end, end)
      if (next !== undefined) await ship(next.records, next.plan)
      // Only damage.
      else moveTo(end)
    }
  }

  const running = keepTrying(work, {
    signal: stopping.signal,
    pauseBefore: () => retryPause(failures++, pauses),
    onFailure: (error) => {
      if (failures === 0) log.error({ err: error }, 'telemetry waits in the spool')
    },
  })

  return {
    waitingSince: () => waitingSince,
    async stop(patience) {
      isDraining = true
      news.notify()
      const giveUp = setTimeout(() => stopping.abort(), patience)
      await running
      clearTimeout(giveUp)
    },
  }
}

/** Waits at most as long as the first row may wait. */
async function gather(news: WakeSignal, isEnough: () => boolean): Promise<void> {
  const deadline = performance.now() + limits.flushInterval
  for (let left = limits.flushInterval; !isEnough() && left > 0; left = deadline - performance.now()) {
    await news.wait(left)
  }
}

interface Trying {
  signal: AbortSignal
  onFailure(error: unknown): void
  pauseBefore(): number
}

/** Runs until it ends or is stopped. */
async function keepTrying(work: () => Promise<void>, { signal, ...trying }: Trying): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) return
      trying.onFailure(error)
      await pause(trying.pauseBefore(), undefined, { signal }).catch(() => undefined)
    }
  }
}

/** Deletes what is in the tables. Only after the journal has recorded it, because nothing may send it again. */
async function retire(
  position: Position,
  { segments, batchIds }: Pick<WriterParts, 'segments' | 'batchIds'>,
): Promise<void> {
  for (const segment of segments.complete(position)) {
    const known = await segments.knownIn(segment)
    await batchIds.keep(
      known.map(({ environmentId, batchId, receivedAt }) => ({
        id: hashOfBatch(environmentId, batchId),
        receivedAt,
      })),
    )
    await segments.remove(segment)
  }
}

async function findLost(
  records: readonly StoredRecord[],
  { claims, now }: Pick<WriterParts, 'claims' | 'now'>,
): Promise<VoidRecord[]> {
  if (claims === undefined) return []
  const known = records.map(({ header, body }) => knownIn(header, body.subarray(header.viewsAt)))
  const lost = await claims.claim(known.flat(), new Date(now()))
  const ids = new Set(lost.map(({ environmentId, batchId }) => `${environmentId} ${batchId}`))
  return records.flatMap(({ header, position }, index) => {
    const rows = (known[index] ?? []).flatMap(({ environmentId, batchId }, row) =>
      ids.has(`${environmentId} ${batchId}`) ? row : [],
    )
    if (rows.length === 0) return []
    return header.kind === 'facts' ? { ...position, rows } : position
  })
}

/** The rows of a record that another server does not ship. */
function without(lost: VoidRecord | undefined, record: StoredRecord): StoredRecord[] {
  if (lost === undefined) return [record]
  if (lost.rows === undefined) return []
  const isLost = new Set(lost.rows)
  const lines = splitLines(record.body.subarray(0, record.header.viewsAt))
  const body = Buffer.concat(lines.filter((_, row) => !isLost.has(row)))
  return [{ ...record, header: { ...record.header, viewsAt: body.length }, body }]
}

const nameOf = ({ segment, offset }: Position) => `${segment}-${offset}`
const pauses = { first: 200, longest: 30_000 }
