import type { listInstallationAudit } from '@telltale/core/contract/audit'
import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { readInstant } from '../../platform/http/instant.ts'
import { readNewestFirst } from '../../platform/http/newest-first.ts'
import { type AuditRow, findAuditEntries } from './queries.ts'

type AuditQuery = QueryOf<typeof listInstallationAudit>
type AuditPage = ReplyOf<typeof listInstallationAudit>

/** One page of the changes in one project, or in the whole installation. */
export async function listAudit(
  db: Queryable,
  query: AuditQuery,
  { projectId }: { projectId?: string } = {},
): Promise<AuditPage> {
  const { entity, entityId, actor } = query
  const from = query.from === undefined ? undefined : readInstant(query.from, '?from')
  const to = query.to === undefined ? undefined : readInstant(query.to, '?to')
  const filter = { projectId, entity, entityId, actor, from, to }

  return readNewestFirst(query, {
    find: (before, count) => findAuditEntries(db, filter, { before, count }),
    toItem: toAuditEntry,
  })
}

function toAuditEntry(row: AuditRow): AuditPage['items'][number] {
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: row.actor,
    action: row.action,
    entity: { kind: row.entityKind, id: row.entityId, name: row.entityName },
    project: row.projectKey,
    environment: row.environmentKey,
    changes: row.changes,
    reason: row.reason,
    requestId: row.requestId,
  }
}
