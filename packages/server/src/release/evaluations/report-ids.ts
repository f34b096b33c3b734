// Which reports of evaluation counts arrived: a client that got no answer sends its report again.

import { setTimeout as pause } from 'node:timers/promises'
import { lt } from 'drizzle-orm'
import { evaluationReports } from '../../platform/engines/postgres/evaluation-schema.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { rememberLast } from '../../platform/process/remember-last.ts'

export interface ReportIds {
  /** Whether it did not arrive before. From then on it is known. */
  isNew(environmentId: string, id: string): Promise<boolean>
}

const remembered = 10_000
/** Milliseconds. Counts do not wait for PostgreSQL. */
const patience = 1_000
/** Milliseconds. No client sends a report for longer. */
const keptFor = 86_400_000

/** In the memory of this process. */
export function rememberReports(): ReportIds {
  const known = rememberLast<'known'>(remembered)
  return {
    async isNew(environmentId, id) {
      const name = `${environmentId} ${id}`
      if (known.has(name)) return false
      known.set(name, 'known')
      return true
    },
  }
}

/** For all servers of an installation; in memory only while PostgreSQL does not answer. */
export function createReportIds(db: Db, now: () => number): ReportIds {
  const here = rememberReports()
  const store = async (environmentId: string, id: string) => {
    const receivedAt = new Date(now())
    const rows = await db
      .insert(evaluationReports)
      .values({ environmentId, id, receivedAt })
      .onConflictDoNothing()
      .returning({ id: evaluationReports.id })
    return rows.length > 0
  }
  return {
    async isNew(environmentId, id) {
      if (!(await here.isNew(environmentId, id))) return false
      const stored = store(environmentId, id).catch(() => true)
      return Promise.race([stored, pause(patience, true, { ref: false })])
    },
  }
}

export async function forgetReports(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptFor)
  await db.delete(evaluationReports).where(lt(evaluationReports.receivedAt, before))
}
