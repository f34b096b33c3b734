import { problem } from '@telltale/core/errors'
import { and, asc, desc, eq, inArray, isNotNull, lte, ne, sql } from 'drizzle-orm'
import { holdouts } from '../../platform/engines/postgres/holdout-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments, flags, projects } from '../../platform/engines/postgres/schema.ts'

export type HoldoutRow = typeof holdouts.$inferSelect

/** A holdout with its environment. */
export interface PlacedHoldout {
  row: HoldoutRow
  environment: { id: string; key: string; isFlagsmith: boolean }
}

const environmentOf = {
  id: environments.id,
  key: environments.key,
  isFlagsmith: sql<boolean>`${environments.flagsmith} IS NOT NULL`,
}

const placed = (db: Queryable) =>
  db
    .select({ row: holdouts, environment: environmentOf })
    .from(holdouts)
    .innerJoin(environments, eq(environments.id, holdouts.environmentId))

/** Newest first. */
export async function findHoldouts(
  db: Queryable,
  projectId: string,
  env: string | undefined,
): Promise<PlacedHoldout[]> {
  return placed(db)
    .where(and(eq(holdouts.projectId, projectId), env === undefined ? undefined : eq(environments.key, env)))
    .orderBy(desc(holdouts.id))
}

/** A holdout with its project. */
export interface DueHoldout {
  project: { id: string; key: string }
  placed: PlacedHoldout
}

/** Those that end after their planned days, and are past them. */
export async function findDueHoldouts(db: Queryable, now: Date): Promise<DueHoldout[]> {
  const found = await db
    .select({
      row: holdouts,
      environment: environmentOf,
      project: { id: projects.id, key: projects.key },
    })
    .from(holdouts)
    .innerJoin(environments, eq(environments.id, holdouts.environmentId))
    .innerJoin(projects, eq(projects.id, holdouts.projectId))
    .where(
      and(
        eq(holdouts.state, 'running'),
        ne(holdouts.whenOver, 'continue'),
        isNotNull(holdouts.days),
        lte(sql`${holdouts.createdAt} + ${holdouts.days} * interval '24 hours'`, now),
      ),
    )
    .orderBy(asc(holdouts.id))
  return found.map(({ project, ...one }) => ({ project, placed: one }))
}

/** Those of these keys that a holdout of the project has. */
export async function findKeys(
  db: Queryable,
  projectId: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const isNamed = and(eq(holdouts.projectId, projectId), inArray(holdouts.key, [...keys]))
  const rows = await db.select({ key: holdouts.key }).from(holdouts).where(isNamed)
  return new Set(rows.map(({ key }) => key))
}

/** Throws `not-found`. */
export async function getHoldout(db: Queryable, projectId: string, key: string): Promise<PlacedHoldout> {
  const [found] = await placed(db).where(and(eq(holdouts.projectId, projectId), eq(holdouts.key, key)))
  if (found === undefined) throw problem('not-found', 'There is no such holdout.')
  return found
}

/** All flags of a project, by key. */
export async function findFlagKeys(db: Queryable, projectId: string) {
  return db
    .select({ id: flags.id, key: flags.key, archivedAt: flags.archivedAt })
    .from(flags)
    .where(eq(flags.projectId, projectId))
    .orderBy(asc(flags.key))
}
