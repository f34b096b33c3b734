import { arrayContains, eq, inArray, sql } from 'drizzle-orm'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { flags, projects } from '../../platform/engines/postgres/schema.ts'

interface FormerOwner {
  column: 'owners' | 'ownerTeams'
  id: string
  /** As the audit log names it. */
  name: string
}

/** A deleted account or team owns no flag. The audit log of every project says which flags it owned. */
export async function dropOwnership(
  { db }: Pick<ChangeContext, 'db'>,
  { column, id, name }: FormerOwner,
): Promise<EntityChange[]> {
  const owned = await db
    .select({ flag: flags, project: { id: projects.id, key: projects.key } })
    .from(flags)
    .innerJoin(projects, eq(projects.id, flags.projectId))
    .where(arrayContains(flags[column], [id]))
    .orderBy(flags.id)
    .for('update', { of: flags })
  if (owned.length === 0) return []
  await db
    .update(flags)
    .set({ [column]: sql`array_remove(${flags[column]}, ${id}::uuid)` })
    .where(
      inArray(
        flags.id,
        owned.map(({ flag }) => flag.id),
      ),
    )
  return owned.map(({ flag, project }) => ({
    action: 'flag.update',
    entity: { kind: 'flag', id: flag.id, name: flag.key },
    project,
    before: { [column]: flag[column] },
    after: { [column]: flag[column].filter((one) => one !== id) },
    reason: `${name} was deleted.`,
    // One for each flag would be too many.
    news: { summary: `${name} owned ${flag.key} and was deleted`, isMuted: true },
  }))
}
