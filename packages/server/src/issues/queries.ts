import { problem } from '@telltale/core/errors'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { users } from '../engines/postgres/account-schema.ts'
import { issueGroups, issues } from '../engines/postgres/issue-schema.ts'
import type { Queryable } from '../engines/postgres/open.ts'

export type IssueRow = typeof issues.$inferSelect
/** With who looks after it, and the groups of errors that belong to it. */
export type FoundIssue = IssueRow & { assigneeName: string | null; groups: string[] }

const groupsOf = sql<string[]>`(
  SELECT coalesce(array_agg(${issueGroups.group}), '{}') FROM ${issueGroups} WHERE ${issueGroups.issueId} = ${issues.id}
)`

const found = (db: Queryable) =>
  db
    .select({ issue: issues, assigneeName: users.name, groups: groupsOf })
    .from(issues)
    .leftJoin(users, eq(users.id, issues.assigneeId))

const flatten = ({
  issue,
  assigneeName,
  groups,
}: {
  issue: IssueRow
  assigneeName: string | null
  groups: string[]
}): FoundIssue => ({ ...issue, assigneeName, groups })

/** Throws `not-found`. */
export async function getIssue(
  db: Queryable,
  { environmentId, id }: { environmentId: string; id: string },
): Promise<FoundIssue> {
  const [row] = await found(db).where(and(eq(issues.environmentId, environmentId), eq(issues.id, id)))
  if (!row) throw problem('not-found', 'There is no such error issue in the environment.')
  return flatten(row)
}

/** The issues that these groups of errors belong to, as far as they were noted. */
export async function findIssuesOf(
  db: Queryable,
  environmentId: string,
  groups: readonly string[],
): Promise<FoundIssue[]> {
  if (groups.length === 0) return []
  const named = db
    .select({ id: issueGroups.issueId })
    .from(issueGroups)
    .where(and(eq(issueGroups.environmentId, environmentId), inArray(issueGroups.group, [...groups])))
  const rows = await found(db).where(inArray(issues.id, named))
  return rows.map(flatten)
}

/** Every resolved issue of the installation, by the groups of errors that could bring it back. */
export async function findResolved(db: Queryable): Promise<FoundIssue[]> {
  const rows = await found(db).where(eq(issues.state, 'resolved'))
  return rows.map(flatten)
}
