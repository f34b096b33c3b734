import type { ConditionGroup } from '@telltale/core/contract/conditions'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { lockProject } from '../../access/find-project.ts'
import { type ChangeContext, type Changed, change } from '../../platform/engines/postgres/change.ts'
import { segments } from '../../platform/engines/postgres/schema.ts'
import { countSegments, findSegment, type SegmentRow } from './queries.ts'
import { auditedSegment, refuseUnusable, toSegment } from './segment.ts'

interface SegmentCreation {
  project: { id: string; key: string }
  draft: { key: string; name: string; description?: string; when: ConditionGroup }
}

export const createSegment = change(insertSegment)

/** Throws `already-exists`, `in-use` and `invalid-rule`. */
export async function insertSegment(
  { db, now }: ChangeContext,
  { project, draft }: SegmentCreation,
): Promise<Changed<ReturnType<typeof toSegment>>> {
  await lockProject(db, project.id)
  if (await findSegment(db, project.id, draft.key)) {
    throw problem('already-exists', `The segment "${draft.key}" already exists in the project.`)
  }
  if ((await countSegments(db, project.id)) >= limits.segmentsPerProject) {
    throw problem('in-use', `A project has at most ${limits.segmentsPerProject} segments.`)
  }
  refuseUnusable(draft.when)

  const row: SegmentRow = {
    id: newId(),
    projectId: project.id,
    key: draft.key,
    name: draft.name,
    description: draft.description ?? '',
    conditions: draft.when,
    flagsmith: null,
    version: 1,
    createdAt: now,
    managed: false,
  }
  await db.insert(segments).values(row)
  return {
    reply: toSegment(row),
    changes: [
      {
        action: 'segment.create',
        entity: { kind: 'segment', id: row.id, name: row.key },
        project,
        after: auditedSegment(row),
      },
    ],
  }
}
