import { problem } from '@telltale/core/errors'
import { and, asc, eq, max } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments } from '../../platform/engines/postgres/schema.ts'

export type EnvironmentRow = typeof environments.$inferSelect

export interface EnvironmentRef {
  projectId: string
  key: string
}

const matches = ({ projectId, key }: EnvironmentRef) =>
  and(eq(environments.projectId, projectId), eq(environments.key, key))

export async function findEnvironment(
  db: Queryable,
  ref: EnvironmentRef,
): Promise<EnvironmentRow | undefined> {
  const [row] = await db.select().from(environments).where(matches(ref))
  return row
}

/** Throws `not-found`. */
export async function getEnvironment(db: Queryable, ref: EnvironmentRef): Promise<EnvironmentRow> {
  const row = await findEnvironment(db, ref)
  if (!row) throw noEnvironment(ref)
  return row
}

export async function findEnvironmentById(
  db: Queryable,
  id: string | null,
): Promise<EnvironmentRow | undefined> {
  if (id === null) return undefined
  const [row] = await db.select().from(environments).where(eq(environments.id, id))
  return row
}

/** Locks the environment until the transaction ends. Throws `not-found`. */
export async function lockEnvironment(db: Queryable, ref: EnvironmentRef): Promise<EnvironmentRow> {
  const [row] = await db.select().from(environments).where(matches(ref)).for('update')
  if (!row) throw noEnvironment(ref)
  return row
}

function noEnvironment({ key }: EnvironmentRef) {
  return problem('not-found', `There is no environment "${key}" in the project.`)
}

/** In the order set by members. */
export async function findEnvironments(db: Queryable, projectId: string): Promise<EnvironmentRow[]> {
  return db
    .select()
    .from(environments)
    .where(eq(environments.projectId, projectId))
    .orderBy(asc(environments.position), asc(environments.key))
}

export async function countEnvironments(db: Queryable, projectId: string): Promise<number> {
  return db.$count(environments, eq(environments.projectId, projectId))
}

export async function findLastPosition(db: Queryable, projectId: string): Promise<number | undefined> {
  const [found] = await db
    .select({ position: max(environments.position) })
    .from(environments)
    .where(eq(environments.projectId, projectId))
  return found?.position ?? undefined
}
