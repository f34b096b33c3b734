import type { Issue } from '@telltale/core/contract/issues'
import type { Static } from 'typebox'
import type { FoundIssue } from './queries.ts'

/** An issue ignored until a moment in the past is open again. */
export function stateAt({ state, ignoredUntil }: FoundIssue, now: Date): FoundIssue['state'] {
  return state === 'ignored' && ignoredUntil !== null && ignoredUntil <= now ? 'unresolved' : state
}

/** An issue as the API returns it. */
export function toIssue(row: FoundIssue, now: Date): Static<typeof Issue> {
  const { assigneeId, assigneeName } = row
  return {
    id: row.id,
    group: row.groups[0] ?? '',
    type: row.type,
    message: row.message,
    culprit: row.culprit,
    state: stateAt(row, now),
    assignee: assigneeId === null ? null : { id: assigneeId, name: assigneeName ?? '' },
    firstSeenAt: row.firstSeenAt.toISOString(),
    firstSeenVersion: row.firstSeenVersion,
    lastSeenAt: row.lastSeenAt.toISOString(),
    lastSeenVersion: row.lastSeenVersion,
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    resolvedIn: row.resolvedIn,
    ignoredUntil: row.ignoredUntil?.toISOString() ?? null,
    version: row.version,
  }
}

/** The fields of an issue in the audit log. */
export function auditedIssue(row: FoundIssue) {
  return {
    state: row.state,
    assignee: row.assigneeName,
    resolvedIn: row.resolvedIn,
    ignoredUntil: row.ignoredUntil?.toISOString() ?? null,
  }
}
