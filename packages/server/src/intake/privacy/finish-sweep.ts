import { limits } from '@telltale/core/limits'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { erasures } from '../../platform/engines/postgres/privacy-schema.ts'
import { hashOfId } from '../events/erased-people.ts'
import { addRows, type ErasureRow, nextSweep } from './erasure.ts'
import { findNamed } from './find-named.ts'
import type { Traces } from './find-traces.ts'
import { hideIds } from './hide-ids.ts'
import { insertErasedIds } from './queries.ts'

interface SweptErasure {
  row: ErasureRow
  project: { id: string; key: string }
  environment: { id: string; key: string }
  traces: Traces
  deleted: Record<string, number>
  /** The last sweep found nothing. */
  isClean: boolean
}

/**
 * Records what a sweep deleted, and blocks the IDs that it found. After the last sweep, the IDs of the user are
 * deleted.
 */
export const finishSweep = change(
  async ({ db, now }, { row, project, environment, traces, deleted, isClean }: SweptErasure) => {
    const { targetingKeys, anonymousIds } = traces
    const ids = [...targetingKeys, ...anonymousIds]
    const isLast = isClean && now.getTime() >= row.blockedUntil.getTime()
    const hasDeleted = Object.keys(deleted).length > 0
    const rows = addRows(row.rows, deleted)
    const place = { environmentId: row.environmentId, blockedUntil: row.blockedUntil }
    if (!isLast) {
      await insertErasedIds(
        db,
        place,
        ids.map((id) => hashOfId(row.environmentId, id)),
      )
    }
    const person = { projectId: project.id, environmentId: row.environmentId, ids }
    await hideIds(db, person)
    const namedIn = await findNamed(db, person)
    await db
      .update(erasures)
      .set({
        rows,
        ...(isClean && { erasedAt: row.erasedAt ?? now, checkedAt: now }),
        // The rows deleted now are in files that were written since.
        ...(hasDeleted && { rewrittenAt: null, offDiskAt: null, spoolClearedAt: null }),
        // Until now, the entry contained the IDs of the user.
        ...((hasDeleted || isLast) && { clearedAt: null }),
        namedIn,
        subject: isLast ? null : { targetingKeys, anonymousIds },
        nextSweepAt: isLast
          ? null
          : isClean
            ? nextSweep(row, now)
            : new Date(now.getTime() + limits.erasureSweep),
      })
      .where(eq(erasures.id, row.id))
    if (row.erasedAt !== null && !hasDeleted) return { reply: null, changes: [] }
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
