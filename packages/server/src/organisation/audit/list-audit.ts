import type { listInstallationAudit } from '@telltale/core/contract/audit'
import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { readInstant } from '../../platform/http/instant.ts'
import { readNewestFirst } from '../../platform/http/newest-first.ts'
import { toAuditEntry } from './entry.ts'
import { type AuditFilter, findAuditEntries } from './queries.ts'

export type AuditQuery = QueryOf<typeof listInstallationAudit>
type AuditPage = ReplyOf<typeof listInstallationAudit>

/** One page of the changes in one project, or in the whole installation. */
export async function listAudit(
  db: Queryable,
  query: AuditQuery,
  within: { projectId?: string } = {},
): Promise<AuditPage> {
  const filter = { ...readFilter(query), ...within }
  return readNewestFirst(query, {
    find: (before, count) => findAuditEntries(db, filter, { before, count }),
    toItem: toAuditEntry,
  })
}

export function readFilter(query: Omit<AuditQuery, 'limit' | 'cursor'>): AuditFilter {
  const { q, action, entity, entityId, actor, project, environment } = query
  const from = query.from === undefined ? undefined : readInstant(query.from, '?from')
  const to = query.to === undefined ? undefined : readInstant(query.to, '?to')
  return { q, action, entity, entityId, actor, project, environment, from, to }
}
