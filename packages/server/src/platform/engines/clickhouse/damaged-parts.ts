// Parts of tables that were damaged on disk. The engine detaches parts that it cannot open at its start, but a changed
// byte in the rows is only found by reading them: by a query that fails, or by the check that reads every part of the
// embedded engine once a day, using a tenth of the time.
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@telltale/core/limits'
import type { EngineLog } from '../engine-log.ts'
import { refusalCode } from './insert-outcome.ts'
import type { TelemetryStore } from './open.ts'

/** Errors of a statement that read a damaged part. */
const damageCodes: ReadonlyMap<number, string> = new Map([
  [32, 'ATTEMPT_TO_READ_AFTER_EOF'],
  [33, 'CANNOT_READ_ALL_DATA'],
  [40, 'CHECKSUM_DOESNT_MATCH'],
  [107, 'FILE_DOESNT_EXIST'],
  [226, 'NO_FILE_IN_DATA_PART'],
  [228, 'BAD_SIZE_OF_FILE_IN_DATA_PART'],
  [246, 'CORRUPTED_DATA'],
  [271, 'CANNOT_DECOMPRESS'],
])
/** These always mean damage; the others only if they name the part. */
const sure = new Set([40, 246])
const namedPart = /\bpart\b [^\s()]*?([^\s/()]+_\d+_\d+_\d+(?:_\d+)?)\b/
const namedTable = /in table \w+\.(\w+)/

export type DamagedParts = {
  /** Remembers the part named by a failed query. Returns whether it failed because of damage. */
  note(error: unknown): boolean
  add(part: string, message: string): void
  /** After all parts were read: forgets those that no longer exist. */
  keepOnly(parts: ReadonlySet<string>): void
  /** A warning for the administrator; undefined without known damage. */
  reason(): string | undefined
}

export function createDamagedParts(log: EngineLog): DamagedParts {
  const known = new Set<string>()
  const add = (part: string, message: string) => {
    if (known.has(part)) return
    known.add(part)
    log.error({ engine: 'clickhouse', part, message }, 'a part of the telemetry store is damaged')
  }

  return {
    add,
    note(error) {
      const code = refusalCode(error)
      const message = error instanceof Error ? error.message : ''
      const part = namedPart.exec(message)?.[1]
      if (code === undefined || !damageCodes.has(code)) return false
      if (part === undefined && !sure.has(code)) return false
      add([namedTable.exec(message)?.[1], part ?? 'unnamed'].filter(Boolean).join(' '), message)
      return true
    },
    keepOnly(parts) {
      for (const part of known) if (!parts.has(part)) known.delete(part)
    },
    reason() {
      const [first, ...others] = known
      if (first === undefined) return undefined
      const parts = others.length === 0 ? `Part ${first} is` : `Part ${first} and ${others.length} more are`
      return `${parts} damaged on disk, and queries that read it fail: check the disk. ${onlyFromDisk}`
    },
  }
}

/** Backups contain the control plane only. */
export const onlyFromDisk = 'Telltale backups contain no telemetry: only a disk backup brings these rows back'

export type PartCheck = {
  /** Without a database. */
  store: TelemetryStore
  database: string
  damaged: DamagedParts
  untilUsable(signal: AbortSignal): Promise<void>
  log: EngineLog
  signal: AbortSignal
  interval?: number
}

/** The share of the time in which parts are read. */
const duty = 0.1
const shortestPause = 1_000

/** Reads every part repeatedly until it is stopped. */
export async function keepCheckingParts(check: PartCheck): Promise<void> {
  const { signal, interval = limits.partCheckInterval, log, untilUsable } = check
  while (!signal.aborted) {
    const begun = performance.now()
    try {
      await untilUsable(signal)
      await checkOnce(check)
    } catch (error) {
      if (signal.aborted) return
      log.warn({ engine: 'clickhouse', err: error }, 'the parts of the telemetry store could not be checked')
    }
    await rest(Math.max(shortestPause, interval - (performance.now() - begun)), signal)
  }
}

async function checkOnce({ store, database, damaged, signal }: PartCheck): Promise<void> {
  const parts = await store.read<{ table: string; name: string }>(
    'SELECT table, name FROM system.parts WHERE active AND database = {database:String} ORDER BY bytes_on_disk',
    { values: { database }, signal },
  )
  const found = new Set<string>()
  for (const { table, name } of parts) {
    const begun = performance.now()
    for (const message of await findFaults(store, { table: `${database}.${table}`, name, signal })) {
      found.add(`${table} ${name}`)
      damaged.add(`${table} ${name}`, message)
    }
    await rest((performance.now() - begun) * (1 / duty - 1), signal)
    signal.throwIfAborted()
  }
  damaged.keepOnly(found)
}

/** The size of a part; 0 if it was merged in the meantime. */
async function findFaults(
  store: TelemetryStore,
  { table, name, signal }: { table: string; name: string; signal: AbortSignal },
): Promise<string[]> {
  try {
    const results = await store.read<{ is_passed: number; message: string }>(
      `CHECK TABLE ${table} PART '${name}'`,
      { signal, limit: limits.telemetryMigrationTimeout },
    )
    return results.flatMap(({ is_passed, message }) => (is_passed === 1 ? [] : [message]))
  } catch (error) {
    if (refusalCode(error) === undefined) throw error
    return []
  }
}

const rest = (time: number, signal: AbortSignal) =>
  pause(time, undefined, { signal, ref: false }).catch(() => undefined)
