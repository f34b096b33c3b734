import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type * as contract from '@telltale/core/contract/audit'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import { addressOf, request } from './client.ts'

export type AuditEntry = ReplyOf<typeof contract.listProjectAudit>['items'][number]

/** Filters of the audit calls. Times are instants. */
export interface AuditFilter {
  q?: string | undefined
  action?: string | undefined
  environment?: string | undefined
  entity?: string | undefined
  entityId?: string | undefined
  actor?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Audit entries, newest first: of a project or, without one, of the whole installation. */
export const auditQuery = (project: string | undefined, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: project === undefined ? ['audit', filter] : ['projects', project, 'audit', filter],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, cursor: pageParam }
      return project === undefined
        ? request(calls.audit.listInstallationAudit, { query, signal })
        : request(calls.audit.listProjectAudit, { params: { project }, query, signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

/** The address of an export with these filters, for a link: the browser writes it to disk as it arrives. */
export function auditExportAddress(
  project: string | undefined,
  query: AuditFilter & { format: 'ndjson' | 'csv' },
): string {
  return project === undefined
    ? addressOf(calls.audit.exportInstallationAudit.path, { query: { ...query } })
    : addressOf(calls.audit.exportProjectAudit.path, { params: { project }, query: { ...query } })
}
