import { problem } from '@telltale/core/errors'
import { and, desc, eq, gte, inArray, isNull, or, sql } from 'drizzle-orm'
import { validate as isId } from 'uuid'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { issueGroups, issues } from '../../platform/engines/postgres/issue-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments, projects } from '../../platform/engines/postgres/schema.ts'

export type IssueRow = typeof issues.$inferSelect
/** With its assignee and its groups of errors. */
export type FoundIssue = IssueRow & { assigneeName: string | null; groups: string[] }

/** Groups of events only: other keys of an issue begin with a letter. */
const groupsOf = sql<string[]>`(
  SELECT coalesce(array_agg(${issueGroups.group} ORDER BY ${issueGroups.group}), '{}') FROM ${issueGroups}
  WHERE ${issueGroups.issueId} = ${issues.id} AND ${issueGroups.group} ~ '^[0-9]'
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

/** By its id, by the id of an issue merged into it, or by one of its groups. Throws `not-found`. */
export async function getIssue(
  db: Queryable,
  { environmentId, id }: { environmentId: string; id: string },
): Promise<FoundIssue> {
  const row = await findIssue(db, environmentId, id)
  const lasting = row?.issue.mergedInto ? await findIssue(db, environmentId, row.issue.mergedInto) : row
  if (!lasting) throw problem('not-found', 'There is no such error issue in the environment.')
  return flatten(lasting)
}

async function findIssue(db: Queryable, environmentId: string, id: string) {
  const isIt = isId(id) ? eq(issues.id, id) : inArray(issues.id, idsOf(db, environmentId, [id]))
  const [row] = await found(db).where(and(eq(issues.environmentId, environmentId), isIt))
  return row
}

const idsOf = (db: Queryable, environmentId: string, groups: readonly string[]) =>
  db
    .select({ id: issueGroups.issueId })
    .from(issueGroups)
    .where(and(eq(issueGroups.environmentId, environmentId), inArray(issueGroups.group, [...groups])))

/** The issues of these groups of errors, if they have any yet. */
export async function findIssuesOf(
  db: Queryable,
  environmentId: string,
  groups: readonly string[],
): Promise<FoundIssue[]> {
  if (groups.length === 0) return []
  const rows = await found(db).where(inArray(issues.id, idsOf(db, environmentId, groups)))
  return rows.map(flatten)
}

/** Issues first seen in a version, or that came back in it; last seen first. */
export async function findIssuesOfVersion(
  db: Queryable,
  { environmentId, version, count }: { environmentId: string; version: string; count: number },
): Promise<FoundIssue[]> {
  const isOfVersion = or(eq(issues.firstSeenVersion, version), eq(issues.regressedIn, version))
  const rows = await found(db)
    .where(and(eq(issues.environmentId, environmentId), isNull(issues.mergedInto), isOfVersion))
    .orderBy(desc(issues.lastSeenAt), issues.id)
    .limit(count)
  return rows.map(flatten)
}

export interface VersionIssues {
  newIssues: number
  regressedIssues: number
}

/** How many issues are new in each of these versions, and how many came back. */
export async function countIssuesOfVersions(
  db: Queryable,
  environmentId: string,
  versions: readonly string[],
): Promise<Map<string, VersionIssues>> {
  const countBy = async (column: typeof issues.firstSeenVersion | typeof issues.regressedIn) => {
    const rows = await db
      .select({ version: column, count: sql<number>`count(*)::int` })
      .from(issues)
      .where(
        and(
          eq(issues.environmentId, environmentId),
          isNull(issues.mergedInto),
          inArray(column, [...versions]),
        ),
      )
      .groupBy(column)
    return new Map(rows.map(({ version, count }) => [version, count]))
  }
  const [fresh, regressed] = [await countBy(issues.firstSeenVersion), await countBy(issues.regressedIn)]
  return new Map(
    versions.map((version) => [
      version,
      { newIssues: fresh.get(version) ?? 0, regressedIssues: regressed.get(version) ?? 0 },
    ]),
  )
}

/** Every resolved issue of the installation, with the groups of errors that could reopen it. */
export async function findResolved(db: Queryable): Promise<FoundIssue[]> {
  const rows = await found(db).where(eq(issues.state, 'resolved'))
  return rows.map(flatten)
}

/** Project and environment of an issue, for the audit log. */
export async function getProjectAndEnvironment(
  db: Queryable,
  environmentId: string,
): Promise<{ project: { id: string; key: string }; environment: { id: string; key: string } }> {
  const [place] = await db
    .select({
      project: { id: projects.id, key: projects.key },
      environment: { id: environments.id, key: environments.key },
    })
    .from(environments)
    .innerJoin(projects, eq(projects.id, environments.projectId))
    .where(eq(environments.id, environmentId))
  if (!place) throw problem('not-found', 'There is no such environment.')
  return place
}

export function countIssuesSince(db: Queryable, environmentId: string, since: Date): Promise<number> {
  return db.$count(issues, and(eq(issues.environmentId, environmentId), gte(issues.createdAt, since)))
}
