// Sends rows to the store until they are stored: the same bytes with the same token, with unlimited retries. Invalid
// rows are found by bisection and quarantined, each with its reason.

import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@telltale/core/limits'
import type { InsertOutcome } from '../../platform/engines/clickhouse/insert-outcome.ts'
import type { WrittenTable } from '../../platform/engines/clickhouse/schema/tables.ts'
import type { RowBatch, Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import type { Log } from '../../platform/process/log.ts'
import { retryPause } from '../../platform/process/retry-pause.ts'
import type { RefusedRow } from './quarantine.ts'

export type Store = Pick<Telemetry, 'insert' | 'untilUsable'>

/** Rows of one table. */
export interface Rows {
  table: WrittenTable
  columns: readonly string[]
  /** Lines of JSON, each with its newline. */
  lines: Buffer
  token: string
  insert(store: Store, batch: Pick<RowBatch<'events'>, 'rows' | 'token' | 'signal'>): Promise<InsertOutcome>
}

export interface Delivery {
  store: Store
  /** Aborts the retries; the rows stay in the spool. */
  signal: AbortSignal
  /** The delay before retrying when the store does not respond. */
  timeout: number
  log: Log
}

type Refusal = Extract<InsertOutcome, { kind: 'refused' }>

interface RefusedInsert {
  /** Of the original insert. */
  token: string
  refused: RefusedRow[]
}

/**
 * Sends tables in parallel, the rows of each in order. Returns the inserts with rejected rows once all requests have
 * ended.
 */
export async function deliverTables(inserts: readonly Rows[], delivery: Delivery): Promise<RefusedInsert[]> {
  const byTable = new Map<string, Rows[]>()
  for (const rows of inserts) byTable.set(rows.table, [...(byTable.get(rows.table) ?? []), rows])
  const tables = await Promise.allSettled(
    [...byTable.values()].map(async (ofTable) => {
      const found: RefusedInsert[] = []
      for (const rows of ofTable) {
        const refused = await deliverRows(rows, delivery)
        if (refused.length > 0) found.push({ token: rows.token, refused })
      }
      return found
    }),
  )
  return tables.flatMap((table) => {
    if (table.status === 'rejected') throw table.reason
    return table.value
  })
}

/** Returns the rows that the store rejects; all others are stored. Throws when aborted. */
export async function deliverRows(rows: Rows, delivery: Delivery): Promise<RefusedRow[]> {
  const refusal = await insertOrBeRefused(rows, delivery)
  if (refusal === undefined) return []

  const lines = splitLines(rows.lines)
  const [only] = lines
  if (lines.length <= 1) {
    const { table, columns } = rows
    const { code, message } = refusal
    return [{ table, columns, row: (only ?? Buffer.alloc(0)).toString('utf8').trimEnd(), code, message }]
  }
  const middle = Math.ceil(lines.length / 2)
  const halves = [lines.slice(0, middle), lines.slice(middle)]
  const refused: RefusedRow[] = []
  for (const [index, half] of halves.entries()) {
    const part = { ...rows, lines: Buffer.concat(half), token: `${rows.token}.${index}` }
    refused.push(...(await deliverRows(part, delivery)))
  }
  return refused
}

async function insertOrBeRefused(
  rows: Rows,
  { store, signal, timeout, log }: Delivery,
): Promise<Refusal | undefined> {
  let unforeseen = 0
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted()
    await store.untilUsable(signal)
    signal.throwIfAborted()
    const outcome = await withLimit({ signal, timeout }, (limited) =>
      rows.insert(store, { rows: rows.lines, token: rows.token, signal: limited }),
    )
    if (outcome.kind === 'stored') return undefined
    if (outcome.kind === 'refused') return outcome

    signal.throwIfAborted()
    if (!outcome.isKnown) unforeseen += 1
    if (unforeseen >= limits.insertAttempts) return { kind: 'refused', code: 0, message: outcome.reason }
    if (attempt === 0)
      log.warn({ reason: outcome.reason }, 'telemetry waits in the spool: the store does not accept it')
    await pause(retryPause(attempt, { longest: limits.insertPause }), undefined, { signal })
  }
}

/** Gives up on an engine that hangs. */
async function withLimit<Result>(
  { signal, timeout }: Pick<Delivery, 'signal' | 'timeout'>,
  work: (limited: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController()
  const giveUp = () => limit.abort()
  const timer = setTimeout(giveUp, timeout)
  signal.addEventListener('abort', giveUp)
  try {
    return await work(limit.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
  }
}

const newline = 0x0a

export function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(newline, start)
    const next = end < 0 ? bytes.length : end + 1
    lines.push(bytes.subarray(start, next))
    start = next
  }
  return lines
}
