import type { listInstallationAudit } from '@telltale/core/contract/audit'
import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { limits } from '@telltale/core/limits'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { readInstant } from '../../platform/http/instant.ts'
import { readNewestFirst } from '../../platform/http/newest-first.ts'
import { cursorAfter } from '../../platform/http/page.ts'
import { toAuditEntry } from './entry.ts'
import { type AuditFilter, findAuditEntries, findEntryFurtherBack } from './queries.ts'

export type AuditQuery = QueryOf<typeof listInstallationAudit>
type AuditPage = ReplyOf<typeof listInstallationAudit>

/**
 * One page of the changes in one project, or in the whole installation. A filter that matches little would read them
 * all: the page then ends at the last entry searched, and the next one starts there.
 */
export async function listAudit(
  db: Queryable,
  query: AuditQuery,
  { searched = limits.auditSearched, ...within }: { projectId?: string; searched?: number } = {},
): Promise<AuditPage> {
  const filter = { ...readFilter(query), ...within }
  let since: string | undefined
  const page = await readNewestFirst(query, {
    find: async (before, count) => {
      if (isScan(filter)) since = await findEntryFurtherBack(db, filter, { before, count: searched })
      return findAuditEntries(db, filter, { before, since, count })
    },
    toItem: toAuditEntry,
  })
  return since === undefined ? page : { ...page, next: page.next ?? cursorAfter(since) }
}

/** Whether no index leads to the entries. */
function isScan({ q, action, actor, environment, project, entity, entityId }: AuditFilter): boolean {
  if (entity !== undefined && entityId !== undefined) return false
  return [q, action, actor, environment, project, entity, entityId].some((given) => given !== undefined)
}

export function readFilter(query: Omit<AuditQuery, 'limit' | 'cursor'>): AuditFilter {
  const { q, action, entity, entityId, actor, project, environment } = query
  const from = query.from === undefined ? undefined : readInstant(query.from, '?from')
  const to = query.to === undefined ? undefined : readInstant(query.to, '?to')
  return { q, action, entity, entityId, actor, project, environment, from, to }
}
