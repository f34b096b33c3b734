import type { ImportedSegment } from '@telltale/core/flag-imports/imported'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { insertSegment } from '../segments/create-segment.ts'
import { findSegment } from '../segments/queries.ts'
import { applySegmentUpdate } from '../segments/update-segment.ts'
import type { FlagImport } from './import-flags.ts'

type Place = Pick<FlagImport, 'policy' | 'project' | 'grant'>

/** Creates segments, and changes the conditions of existing ones. Throws `managed`, `in-use` and `guard-running`. */
export async function writeSegments(
  context: ChangeContext,
  { policy, project, grant }: Place,
  segments: readonly ImportedSegment[],
): Promise<EntityChange[]> {
  const changes: EntityChange[] = []
  for (const { key, name, when } of segments) {
    const isKnown = (await findSegment(context.db, project.id, key)) !== undefined
    const written = isKnown
      ? await applySegmentUpdate(context, {
          policy,
          project,
          grant,
          key,
          draft: { when },
          ifMatch: undefined,
        })
      : await insertSegment(context, { project, draft: { key, name, when } })
    changes.push(...written.changes)
  }
  return changes
}
