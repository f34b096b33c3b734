// Creates issues for groups of errors that have none. A group whose frames match those of an issue, by mapped
// frames or else by function names, joins that issue, so a new build does not create a new one. Several servers
// can run this in parallel: the first to insert a group wins.

import { fingerprintAttribute, requestAttribute } from '@telltale/core/telemetry/event-row'
import { and, eq, inArray } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import { issueGroups, issues } from '../../platform/engines/postgres/issue-schema.ts'
import type { Db, Queryable, Transaction } from '../../platform/engines/postgres/open.ts'
import { environments } from '../../platform/engines/postgres/schema.ts'
import { storable } from '../../platform/engines/postgres/storable.ts'
import type { Services } from '../../platform/services.ts'
import { notifyNewIssues } from './notify-new-issues.ts'
import { type PlacedError, placeErrors } from './place-errors.ts'

export type IssueServices = Pick<Services, 'db' | 'telemetry' | 'clock'> & { stackMapper: StackMapper }

/** The data from which an issue is created. */
interface FirstSeen {
  group: string
  first: string
  last: string
  firstVersion: string
  lastVersion: string
  type: string
  message: string
  stack: string
  /** Empty for most. */
  fingerprint: string
  /** Empty for most. */
  request: string
}

interface Noted extends FirstSeen {
  placed: PlacedError
}

/** Group ids are sent in the URL, which is limited to 16 KiB. */
const notedAtOnce = 200

export async function noteGroups(
  { db, telemetry, clock, stackMapper }: IssueServices,
  environmentId: string,
  groups: readonly string[],
): Promise<void> {
  const projectId = await findProject(db, environmentId)
  if (projectId === undefined) return
  for (let first = 0; first < groups.length; first += notedAtOnce) {
    const some = groups.slice(first, first + notedAtOnce)
    const rows = await telemetry.read<FirstSeen>(
      `SELECT toString(err_group) AS group, toUnixTimestamp64Milli(min(ts)) AS first, toUnixTimestamp64Milli(max(ts)) AS last,
        argMin(toString(version), ts) AS firstVersion, argMax(toString(version), ts) AS lastVersion,
        argMin(toString(err_type), ts) AS type, argMin(err_message, ts) AS message, argMax(err_stack, ts) AS stack,
        argMax(attrs['${fingerprintAttribute}'], ts) AS fingerprint, argMax(attrs['${requestAttribute}'], ts) AS request
      FROM events WHERE environment_id = {environment:UUID} AND kind = 'error' AND has(arrayMap(g -> toUInt64(g), {groups:Array(String)}), err_group)
      GROUP BY err_group ORDER BY min(ts), group`,
      { values: { environment: environmentId, groups: some } },
    )
    const errors = rows.map(({ lastVersion: version, ...row }) => ({ ...row, version }))
    const placed = await placeErrors(stackMapper, { projectId, environmentId }, errors)
    const noted = rows.map((row, index) => ({ ...row, placed: placed[index] ?? nowhere }))
    await insertIssues(db, { environmentId, rows: noted, now: clock() })
  }
}

const nowhere: PlacedError = { keys: [], former: [], mappedKey: undefined, culprit: '' }

async function findProject(db: Db, environmentId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ projectId: environments.projectId })
    .from(environments)
    .where(eq(environments.id, environmentId))
  return row?.projectId
}

/** Serializes servers, so that no issue is left without a group. Returns whether the environment still exists. */
export async function lockIssues(transaction: Transaction, environmentId: string): Promise<boolean> {
  const [environment] = await transaction
    .select({ id: environments.id })
    .from(environments)
    .where(eq(environments.id, environmentId))
    .for('no key update')
  return environment !== undefined
}

/** The issue of each group that has one. */
export async function findIssueIds(
  transaction: Queryable,
  environmentId: string,
  groups: readonly string[],
): Promise<Map<string, string>> {
  if (groups.length === 0) return new Map()
  const known = await transaction
    .select({ group: issueGroups.group, id: issueGroups.issueId })
    .from(issueGroups)
    .where(and(eq(issueGroups.environmentId, environmentId), inArray(issueGroups.group, [...groups])))
  return new Map(known.map(({ group, id }) => [group, id]))
}

/** A new build of a manually merged issue inherits its origin, so that a split moves it as well. */
async function findMergedFrom(
  transaction: Transaction,
  environmentId: string,
  groups: readonly string[],
): Promise<Map<string, string>> {
  const rows = await transaction
    .select({ group: issueGroups.group, from: issueGroups.mergedFrom })
    .from(issueGroups)
    .where(and(eq(issueGroups.environmentId, environmentId), inArray(issueGroups.group, [...groups])))
  return new Map(rows.flatMap(({ group, from }) => (from === null ? [] : [[group, from] as const])))
}

async function insertIssues(
  db: Db,
  { environmentId, rows, now }: { environmentId: string; rows: Noted[]; now: Date },
): Promise<void> {
  if (rows.length === 0) return
  await db.transaction(async (transaction) => {
    if (!(await lockIssues(transaction, environmentId))) return
    const requested = rows.flatMap(({ group, placed }) => [group, ...placed.keys, ...placed.former])
    const idOf = await findIssueIds(transaction, environmentId, requested)
    const mergedFrom = await findMergedFrom(transaction, environmentId, requested)
    const fresh: (typeof issues.$inferInsert)[] = []
    const joined: (typeof issueGroups.$inferInsert)[] = []
    for (const row of rows) {
      if (idOf.has(row.group)) continue
      const { keys, former } = row.placed
      const knownBy = [...keys, ...former].find((key) => idOf.has(key)) ?? ''
      const known = idOf.get(knownBy)
      const from = mergedFrom.get(knownBy) ?? null
      const issueId = known ?? newId()
      if (known === undefined) fresh.push(toRow(row, { id: issueId, environmentId, now }))
      for (const group of [row.group, ...keys]) {
        if (!idOf.has(group)) joined.push({ environmentId, group, issueId, mergedFrom: from })
        idOf.set(group, issueId)
        if (from !== null) mergedFrom.set(group, from)
      }
    }
    if (fresh.length > 0) await transaction.insert(issues).values(fresh)
    if (joined.length > 0) await transaction.insert(issueGroups).values(joined)
    await notifyNewIssues(transaction, { environmentId, issues: fresh, now })
  })
}

function toRow(
  row: Noted,
  { id, environmentId, now }: { id: string; environmentId: string; now: Date },
): typeof issues.$inferInsert {
  return {
    id,
    environmentId,
    type: storable(row.type),
    message: storable(row.message),
    culprit: storable(row.placed.culprit),
    state: 'unresolved',
    firstSeenAt: new Date(Number(row.first)),
    firstSeenVersion: storable(row.firstVersion),
    lastSeenAt: new Date(Number(row.last)),
    lastSeenVersion: storable(row.lastVersion),
    createdAt: now,
  }
}
