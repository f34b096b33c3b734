import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { ChangeContext, EntityChange } from '../../../platform/engines/postgres/change.ts'
import { flags } from '../../../platform/engines/postgres/schema.ts'
import { draftOf } from '../../flags/config-draft.ts'
import { getConfig } from '../../flags/queries.ts'
import { writeConfig } from '../../flags/write-config.ts'
import type { ImportPlace } from './write-flags.ts'

/**
 * Flags of an earlier import that are missing from the document are turned off in the environment, and kept for
 * review.
 */
export async function retireMissing(
  context: ChangeContext,
  { review, project, environment }: ImportPlace,
  { features }: { features: readonly number[] },
): Promise<{ changes: EntityChange[]; notes: string[] }> {
  const { db } = context
  const present = new Set(features)
  const rows = await db
    .select()
    .from(flags)
    .where(and(eq(flags.projectId, project.id), isNotNull(flags.flagsmith), isNull(flags.archivedAt)))
  const changes: EntityChange[] = []
  const notes: string[] = []
  for (const flag of rows.filter(({ flagsmith }) => flagsmith !== null && !present.has(flagsmith.id))) {
    const config = await getConfig(db, { flagId: flag.id, environmentId: environment.id })
    if (!config.enabled) continue
    const draft = { ...draftOf(config), enabled: false }
    const reason = 'No longer in Flagsmith'
    const saved = await writeConfig(context, {
      review,
      project,
      environment,
      flag,
      from: undefined,
      draft,
      reason,
    })
    changes.push(...saved.changes)
    notes.push(`The flag "${flag.key}" is no longer in the document: it is now off in this environment.`)
  }
  return { changes, notes }
}
