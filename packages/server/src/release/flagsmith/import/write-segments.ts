import { isDeepStrictEqual } from 'node:util'
import { problem } from '@telltale/core/errors'
import { conditionsIn } from '@telltale/core/evaluation/flagsmith/import-conditions'
import type { ImportedSegment } from '@telltale/core/evaluation/flagsmith/import-document'
import { limits } from '@telltale/core/limits'
import { and, eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import type { ChangeContext, EntityChange } from '../../../platform/engines/postgres/change.ts'
import { segments } from '../../../platform/engines/postgres/schema.ts'
import type { SegmentRow } from '../../segments/queries.ts'
import { auditedSegment, refuseUnusable } from '../../segments/segment.ts'

/** Creates new segments and updates existing ones. */
export async function writeSegments(
  { db, now }: ChangeContext,
  project: { id: string; key: string },
  imported: readonly ImportedSegment[],
): Promise<EntityChange[]> {
  const rows = await db.select().from(segments).where(eq(segments.projectId, project.id))
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const added = imported.filter(({ key }) => !byKey.has(key)).length
  if (rows.length + added > limits.segmentsPerProject) {
    throw problem('in-use', `A project has at most ${limits.segmentsPerProject} segments.`)
  }
  const changes: EntityChange[] = []
  for (const { id, key, name, when } of imported) {
    refuseUnusable(when)
    const before = byKey.get(key)
    const after: SegmentRow = {
      ...(before ?? {
        id: newId(),
        projectId: project.id,
        key,
        description: '',
        version: 0,
        createdAt: now,
        managed: false,
      }),
      name,
      conditions: when,
      flagsmith: { id, name },
    }
    if (before && isDeepStrictEqual(ofNoEnvironment(before), ofNoEnvironment(after))) continue
    after.version += 1
    if (before)
      await db
        .update(segments)
        .set(after)
        .where(and(eq(segments.id, before.id)))
    else await db.insert(segments).values(after)
    changes.push({
      action: before ? 'segment.update' : 'segment.create',
      entity: { kind: 'segment', id: after.id, name: key },
      project,
      ...(before ? { before: auditedSegment(before) } : {}),
      after: auditedSegment(after),
    })
  }
  return changes
}

/**
 * Compares segments without their environment, because importing several environments of a project in turn must
 * not change them.
 */
function ofNoEnvironment(row: SegmentRow): SegmentRow {
  return { ...row, conditions: conditionsIn(row.conditions, { key: '', name: '' }) }
}
