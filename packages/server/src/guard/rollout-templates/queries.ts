import { problem } from '@telltale/core/errors'
import { and, asc, eq } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { rolloutTemplates } from '../../platform/engines/postgres/rollout-template-schema.ts'

export type TemplateRow = typeof rolloutTemplates.$inferSelect

/** By key. */
export async function findTemplates(db: Queryable, projectId: string): Promise<TemplateRow[]> {
  return db
    .select()
    .from(rolloutTemplates)
    .where(eq(rolloutTemplates.projectId, projectId))
    .orderBy(asc(rolloutTemplates.key))
}

export async function findTemplate(
  db: Queryable,
  projectId: string,
  key: string,
): Promise<TemplateRow | undefined> {
  const [row] = await db
    .select()
    .from(rolloutTemplates)
    .where(and(eq(rolloutTemplates.projectId, projectId), eq(rolloutTemplates.key, key)))
  return row
}

/** Throws `not-found`. */
export async function getTemplate(db: Queryable, projectId: string, key: string): Promise<TemplateRow> {
  const row = await findTemplate(db, projectId, key)
  if (row === undefined) throw problem('not-found', `There is no rollout template "${key}" here.`)
  return row
}
