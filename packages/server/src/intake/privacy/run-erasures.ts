// Searches the telemetry store for erased users: at once, again when the spool has shipped its contents, and
// periodically until no late data can arrive. One server runs each sweep; after a crash, the next run repeats it.

import { eq } from 'drizzle-orm'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { isUsable } from '../../platform/engines/clickhouse/telemetry.ts'
import type { AuditActor } from '../../platform/engines/postgres/audit-schema.ts'
import { erasures } from '../../platform/engines/postgres/privacy-schema.ts'
import type { Log } from '../../platform/process/log.ts'
import { rewriteFiles } from '../retention/rewrite-files.ts'
import { clearControlPlane, clearSpool, type FileSurroundings } from './clear-files.ts'
import { deleteTraces, tablesBySession, tablesByTrace, tablesByUnit } from './delete-traces.ts'
import { addRows, type ErasureRow } from './erasure.ts'
import { findTraces, type Traces } from './find-traces.ts'
import { finishSweep } from './finish-sweep.ts'
import { claimDueErasure, deletePassedIds, findOnDisk } from './queries.ts'
import { deleteReplayWords } from './replay-words.ts'
import { retitleIssues } from './retitle-issues.ts'

// Erased text stays in the store's files until they are rewritten, and in the replaced files for some minutes longer.
type Store = Pick<Telemetry, 'read' | 'remove' | 'files' | 'standsAlone'>

const tables = [...tablesBySession, ...tablesByTrace, ...tablesByUnit]
const isOne = new Set<string>(tables)

/** Returns the time by the clock of the store. */
async function takeOutOfFiles(telemetry: Store): Promise<Date> {
  await rewriteFiles(telemetry, { when: 'any', tables })
  const [row] = await telemetry.read<{ at: string }>('SELECT toString(toUnixTimestamp(now())) AS at')
  return new Date(Number(row?.at ?? 0) * 1_000)
}

/** Whether the earlier files are deleted, on every server that has a copy. */
async function readOffDisk(telemetry: Store): Promise<(rewrittenAt: Date) => boolean> {
  const find = async () => (await telemetry.files('all')).filter(({ table }) => isOne.has(table))
  const replaced = (await find()).filter(({ isActive }) => !isActive).map(({ table }) => table)
  for (const table of new Set(replaced)) await telemetry.remove({ replaced: true, table })
  const files = await find()
  return (rewrittenAt) =>
    !files.some(({ isActive, hasDeleted, replacedAt }) =>
      isActive ? hasDeleted : replacedAt <= rewrittenAt.getTime(),
    )
}

interface Surroundings extends FileSurroundings {
  telemetry: Telemetry
  log: Log
}

const eraser: AuditActor = { kind: 'system', id: null, name: 'erasure' }
/** Longer than a sweep takes: otherwise another server would repeat it, which is harmless. */
const sweepTime = 15 * 60_000
const retryAfter = 60_000
/** The limit of one run: the rest waits for the next. */
const atOnce = 100
/** Passes per user. The rest is left to the next sweep. */
const roundsAtOnce = 20

export async function runErasures({ telemetry, log, ...around }: Surroundings): Promise<void> {
  const { db, clock } = around
  for (let done = 0; done < atOnce && isUsable(telemetry.state().state); done += 1) {
    const now = clock()
    const due = await claimDueErasure(db, { now, until: new Date(now.getTime() + sweepTime) })
    if (due === undefined) break
    const { row } = due
    try {
      const swept = await sweep({ db, telemetry }, row)
      await finishSweep(db, { actor: eraser, requestId: null, now: clock() }, { ...due, ...swept })
    } catch (error) {
      log.warn({ err: error, erasure: row.id }, 'a user could not be erased yet: trying again')
      const nextSweepAt = new Date(clock().getTime() + retryAfter)
      await db.update(erasures).set({ nextSweepAt }).where(eq(erasures.id, row.id))
    }
  }
  if (isUsable(telemetry.state().state)) await clearDisk({ db, telemetry, clock })
  await clearSpool(around)
  await clearControlPlane(around)
  await deletePassedIds(db, clock())
}

/** Searches and deletes until a search finds nothing, which proves the erasure. */
async function sweep(
  { db, telemetry }: Pick<Surroundings, 'db' | 'telemetry'>,
  row: ErasureRow,
): Promise<{ traces: Traces; deleted: Record<string, number>; isClean: boolean }> {
  const none: Traces = {
    targetingKeys: [],
    anonymousIds: [],
    sessions: [],
    events: [],
    units: [],
    traceIds: [],
    logs: [],
    isPart: false,
  }
  let subject = row.subject ?? none
  let traces = none
  let deleted: Record<string, number> = {}
  for (let round = 0; round < roundsAtOnce; round += 1) {
    traces = await findTraces(telemetry, row.environmentId, subject)
    subject = traces
    // Notes first: once the sessions are deleted, notes can no longer be attributed to the user.
    const words = await deleteReplayWords(db, row.environmentId, traces.sessions)
    await retitleIssues({ db, telemetry }, row.environmentId, traces)
    const rows = addRows(words, await deleteTraces(telemetry, row.environmentId, traces))
    deleted = addRows(deleted, rows)
    if (Object.keys(rows).length === 0 && !traces.isPart) return { traces, deleted, isClean: true }
  }
  return { traces, deleted, isClean: false }
}

/** Once for everyone who was erased since the last time: files can only be rewritten as a whole. */
async function clearDisk({
  db,
  telemetry,
  clock,
}: Pick<Surroundings, 'db' | 'telemetry' | 'clock'>): Promise<void> {
  const waiting = await findOnDisk(db)
  if (waiting.length === 0) return
  const fresh = waiting.filter(({ rewrittenAt }) => rewrittenAt === null)
  const rewrittenAt = fresh.length === 0 ? null : await takeOutOfFiles(telemetry)
  const isOffDisk = await readOffDisk(telemetry)
  for (const row of waiting) {
    const since = row.rewrittenAt ?? rewrittenAt
    if (since === null) continue
    await db
      .update(erasures)
      .set({ rewrittenAt: since, ...(isOffDisk(since) && { offDiskAt: clock() }) })
      .where(eq(erasures.id, row.id))
  }
}
