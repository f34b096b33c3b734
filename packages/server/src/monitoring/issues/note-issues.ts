// Periodically reads the errors of the last days: new groups become issues, and resolved issues that are seen
// in a later version regress. Several servers can run this in parallel.

import { limits } from '@telltale/core/limits'
import { isRegression, issueAfter } from '@telltale/core/states/issue'
import { and, eq } from 'drizzle-orm'
import { titleOf } from '../../intake/privacy/issue-title.ts'
import { isUsable } from '../../platform/engines/clickhouse/telemetry.ts'
import type { AuditActor } from '../../platform/engines/postgres/audit-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { issues } from '../../platform/engines/postgres/issue-schema.ts'
import { storable } from '../../platform/engines/postgres/storable.ts'
import { auditedIssue } from './issue.ts'
import { findIssueIds, type IssueServices, noteGroups } from './note-groups.ts'
import { countIssuesSince, type FoundIssue, findResolved, getProjectAndEnvironment } from './queries.ts'
import { regroupIssues } from './regroup-issues.ts'

/** Marks a resolved issue as regressed; does nothing if its state was changed meanwhile. */
const regressIssue = change(async ({ db }, { issue, version }: { issue: FoundIssue; version: string }) => {
  const state = issueAfter(issue.state, 'regress')
  if (state === undefined) return { reply: undefined, changes: [] }
  const [updated] = await db
    .update(issues)
    .set({ state, regressedIn: storable(version), version: issue.version + 1 })
    .where(and(eq(issues.id, issue.id), eq(issues.version, issue.version)))
    .returning({ id: issues.id })
  if (updated === undefined) return { reply: undefined, changes: [] }
  return {
    reply: undefined,
    changes: [
      {
        action: 'issue.regress',
        entity: { kind: 'issue', id: issue.id, name: titleOf(issue) },
        ...(await getProjectAndEnvironment(db, issue.environmentId)),
        before: auditedIssue(issue),
        after: { ...auditedIssue({ ...issue, state }), seenIn: version },
      },
    ],
  }
})

const actor: AuditActor = { kind: 'system', id: null, name: 'error issues' }
/** The intake rejects older events except imported history, whose issues are created when a list reads them. */
const lookBack = 49 * 3_600_000
const day = 24 * 3_600_000
/** The rest follows in the next run. */
const notedAtOnce = 1_000
const piecesAtOnce = 20

interface SeenVersion {
  environment: string
  group: string
  release: string
  last: number
}

export async function noteIssues(services: IssueServices): Promise<void> {
  const { db, telemetry, clock } = services
  if (!isUsable(telemetry.state().state)) return
  const now = clock()
  const seen = await findSeenVersions(services, new Date(now.getTime() - lookBack))
  await noteUnknown(services, seen, now)
  const resolved = await findResolved(db)
  const byGroup = new Map(
    resolved.flatMap((issue) => issue.groups.map((group) => [`${issue.environmentId} ${group}`, issue])),
  )
  const regressed = new Set<string>()
  for (const { environment, group, release: version, last } of seen) {
    const issue = byGroup.get(`${environment} ${group}`)
    if (issue === undefined || issue.resolvedAt === null || regressed.has(issue.id)) continue
    const resolution = { at: issue.resolvedAt, tolerated: issue.toleratedVersions }
    if (!isRegression(resolution, { version, at: new Date(last) })) continue
    await regressIssue(db, { actor, requestId: null, now }, { issue, version })
    regressed.add(issue.id)
  }
  // Last, so that a failing source map of one project does not keep errors from becoming issues.
  for (let piece = 0; piece < piecesAtOnce; piece++) if (!(await regroupIssues(services))) break
}

async function findSeenVersions({ telemetry }: IssueServices, since: Date): Promise<SeenVersion[]> {
  const rows = await telemetry.read<Omit<SeenVersion, 'last'> & { last: string }>(
    `SELECT toString(environment_id) AS environment, toString(err_group) AS group, toString(version) AS release,
      toUnixTimestamp64Milli(max(ts)) AS last
    FROM events WHERE kind = 'error' AND bot = 0 AND ts >= fromUnixTimestamp64Milli({since:Int64})
    GROUP BY environment_id, err_group, version ORDER BY last DESC LIMIT 50000`,
    { values: { since: since.getTime() } },
  )
  return rows.map((row) => ({ ...row, last: Number(row.last) }))
}

async function noteUnknown(services: IssueServices, seen: readonly SeenVersion[], now: Date): Promise<void> {
  const groupsOf = new Map<string, Set<string>>()
  for (const { environment, group } of seen) {
    const groups = groupsOf.get(environment) ?? new Set<string>()
    groupsOf.set(environment, groups.add(group))
  }
  for (const [environment, groups] of groupsOf) {
    const idOf = await findIssueIds(services.db, environment, [...groups])
    const unknown = [...groups].filter((group) => !idOf.has(group))
    if (unknown.length === 0) continue
    const noted = await countIssuesSince(services.db, environment, new Date(now.getTime() - day))
    const fresh = unknown.slice(0, Math.min(notedAtOnce, Math.max(0, limits.issuesPerDay - noted)))
    if (fresh.length > 0) await noteGroups(services, environment, fresh)
  }
}
