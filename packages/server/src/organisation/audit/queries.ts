import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { auditEntries, auditSeals } from '../../platform/engines/postgres/audit-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

export type AuditRow = typeof auditEntries.$inferSelect

export interface AuditFilter {
  projectId?: string | undefined
  /** A key, for projects that may be deleted. */
  project?: string | undefined
  environment?: string | undefined
  q?: string | undefined
  action?: string | undefined
  entity?: string | undefined
  entityId?: string | undefined
  actor?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

export interface SealedRow extends AuditRow {
  seal: { position: number; previousHash: string; hash: string } | null
}

/** Newest first, before the entry with this id, and back to another. */
export async function findAuditEntries(
  db: Queryable,
  filter: AuditFilter,
  { before, since, count }: { before: string | undefined; since: string | undefined; count: number },
): Promise<SealedRow[]> {
  const rows = await db
    .select()
    .from(auditEntries)
    .where(
      and(
        matches(filter),
        before === undefined ? undefined : lt(auditEntries.id, before),
        since === undefined ? undefined : gte(auditEntries.id, since),
      ),
    )
    .orderBy(desc(auditEntries.id))
    .limit(count)
  return withSeals(db, rows)
}

/** The id of the entry this many before another, of all in a project or installation; undefined if there are fewer. */
export async function findEntryFurtherBack(
  db: Queryable,
  { projectId, from, to }: AuditFilter,
  { before, count }: { before: string | undefined; count: number },
): Promise<string | undefined> {
  const [row] = await db
    .select({ id: auditEntries.id })
    .from(auditEntries)
    .where(
      and(matches({ projectId, from, to }), before === undefined ? undefined : lt(auditEntries.id, before)),
    )
    .orderBy(desc(auditEntries.id))
    .offset(count - 1)
    .limit(1)
  return row?.id
}

/** Oldest first, after one id and up to another. */
export async function findOlderFirst(
  db: Queryable,
  filter: AuditFilter,
  { after, before, count }: { after: string | undefined; before: string; count: number },
): Promise<SealedRow[]> {
  const rows = await db
    .select()
    .from(auditEntries)
    .where(
      and(
        matches(filter),
        after === undefined ? undefined : gt(auditEntries.id, after),
        lt(auditEntries.id, before),
      ),
    )
    .orderBy(asc(auditEntries.id))
    .limit(count)
  return withSeals(db, rows)
}

function matches(filter: AuditFilter): SQL | undefined {
  const { projectId, project, environment, q, action, entity, entityId, actor, from, to } = filter
  const words = q?.split(/\s+/).filter((word) => word !== '') ?? []
  return and(
    projectId === undefined ? undefined : eq(auditEntries.projectId, projectId),
    project === undefined ? undefined : eq(auditEntries.projectKey, project),
    environment === undefined ? undefined : eq(auditEntries.environmentKey, environment),
    ...words.map((word) => sql`${searched} LIKE lower(${`%${escapeLike(word)}%`})`),
    action === undefined ? undefined : eq(auditEntries.action, action),
    entity === undefined ? undefined : eq(auditEntries.entityKind, entity),
    entityId === undefined ? undefined : eq(auditEntries.entityId, entityId),
    actor === undefined ? undefined : eq(sql`${auditEntries.actor} ->> 'id'`, actor),
    from === undefined ? undefined : gte(auditEntries.at, from),
    to === undefined ? undefined : lt(auditEntries.at, to),
  )
}

/** Not indexed: an index would slow down every change. A page is searched in as many entries as `limits.auditSearched`. */
const searched = sql`lower(concat_ws(' ', ${auditEntries.actor} ->> 'name', ${auditEntries.action},
  ${auditEntries.entityKind}, ${auditEntries.entityName}))`

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')

/**
 * Entries of a project and of its environments (all, if none are given), in the order of the chain and after a
 * position. An entry that was sealed again is at its last position. With its seal in one query: an entry that is sealed
 * again meanwhile would have a position beyond entries that are still to come.
 */
export async function findSealedAfter(
  db: Queryable,
  { projectId, environments }: { projectId: string; environments: string[] },
  { after, count }: { after: number; count: number },
): Promise<SealedRow[]> {
  const isInThem = or(isNull(auditEntries.environmentKey), inArray(auditEntries.environmentKey, environments))
  const rows = await db
    .select({ entry: getTableColumns(auditEntries), seal: sealColumns })
    .from(auditSeals)
    .innerJoin(auditEntries, eq(auditEntries.id, auditSeals.entryId))
    .leftJoin(previous, isPrevious)
    .where(
      and(
        gt(auditSeals.position, after),
        eq(auditEntries.projectId, projectId),
        environments.length === 0 ? undefined : isInThem,
        sql`NOT EXISTS (
          SELECT FROM audit_seals later
          WHERE later.entry_id = ${auditSeals.entryId} AND later.position > ${auditSeals.position})`,
      ),
    )
    .orderBy(asc(auditSeals.position))
    .limit(count)
  return rows.map(({ entry, seal }) => ({ ...entry, seal }))
}

const previous = alias(auditSeals, 'previous')
const isPrevious = eq(previous.position, sql`${auditSeals.position} - 1`)
const sealColumns = {
  position: auditSeals.position,
  hash: sql<string>`encode(${auditSeals.hash}, 'hex')`,
  previousHash: sql<string>`coalesce(encode(${previous.hash}, 'hex'), repeat('0', 64))`,
}

/** The last seal of each entry: an entry whose texts were erased has two. */
async function withSeals(db: Queryable, rows: AuditRow[]): Promise<SealedRow[]> {
  if (rows.length === 0) return []
  const seals = await db
    .select({ entryId: auditSeals.entryId, ...sealColumns })
    .from(auditSeals)
    .leftJoin(previous, isPrevious)
    .where(
      inArray(
        auditSeals.entryId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(auditSeals.position))
  const last = new Map(seals.map(({ entryId, ...seal }) => [entryId, seal]))
  return rows.map((row) => ({ ...row, seal: last.get(row.id) ?? null }))
}
