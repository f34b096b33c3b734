import { eq } from 'drizzle-orm'
import type { Queryable } from '../platform/engines/postgres/open.ts'
import { projects } from '../platform/engines/postgres/schema.ts'

export type ProjectRow = typeof projects.$inferSelect

export async function findProject(db: Queryable, key: string): Promise<ProjectRow | undefined> {
  const [row] = await db.select().from(projects).where(eq(projects.key, key))
  return row
}

/** Locks the project until the transaction ends. */
export async function lockProject(db: Queryable, id: string): Promise<ProjectRow | undefined> {
  const [row] = await db.select().from(projects).where(eq(projects.id, id)).for('update')
  return row
}
