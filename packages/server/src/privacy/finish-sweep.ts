import { eq } from 'drizzle-orm'
import { change } from '../engines/postgres/change.ts'
import { erasures } from '../engines/postgres/privacy-schema.ts'
import { hashOfId } from './erased-people.ts'
import { addRows, type ErasureRow, nextSweep } from './erasure.ts'
import type { Traces } from './find-traces.ts'
import { insertErasedIds } from './queries.ts'

export interface SweptErasure {
  row: ErasureRow
  project: { id: string; key: string }
  environment: { id: string; key: string }
  traces: Traces
  deleted: Record<string, number>
}

/** Writes what a sweep deleted, and blocks the ids that it found. After the last one nobody knows whom it was about. */
export const finishSweep = change(
  async ({ db, now }, { row, project, environment, traces, deleted }: SweptErasure) => {
    const { targetingKeys, anonymousIds } = traces
    const isLast = now.getTime() >= row.blockedUntil.getTime()
    const rows = addRows(row.rows, deleted)
    const place = { environmentId: row.environmentId, blockedUntil: row.blockedUntil }
    if (!isLast) {
      const ids = [...targetingKeys, ...anonymousIds]
      await insertErasedIds(
        db,
        place,
        ids.map((id) => hashOfId(row.environmentId, id)),
      )
    }
    await db
      .update(erasures)
      .set({
        rows,
        erasedAt: row.erasedAt ?? now,
        subject: isLast ? null : { targetingKeys, anonymousIds },
        nextSweepAt: isLast ? null : nextSweep(row, now),
      })
      .where(eq(erasures.id, row.id))
    if (row.erasedAt !== null && Object.keys(deleted).length === 0) return { reply: null, changes: [] }
    return {
      reply: null,
      changes: [
        {
          action: 'erasure.sweep' as const,
          entity: { kind: 'erasure', id: row.id, name: row.person },
          project,
          environment,
          before: { rows: row.rows },
          after: { rows },
        },
      ],
    }
  },
)
