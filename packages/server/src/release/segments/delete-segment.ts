import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { segments } from '../../platform/engines/postgres/schema.ts'
import { findSegmentUses, getSegment } from './queries.ts'
import { auditedSegment } from './segment.ts'

interface SegmentRef {
  project: { id: string; key: string }
  key: string
}

/** Deletes a segment that no rule uses. */
export const deleteSegment = change(async ({ db }, { project, key }: SegmentRef) => {
  await lockProject(db, project.id)
  const before = await getSegment(db, project.id, key)
  if (before.managed) throw problem('managed')
  const uses = await findSegmentUses(db, project.id, key)
  if (uses.length > 0) {
    const places = uses.map(({ flag, env }) => `"${flag}" in ${env}`)
    throw problem('in-use', `Used by rules of: ${places.join(', ')}.`)
  }

  await db.delete(segments).where(eq(segments.id, before.id))
  return {
    reply: null,
    changes: [
      {
        action: 'segment.delete',
        entity: { kind: 'segment', id: before.id, name: before.key },
        project,
        before: auditedSegment(before),
      },
    ],
  }
})
