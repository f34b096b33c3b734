// Rows that the store rejected, for the team that sent them: listed by reason, to retry or discard. One operation at a
// time.

import { createHash } from 'node:crypto'
import { limits } from '@telltale/core/limits'
import { isColumnOf, type WrittenTable } from '../../platform/engines/clickhouse/schema/tables.ts'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import type { Log } from '../../platform/process/log.ts'
import { deliverRows, type Rows } from '../spool/deliver-rows.ts'
import type { KeptRow, Quarantine } from '../spool/quarantine.ts'
import { type ErasedPeople, hashOfId } from './erased-people.ts'

export interface QuarantineGroup {
  id: string
  table: string
  code: number
  reason: string
  count: number
  since: number
  sample: Record<string, string>
}

export interface QuarantinedRows {
  list(environmentId: string): Promise<{ items: QuarantineGroup[]; complete: boolean }>
  retry(environmentId: string, groups: readonly string[]): Promise<{ stored: number; left: number }>
  discard(environmentId: string, groups: readonly string[]): Promise<number>
  /** Deletes rows that are past their time limit, including those of unknown environments. */
  discardPast(isPast: (environmentId: string | undefined, at: number) => boolean): Promise<number>
  /** Prevents erased users from returning through the quarantine. */
  discardErased(erased: Pick<ErasedPeople, 'hasHash' | 'isEmpty'>): Promise<number>
}

interface Parts {
  quarantine: Quarantine
  telemetry: Telemetry
  log: Log
}

type Chosen = (row: KeptRow) => boolean

export function createQuarantinedRows({ quarantine, telemetry, log }: Parts): QuarantinedRows {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }

  /** Returns how many of the chosen rows were removed; `settle` decides which ones stay. */
  const takeOut = async (
    isChosen: Chosen,
    settle: (rows: KeptRow[], file: string) => Promise<KeptRow[]> = async () => [],
  ) => {
    let gone = 0
    for (const file of await quarantine.files()) {
      const rows = await quarantine.read(file)
      const chosen = rows.filter(isChosen)
      if (chosen.length === 0) continue
      const stay = new Set(await settle(chosen, file))
      const left = rows.filter((row) => !isChosen(row) || stay.has(row))
      if (left.length < rows.length) await quarantine.replace(file, left)
      gone += rows.length - left.length
    }
    return gone
  }

  return {
    list: (environmentId) => inTurn(() => readGroups(quarantine, environmentId)),
    discard: (environmentId, groups) => inTurn(() => takeOut(isOneOf(environmentId, groups))),
    discardPast: (isPast) => inTurn(() => takeOut((row) => isPast(environmentOf(row), row.at))),
    discardErased: (erased) => inTurn(() => takeOut((row) => isOfErased(row, erased))),
    retry: (environmentId, groups) =>
      inTurn(async () => {
        // Fails at once when the store is unavailable.
        await telemetry.read('SELECT 1 AS n')
        const signal = AbortSignal.timeout(limits.quarantineRetry)
        const delivery = { store: telemetry, signal, timeout: limits.telemetryInsertTimeout, log }
        let left = 0
        const stored = await takeOut(isOneOf(environmentId, groups), async (rows, file) => {
          const stay = signal.aborted ? rows : await deliverAgain(rows, { file, delivery })
          left += stay.length
          return stay
        })
        return { stored, left }
      }),
  }
}

function isOneOf(environmentId: string, groups: readonly string[]): Chosen {
  const wanted = new Set(groups)
  return (row) => environmentOf(row) === environmentId && wanted.has(groupOf(row))
}

type Delivery = Parameters<typeof deliverRows>[1]

/**
 * Returns the rows that are rejected again. The same rows always use the same token, so that a crash in between does
 * not duplicate them.
 */
async function deliverAgain(
  rows: readonly KeptRow[],
  { file, delivery }: { file: string; delivery: Delivery },
): Promise<KeptRow[]> {
  const byTable = new Map<string, KeptRow[]>()
  for (const row of rows) {
    const key = `${row.table} ${row.columns.join()}`
    byTable.set(key, [...(byTable.get(key) ?? []), row])
  }
  const stay: KeptRow[] = []
  for (const some of byTable.values()) {
    const [first] = some
    const insert = first && rowsOf(first.table, { rows: some, file })
    try {
      const refused = insert === undefined ? some : await deliverRows(insert, delivery)
      const texts = new Set(refused.map(({ row }) => row))
      stay.push(...some.filter(({ row }) => texts.has(row)))
    } catch (error) {
      if (!delivery.signal.aborted) throw error
      stay.push(...some)
    }
  }
  return stay
}

/** Undefined when a column no longer exists. */
function rowsOf<Table extends WrittenTable>(
  table: Table,
  { rows, file }: { rows: readonly KeptRow[]; file: string },
): Rows | undefined {
  const names = rows[0]?.columns ?? []
  const columns = names.filter((name) => isColumnOf(table, name))
  if (columns.length < names.length) return undefined
  const lines = Buffer.from(rows.map(({ row }) => `${row}\n`).join(''))
  const token = `again-${createHash('sha256').update(file).update(lines).digest('hex')}`
  return {
    table,
    columns,
    lines,
    token,
    insert: (store, batch) => store.insert({ table, columns, ...batch }),
  }
}

async function readGroups(quarantine: Quarantine, environmentId: string) {
  const groups = new Map<string, QuarantineGroup>()
  let readBytes = 0
  let complete = true
  for (const file of await quarantine.files()) {
    if (readBytes > limits.quarantineRead) {
      complete = false
      break
    }
    for (const row of await quarantine.read(file)) {
      readBytes += row.row.length
      if (environmentOf(row) !== environmentId) continue
      const id = groupOf(row)
      const known = groups.get(id)
      if (known === undefined) groups.set(id, beginGroup(id, row))
      else {
        known.count += 1
        known.since = Math.min(known.since, row.at)
      }
    }
  }
  const items = [...groups.values()].sort((one, other) => other.count - one.count)
  const shown = items.slice(0, limits.quarantineGroups)
  return { items: shown, complete: complete && shown.length === items.length }
}

const reasonLength = 300

function beginGroup(id: string, row: KeptRow): QuarantineGroup {
  const { table, code, message, at } = row
  return {
    id,
    table,
    code,
    reason: message.slice(0, reasonLength),
    count: 1,
    since: at,
    sample: sampleOf(row),
  }
}

/** The store's message includes positions and values, which differ from row to row. */
function groupOf({ table, code, message, row }: KeptRow): string {
  const about = message.slice(0, reasonLength).replaceAll(/'[^']*'|"[^"]*"|\d+/g, '#')
  const [first = ''] = about.split(/[:(]/, 1)
  return createHash('sha256')
    .update(`${environmentOfText(row)} ${table} ${code} ${first}`)
    .digest('hex')
    .slice(0, 16)
}

const environmentOf = ({ row }: KeptRow) => environmentOfText(row)
const aUuid = /"([0-9a-f-]{36})"/

/** It is the first column in every table. */
export function environmentOfText(row: string): string | undefined {
  return aUuid.exec(row)?.[1]
}

const sampleColumns = 60
const sampleLength = 300
const emptyValues = new Set<unknown>(['', 0, '0', null])

function sampleOf({ columns, row }: KeptRow): Record<string, string> {
  const values = readValues(row)
  if (values === undefined) return { row: row.slice(0, sampleLength) }
  const pairs = columns
    .map((column, index) => [column, values[index]] as const)
    .filter(([, value]) => !emptyValues.has(value) && !(Array.isArray(value) && value.length === 0))
    .map(
      ([column, value]) =>
        [column, (typeof value === 'string' ? value : JSON.stringify(value)) ?? ''] as const,
    )
  return Object.fromEntries(
    pairs.slice(0, sampleColumns).map(([column, text]) => [column, text.slice(0, sampleLength)]),
  )
}

function readValues(row: string): unknown[] | undefined {
  try {
    const values: unknown = JSON.parse(row)
    return Array.isArray(values) ? values : undefined
  } catch {
    // An unreadable row was rejected for that reason.
    return undefined
  }
}

function isOfErased(row: KeptRow, erased: Pick<ErasedPeople, 'hasHash' | 'isEmpty'>): boolean {
  const environmentId = environmentOf(row)
  if (environmentId === undefined || erased.isEmpty(environmentId)) return false
  const values = readValues(row.row) ?? []
  const of = (column: string) => {
    const value = values[row.columns.indexOf(column)]
    return typeof value === 'string' && value !== '' ? [value] : []
  }
  const ids = [...of('user_key'), ...of('anonymous_id')].map((id) => hashOfId(environmentId, id))
  return [...of('user_hash'), ...of('unit'), ...ids].some((hash) => erased.hasHash(environmentId, hash))
}
