// Makes a backup every hour if something has changed. Of several servers on one PostgreSQL, only one makes it.

import { limits } from '@telltale/core/limits'
import { advisoryLocks } from '../engines/postgres/advisory-locks.ts'
import { appliedMigrations } from '../engines/postgres/migrate.ts'
import { openPostgres, type PostgresTarget } from '../engines/postgres/open.ts'
import type { Sql } from '../engines/postgres/sql.ts'
import { listBackups } from './backup-files.ts'
import { describeState } from './control-plane-state.ts'
import { makeBackup } from './make-backup.ts'
import { readBackupHeader } from './read-backup.ts'

/** As a share of the interval: keeps servers that start together from all working at the same moment. */
const jitter = 0.1

type HourlyBackupsOptions = {
  target: PostgresTarget
  folder: string
  kept: number
  version: string
  clock(): Date
  log: { info(fields: object, message: string): void; error(fields: object, message: string): void }
  interval?: number
  random?: () => number
}

export type HourlyBackups = {
  /** Of the newest backup of any kind. */
  lastBackupAt(): Date | undefined
  stop(): Promise<void>
}

export async function startHourlyBackups(options: HourlyBackupsOptions): Promise<HourlyBackups> {
  const { folder, clock, log, interval = limits.backupInterval, random = Math.random } = options
  // A dedicated connection: the lock lasts as long as the connection, and requests never wait for a backup.
  const { sql, close } = openPostgres(options.target, { poolSize: 1 })
  let lastBackupAt: Date | undefined
  let stopping = false
  let running: Promise<void> | undefined
  let stopped: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const run = async () => {
    try {
      const written = await backUpIfChanged(sql, options)
      if (written) log.info({ file: written.file, sizeBytes: written.sizeBytes }, 'a backup was made')
      lastBackupAt = await findNewest(folder)
    } catch (error) {
      if (!stopping) log.error({ err: error, folder }, 'the hourly backup failed')
    }
  }
  const schedule = (delay: number) => {
    timer = setTimeout(
      () => {
        running = run().then(() => {
          if (!stopping) schedule(interval)
        })
      },
      delay + random() * jitter * interval,
    )
    timer.unref()
  }
  try {
    lastBackupAt = await findNewest(folder)
    schedule(await untilDue(folder, { now: clock(), interval }))
  } catch (error) {
    // The server keeps serving when backups fail.
    log.error({ err: error, folder }, 'the backups cannot be read')
    schedule(interval)
  }

  const stop = async () => {
    stopping = true
    clearTimeout(timer)
    // Shutdown aborts a running backup and removes its unfinished file.
    await close()
    await running
  }
  return {
    lastBackupAt: () => lastBackupAt,
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

/** Keeps the hourly schedule even if the server restarts often. */
async function untilDue(folder: string, { now, interval }: { now: Date; interval: number }): Promise<number> {
  const [newest] = await listHourly(folder)
  if (newest === undefined) return 0
  return Math.min(interval, Math.max(0, newest.at.getTime() + interval - now.getTime()))
}

async function backUpIfChanged(sql: Sql, { clock, ...place }: HourlyBackupsOptions) {
  if (!(await isOurs(sql))) return undefined

  const lastMigration = (await appliedMigrations(sql)).at(-1)
  if (lastMigration === undefined) return undefined
  const [newest] = await listHourly(place.folder)
  const state = await describeState(sql, lastMigration)
  if (newest !== undefined && (await findState(newest.file)) === state) return undefined
  return makeBackup(sql, 'hourly', { ...place, now: clock() })
}

/**
 * Requesting it again keeps a lock that this connection already holds. Another server can take it when the connection
 * ends.
 */
async function isOurs(sql: Sql): Promise<boolean> {
  const [row] = await sql<
    { ours: boolean }[]
  >`SELECT pg_try_advisory_lock(${advisoryLocks.hourlyBackups}) AS ours`
  return row?.ours === true
}

/** An unreadable backup does not count. */
async function findState(file: string): Promise<string | undefined> {
  return readBackupHeader(file).then(
    ({ state }) => state,
    () => undefined,
  )
}

const listHourly = async (folder: string) =>
  (await listBackups(folder)).filter(({ kind }) => kind === 'hourly')
const findNewest = async (folder: string) => (await listBackups(folder))[0]?.at
