import { problem } from '@telltale/core/errors'
import { and, asc, countDistinct, eq, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments, flagConfigs, flags, segments } from '../../platform/engines/postgres/schema.ts'

export type SegmentRow = typeof segments.$inferSelect

export async function findSegment(
  db: Queryable,
  projectId: string,
  key: string,
): Promise<SegmentRow | undefined> {
  const [row] = await db
    .select()
    .from(segments)
    .where(and(eq(segments.projectId, projectId), eq(segments.key, key)))
  return row
}

/** Throws `not-found`. */
export async function getSegment(db: Queryable, projectId: string, key: string): Promise<SegmentRow> {
  const row = await findSegment(db, projectId, key)
  if (!row) throw problem('not-found', `There is no segment "${key}" here.`)
  return row
}

/** By key. */
export async function findSegments(
  db: Queryable,
  projectId: string,
  { after, count }: { after: string | undefined; count: number },
): Promise<SegmentRow[]> {
  return db
    .select()
    .from(segments)
    .where(and(eq(segments.projectId, projectId), after === undefined ? undefined : gt(segments.key, after)))
    .orderBy(asc(segments.key))
    .limit(count)
}

/** The number of flags that use each of these segments in any environment; unused segments are missing. */
export async function countSegmentUses(
  db: Queryable,
  projectId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const named = db
    .select({
      flag: sql<string>`${flags.id}`.as('flag'),
      segment: sql<string>`jsonb_path_query(${flagConfigs.rules}, '$.**.segment') #>> '{}'`.as('segment'),
    })
    .from(flagConfigs)
    .innerJoin(flags, eq(flags.id, flagConfigs.flagId))
    .where(eq(flags.projectId, projectId))
    .as('named')
  const rows = await db
    .select({ segment: named.segment, flags: countDistinct(named.flag) })
    .from(named)
    .where(inArray(named.segment, [...keys]))
    .groupBy(named.segment)
  return new Map(rows.map(({ segment, flags }) => [segment, flags]))
}

export async function countSegments(db: Queryable, projectId: string): Promise<number> {
  return db.$count(segments, eq(segments.projectId, projectId))
}

/** Active flags that are on in an environment and use a segment there. */
export async function findServedSegmentUses(
  db: Queryable,
  projectId: string,
  key: string,
): Promise<SegmentUse[]> {
  return findUses(
    db,
    eq(flags.projectId, projectId),
    isNull(flags.archivedAt),
    eq(flagConfigs.enabled, true),
    namesSegment(key),
  )
}

/** The flags whose rules use a segment, including archived ones, which may be restored. */
export async function findSegmentUses(db: Queryable, projectId: string, key: string): Promise<SegmentUse[]> {
  return findUses(db, eq(flags.projectId, projectId), namesSegment(key))
}

interface SegmentUse {
  flag: string
  env: string
  isProtected: boolean
}

function findUses(db: Queryable, ...conditions: readonly SQL[]): Promise<SegmentUse[]> {
  return db
    .select({ flag: flags.key, env: environments.key, isProtected: environments.protected })
    .from(flagConfigs)
    .innerJoin(flags, eq(flags.id, flagConfigs.flagId))
    .innerJoin(environments, eq(environments.id, flagConfigs.environmentId))
    .where(and(...conditions))
    .orderBy(asc(flags.key), asc(environments.position), asc(environments.key))
}

function namesSegment(key: string): SQL {
  return sql`jsonb_path_exists(
    ${flagConfigs.rules}, '$.**.segment ? (@ == $key)', jsonb_build_object('key', ${key}::text)
  )`
}
