// Finds errors that nobody has seen before and makes issues of them, and brings back what was resolved and is seen in a
// later version. Any number of servers do it side by side: whoever notes a group first has noted it.

import { isRegression } from '@telltale/core/states/issue'
import { parseStack } from '@telltale/core/telemetry/stack'
import { and, eq, inArray } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import type { Telemetry } from '../engines/clickhouse/telemetry.ts'
import { isUsable } from '../engines/clickhouse/telemetry.ts'
import type { AuditActor } from '../engines/postgres/audit-schema.ts'
import { issueGroups, issues } from '../engines/postgres/issue-schema.ts'
import type { Db } from '../engines/postgres/open.ts'
import { environments } from '../engines/postgres/schema.ts'
import { findResolved } from './queries.ts'
import { regressIssue } from './regress-issue.ts'

interface Surroundings {
  db: Db
  telemetry: Telemetry
  clock(): Date
}

const actor: AuditActor = { kind: 'system', id: null, name: 'error issues' }
/** Older events are refused, except history that is written afterwards: lists note what they meet themselves. */
const lookBack = 49 * 3_600_000

export async function noteIssues({ db, telemetry, clock }: Surroundings): Promise<void> {
  if (!isUsable(telemetry.state().state)) return
  const now = clock()
  const resolved = await findResolved(db)
  if (resolved.length === 0) return
  const byGroup = new Map(
    resolved.flatMap((issue) => issue.groups.map((group) => [`${issue.environmentId} ${group}`, issue])),
  )
  const seen = await findSeenVersions(telemetry, new Date(now.getTime() - lookBack))
  for (const { environment, group, version, last } of seen) {
    const issue = byGroup.get(`${environment} ${group}`)
    if (issue === undefined || issue.resolvedAt === null) continue
    const resolution = { at: issue.resolvedAt, tolerated: issue.toleratedVersions }
    if (!isRegression(resolution, { version, at: new Date(last) })) continue
    await regressIssue(db, { actor, requestId: null, now }, { issue, version })
    byGroup.delete(`${environment} ${group}`)
  }
}

async function findSeenVersions(
  telemetry: Pick<Telemetry, 'read'>,
  since: Date,
): Promise<{ environment: string; group: string; version: string; last: number }[]> {
  const rows = await telemetry.read<{ environment: string; group: string; version: string; last: string }>(
    `SELECT toString(environment_id) AS environment, toString(err_group) AS group, toString(version) AS version,
      toUnixTimestamp64Milli(max(ts)) AS last
    FROM events WHERE kind = 'error' AND bot = 0 AND ts >= fromUnixTimestamp64Milli({since:Int64})
    GROUP BY environment_id, err_group, version ORDER BY last DESC LIMIT 50000`,
    { values: { since: since.getTime() } },
  )
  return rows.map((row) => ({ ...row, last: Number(row.last) }))
}

interface FirstSeen {
  group: string
  first: string
  last: string
  firstVersion: string
  lastVersion: string
  type: string
  message: string
  stack: string
}

/** They travel in an address, which servers take up to 16 KiB of. */
const notedAtOnce = 200

/** Makes issues of groups that have none. */
export async function noteGroups(
  { db, telemetry, clock }: Surroundings,
  environmentId: string,
  groups: readonly string[],
): Promise<void> {
  for (let first = 0; first < groups.length; first += notedAtOnce) {
    const some = groups.slice(first, first + notedAtOnce)
    const rows = await telemetry.read<FirstSeen>(
      `SELECT toString(err_group) AS group, toUnixTimestamp64Milli(min(ts)) AS first, toUnixTimestamp64Milli(max(ts)) AS last,
        argMin(toString(version), ts) AS firstVersion, argMax(toString(version), ts) AS lastVersion,
        argMax(toString(err_type), ts) AS type, argMax(err_message, ts) AS message, argMax(err_stack, ts) AS stack
      FROM events WHERE environment_id = {environment:UUID} AND kind = 'error' AND has(arrayMap(g -> toUInt64(g), {groups:Array(String)}), err_group)
      GROUP BY err_group`,
      { values: { environment: environmentId, groups: some } },
    )
    await insertIssues(db, { environmentId, rows, now: clock() })
  }
}

async function insertIssues(
  db: Db,
  { environmentId, rows, now }: { environmentId: string; rows: FirstSeen[]; now: Date },
): Promise<void> {
  if (rows.length === 0) return
  const drafts = rows.map((row) => ({ group: row.group, issue: toRow(row, environmentId, now) }))
  await db.transaction(async (transaction) => {
    // One server after the other, so that no issue is left without a group.
    const [environment] = await transaction
      .select({ id: environments.id })
      .from(environments)
      .where(eq(environments.id, environmentId))
      .for('no key update')
    if (environment === undefined) return
    const known = await transaction
      .select({ group: issueGroups.group })
      .from(issueGroups)
      .where(
        and(
          eq(issueGroups.environmentId, environmentId),
          inArray(
            issueGroups.group,
            drafts.map(({ group }) => group),
          ),
        ),
      )
    const taken = new Set(known.map(({ group }) => group))
    const fresh = drafts.filter(({ group }) => !taken.has(group))
    if (fresh.length === 0) return
    await transaction.insert(issues).values(fresh.map(({ issue }) => issue))
    await transaction
      .insert(issueGroups)
      .values(fresh.map(({ group, issue }) => ({ environmentId, group, issueId: issue.id })))
  })
}

function toRow(
  row: FirstSeen,
  environmentId: string,
  now: Date,
): typeof issues.$inferInsert & { id: string } {
  return {
    id: newId(),
    environmentId,
    type: storable(row.type),
    message: storable(row.message),
    culprit: storable(culpritOf(row.stack)),
    state: 'unresolved',
    firstSeenAt: new Date(Number(row.first)),
    firstSeenVersion: storable(row.firstVersion),
    lastSeenAt: new Date(Number(row.last)),
    lastSeenVersion: storable(row.lastVersion),
    createdAt: now,
  }
}

const culpritLength = 300

/** The innermost frame of code that was loaded from somewhere. */
function culpritOf(stack: string): string {
  const frame = parseStack(stack).find(({ file }) => file !== '')
  if (frame === undefined) return ''
  const file = frame.file.split(/[?#]/, 1)[0] ?? ''
  return (frame.function === '' ? file : `${frame.function} in ${file}`).slice(0, culpritLength)
}

/** PostgreSQL keeps no NUL. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '')
}
