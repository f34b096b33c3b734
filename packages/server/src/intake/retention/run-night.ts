// The nightly cleanup: removes data past its retention or beyond a project's budget, and the remains of deleted
// environments. With several servers, one of them runs it under a lease; each step detects what is already done, so
// that another server can finish it after a crash. Everything that was removed is recorded with the night.

import { limits } from '@telltale/core/limits'
import { firstDayThatFits, type RetentionCuts } from '@telltale/core/query/retention'
import { v4 as newLease } from 'uuid'
import { isUsable, type Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import type { Log } from '../../platform/process/log.ts'
import { forgetIdentities } from '../../release/identities/forget-identities.ts'
import { findClockTrust, heldReason } from './clock-jump.ts'
import { cutsOfEnvironment } from './days-of.ts'
import {
  findPast,
  findUnused,
  measureRows,
  type Past,
  type RowBytes,
  rowsOf,
  sumPartitions,
} from './find-past.ts'
import { keptTables, unusedRows } from './kept-tables.ts'
import { measureStorage, sumBytes } from './measure-storage.ts'
import { nightOf } from './night-of.ts'
import {
  addRemoval,
  claimNight,
  closeOldNights,
  findDeletedEnvironments,
  findEnvironments,
  forgetDeletedEnvironment,
  type KeptEnvironment,
  type RemovalReason,
  updateNight,
} from './queries.ts'
import { removeOldCounts } from './remove-counts.ts'
import { removePast } from './remove-past.ts'
import { rewriteFiles } from './rewrite-files.ts'
import { tidyReplays } from './tidy-replays.ts'

interface Surroundings {
  db: Db
  telemetry: Telemetry
  clock(): Date
  log: Log
}

/** The night continues later, or on another server. */
class NightOver extends Error {
  override name = 'NightOver'
}

interface Work extends Surroundings {
  night: string
  rowBytes: RowBytes
  /** Called before each long step; throws when the time is over, or when another server has taken over. */
  step(): Promise<void>
  /** Removes the data, and records what was removed. */
  remove(environmentId: string, past: Past, reason: RemovalReason): Promise<void>
}

export async function runNight(surroundings: Surroundings): Promise<void> {
  const { db, telemetry, clock, log } = surroundings
  if (!isUsable(telemetry.state().state)) return
  const begun = clock()
  const place = { night: nightOf(begun), lease: newLease() }
  const isTrusted = await findClockTrust(db, begun)
  if (!(await claimNight(db, { ...place, now: begun }))) return
  const end = (values: Parameters<typeof updateNight>[2]) => updateNight(db, place, values)
  if (!isTrusted) {
    await end({ state: 'held', endedAt: clock(), reason: heldReason })
    log.warn({ night: place.night }, heldReason)
    return
  }
  await closeOldNights(db, place.night, begun)
  try {
    const failures = await work({
      ...surroundings,
      ...workOf(surroundings, place),
      night: place.night,
      rowBytes: await measureRows(telemetry),
    })
    const [failure] = failures
    if (failure === undefined) await end({ state: 'done', endedAt: clock() })
    else await end({ state: 'failed', endedAt: clock(), reason: reasonOf(failure) })
  } catch (error) {
    if (error instanceof NightOver) {
      await end({ state: 'unfinished', endedAt: clock() })
      return
    }
    // Continues as soon as the store is available again.
    await end({ leaseUntil: clock() })
    log.warn({ err: error }, 'the nightly cleanup was interrupted: continuing later')
  }
}

function workOf(
  { db, telemetry, clock }: Surroundings,
  place: { night: string; lease: string },
): Pick<Work, 'step' | 'remove'> {
  const until = clock().getTime() + limits.retentionRunTime
  const step = async () => {
    const now = clock().getTime()
    const isOurs = await updateNight(db, place, { leaseUntil: new Date(now + limits.retentionLease) })
    if (!isOurs || now > until) throw new NightOver()
  }
  return {
    step,
    async remove(environmentId, past, reason) {
      await step()
      let gone = 0
      const bytesOf = (rows: number) => (past.rows === 0 ? 0 : Math.round((past.bytes * rows) / past.rows))
      await removePast(telemetry, past, async (rows) => {
        const bytes = bytesOf(gone + rows) - bytesOf(gone)
        gone += rows
        await addRemoval(db, { night: place.night, environmentId, kind: past.kind, reason, rows, bytes })
      })
    },
  }
}

/** Returns what failed; everything else was done. */
async function work(night: Work): Promise<unknown[]> {
  const { db, telemetry, clock, log } = night
  const failures: unknown[] = []
  const attempt = async (what: object, part: () => Promise<void>) => {
    try {
      await part()
    } catch (error) {
      if (error instanceof NightOver || !isUsable(telemetry.state().state)) throw error
      log.error({ err: error, ...what }, 'a part of the nightly cleanup failed')
      failures.push(error)
    }
  }
  const places = await findEnvironments(db)
  for (const { environment } of places) {
    await attempt({ environment: environment.id }, () =>
      removeByCuts(night, environment.id, { cuts: cutsOfEnvironment(environment, clock()), reason: 'days' }),
    )
  }
  await attempt({}, () => forgetIdentities(db, { now: clock(), step: night.step }))
  for (const { id, deletedAt } of await findDeletedEnvironments(db)) {
    await attempt({ environment: id }, () => removeDeleted(night, id, deletedAt))
  }
  for (const of of byProject(places)) {
    await attempt({ project: of[0]?.environment.projectId }, () => keepToBudget(night, of))
  }
  // Our own engine does not delete anything by its clock: see openEngine.
  if (telemetry.state().state === 'running') await attempt({}, () => removeOldCounts(telemetry, clock()))
  await attempt({}, () => rewriteFiles(telemetry, { when: 'worth it', onStep: night.step }))
  return failures
}

async function removeByCuts(
  night: Work,
  environmentId: string,
  { cuts, reason }: { cuts: RetentionCuts; reason: RemovalReason },
): Promise<void> {
  const { db, telemetry, rowBytes, clock } = night
  await night.step()
  await tidyReplays({ db, telemetry }, { environmentId, past: cuts.replays })
  for (const past of await findPast(telemetry, { environmentId, cuts }, rowBytes)) {
    await night.remove(environmentId, past, reason)
  }
  for (const unused of unusedRows) {
    const requested = { environmentId, cuts, now: clock().getTime(), rowBytes }
    let past = await findUnused(telemetry, unused, requested)
    while (past !== undefined) {
      await night.remove(environmentId, past, reason)
      past = past.rows === 0 ? undefined : await findUnused(telemetry, unused, requested)
    }
  }
}

/** Rows may still arrive late from the spool of a server that was offline. */
const lateAfterDeletion = 7 * 24 * 3_600_000

async function removeDeleted(night: Work, id: string, deletedAt: Date): Promise<void> {
  const { telemetry, db, clock } = night
  for (const kept of keptTables) {
    const { table, kind, only } = kept
    const where = [rowsOf(id), ...(only === undefined ? [] : [only])].join(' AND ')
    const rows = await telemetry.read<{ partition: string; found: string; size: string }>(
      `SELECT _partition_id AS partition, toString(count()) AS found, '0' AS size FROM ${table} WHERE ${where} GROUP BY partition`,
    )
    if (rows.length === 0) continue
    const sums = sumPartitions({ table }, rows, night.rowBytes)
    await night.remove(id, { kind, table, where, ...sums }, 'deleted')
  }
  if (clock().getTime() - deletedAt.getTime() > lateAfterDeletion) await forgetDeletedEnvironment(db, id)
}

/** The projects with a budget. */
function byProject(places: readonly KeptEnvironment[]): KeptEnvironment[][] {
  const projects = new Map<string, KeptEnvironment[]>()
  for (const place of places) {
    const { projectId } = place.environment
    if (place.budget !== null) projects.set(projectId, [...(projects.get(projectId) ?? []), place])
  }
  return [...projects.values()]
}

async function keepToBudget(night: Work, places: readonly KeptEnvironment[]): Promise<void> {
  const { telemetry, clock } = night
  const budget = places[0]?.budget ?? Number.POSITIVE_INFINITY
  const ids = places.map(({ environment }) => environment.id)
  const uses = await measureStorage(telemetry, ids)
  const going = uses.filter(({ goes }) => goes)
  const room = budget - sumBytes(uses.filter(({ goes }) => !goes))
  const today = clock().toISOString().slice(0, 10)
  const first = firstDayThatFits(sumByDay(going), { room, today })
  if (first === undefined) return
  const cut = Date.parse(`${first}T00:00:00Z`)
  const cuts: RetentionCuts = { events: cut, replays: cut, profiles: cut, exposures: cut }
  for (const id of ids) await removeByCuts(night, id, { cuts, reason: 'budget' })
}

function sumByDay(uses: readonly { day: string; bytes: number }[]): { day: string; bytes: number }[] {
  const days = new Map<string, number>()
  for (const { day, bytes } of uses) days.set(day, (days.get(day) ?? 0) + bytes)
  return [...days].map(([day, bytes]) => ({ day, bytes }))
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 500)
