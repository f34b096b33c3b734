import type { Known } from '@telltale/core/evaluation/flagsmith/import-document'
import { eq } from 'drizzle-orm'
import type { Queryable } from '../../engines/postgres/open.ts'
import { segments } from '../../engines/postgres/schema.ts'
import { findAllFlags } from '../../flags/queries.ts'

/** What a project has already, and which of it came from Flagsmith. */
export async function findKnown(db: Queryable, projectId: string): Promise<Known> {
  const flags = await findAllFlags(db, projectId)
  const parts = await db.select().from(segments).where(eq(segments.projectId, projectId))
  return {
    features: new Map(
      flags.flatMap(({ key, valueType, variations, flagsmith }) =>
        flagsmith === null ? [] : [[flagsmith.id, { key, valueType, variations, feature: flagsmith }]],
      ),
    ),
    segments: new Map(
      parts.flatMap(({ key, flagsmith }) => (flagsmith === null ? [] : [[flagsmith.id, key]])),
    ),
    flagKeys: flags.map(({ key }) => key),
    segmentKeys: parts.map(({ key }) => key),
  }
}
