// Looks through the telemetry store for people who were erased: at once, again when the spool has shipped what it held,
// and now and then until nothing may come late any more. One server does each; a crash leaves it to the next look.

import { eq } from 'drizzle-orm'
import type { Telemetry } from '../engines/clickhouse/telemetry.ts'
import { isUsable } from '../engines/clickhouse/telemetry.ts'
import type { AuditActor } from '../engines/postgres/audit-schema.ts'
import type { Db } from '../engines/postgres/open.ts'
import { erasures } from '../engines/postgres/privacy-schema.ts'
import type { Log } from '../services.ts'
import { deleteTraces } from './delete-traces.ts'
import { findTraces } from './find-traces.ts'
import { finishSweep } from './finish-sweep.ts'
import { claimDueErasure, deletePassedIds } from './queries.ts'

interface Surroundings {
  db: Db
  telemetry: Telemetry
  clock(): Date
  log: Log
}

const eraser: AuditActor = { kind: 'system', id: null, name: 'erasure' }
/** Longer than a sweep takes: another server would begin it again, which does no harm. */
const sweepTime = 15 * 60_000
const retryAfter = 60_000
/** What one look may do: the rest waits for the next. */
const atOnce = 100

export async function runErasures({ db, telemetry, clock, log }: Surroundings): Promise<void> {
  for (let done = 0; done < atOnce && isUsable(telemetry.state().state); done += 1) {
    const now = clock()
    const due = await claimDueErasure(db, { now, until: new Date(now.getTime() + sweepTime) })
    if (due === undefined) break
    const { row } = due
    try {
      const subject = row.subject ?? { targetingKeys: [], anonymousIds: [] }
      const traces = await findTraces(telemetry, row.environmentId, subject)
      const deleted = await deleteTraces(telemetry, row.environmentId, traces)
      await finishSweep(db, { actor: eraser, requestId: null, now: clock() }, { ...due, traces, deleted })
    } catch (error) {
      log.warn({ err: error, erasure: row.id }, 'a person could not be erased yet: trying again')
      const nextSweepAt = new Date(clock().getTime() + retryAfter)
      await db.update(erasures).set({ nextSweepAt }).where(eq(erasures.id, row.id))
    }
  }
  await deletePassedIds(db, clock())
}
