import { isDeepStrictEqual } from 'node:util'
import type { ConditionGroup } from '@telltale/core/contract/conditions'
import { problem } from '@telltale/core/errors'
import type { Grant } from '@telltale/core/rights'
import { eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { type ChangeContext, type Changed, change } from '../../platform/engines/postgres/change.ts'
import { segments } from '../../platform/engines/postgres/schema.ts'
import type { Follow, ReleasePolicy } from '../flags/policy.ts'
import { getSegment } from './queries.ts'
import { refuseProtectedUse } from './refuse-protected-use.ts'
import { auditedSegment, refuseUnusable, toSegment } from './segment.ts'

interface SegmentUpdate {
  policy: Pick<ReleasePolicy, 'reviewSegment'>
  project: { id: string; key: string }
  grant: Grant
  key: string
  draft: { name?: string; description?: string; when?: ConditionGroup; endsEvidenceOf?: string[] }
  ifMatch: number | undefined
}

export const updateSegment = change(applySegmentUpdate)

/** Changes a segment; fields missing from the draft keep their values. */
export async function applySegmentUpdate(
  context: ChangeContext,
  { policy, project, grant, key, draft, ifMatch }: SegmentUpdate,
): Promise<Changed<ReturnType<typeof toSegment>>> {
  const { db } = context
  await lockProject(db, project.id)
  const before = await getSegment(db, project.id, key)
  if (before.managed) throw problem('managed')
  if (ifMatch !== undefined && ifMatch !== before.version) {
    throw problem('version-conflict', { current: toSegment(before) })
  }
  if (draft.when !== undefined) refuseUnusable(draft.when)

  const merged = {
    ...before,
    name: draft.name ?? before.name,
    description: draft.description ?? before.description,
    conditions: draft.when ?? before.conditions,
  }
  if (isDeepStrictEqual(merged, before)) return { reply: toSegment(before), changes: [] }
  const isOthers = !isDeepStrictEqual(merged.conditions, before.conditions)
  let follow: Follow = async () => []
  if (isOthers) {
    const segment = { projectId: project.id, key }
    await refuseProtectedUse(db, segment, grant)
    follow = await policy.reviewSegment(context, segment, draft.endsEvidenceOf)
  }
  const after = { ...merged, version: before.version + 1 }
  await db.update(segments).set(after).where(eq(segments.id, before.id))
  return {
    reply: toSegment(after),
    changes: [
      {
        action: 'segment.update',
        entity: { kind: 'segment', id: before.id, name: before.key },
        project,
        before: auditedSegment(before),
        after: auditedSegment(after),
      },
      ...(await follow()),
    ],
  }
}
