import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import { auditEntries } from '../../platform/engines/postgres/audit-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

export type AuditRow = typeof auditEntries.$inferSelect

export interface AuditFilter {
  projectId?: string | undefined
  entity?: string | undefined
  entityId?: string | undefined
  actor?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** Newest first, before the entry with this id. */
export async function findAuditEntries(
  db: Queryable,
  filter: AuditFilter,
  { before, count }: { before: string | undefined; count: number },
): Promise<AuditRow[]> {
  const { projectId, entity, entityId, actor, from, to } = filter
  const conditions: (SQL | undefined)[] = [
    projectId === undefined ? undefined : eq(auditEntries.projectId, projectId),
    entity === undefined ? undefined : eq(auditEntries.entityKind, entity),
    entityId === undefined ? undefined : eq(auditEntries.entityId, entityId),
    actor === undefined ? undefined : eq(sql`${auditEntries.actor} ->> 'id'`, actor),
    from === undefined ? undefined : gte(auditEntries.at, from),
    to === undefined ? undefined : lt(auditEntries.at, to),
    before === undefined ? undefined : lt(auditEntries.id, before),
  ]
  return db
    .select()
    .from(auditEntries)
    .where(and(...conditions))
    .orderBy(desc(auditEntries.id))
    .limit(count)
}
