// Applies source maps that arrived after the errors: existing errors are regrouped once, a limited number at a
// time. Idempotent, so it can resume after an interruption.

import { fingerprintAttribute, requestAttribute } from '@telltale/core/telemetry/event-row'
import { and, eq, inArray, ne } from 'drizzle-orm'
import type { AuditActor } from '../../platform/engines/postgres/audit-schema.ts'
import { issueGroups, issues } from '../../platform/engines/postgres/issue-schema.ts'
import { environments } from '../../platform/engines/postgres/schema.ts'
import { sourceMaps } from '../../platform/engines/postgres/source-map-schema.ts'
import { storable } from '../../platform/engines/postgres/storable.ts'
import { findIssueIds, type IssueServices, noteGroups } from './note-groups.ts'
import { placeErrors } from './place-errors.ts'
import { settleGroup } from './settle-group.ts'

const mapsAtOnce = 100
const groupsAtOnce = 1_000
const lookBack = 30 * 86_400_000
const readTimeout = 20_000
const actor: AuditActor = { kind: 'system', id: null, name: 'source maps' }

/** Processes maps of one project. Returns whether there may be more. */
export async function regroupIssues(services: IssueServices): Promise<boolean> {
  const { db } = services
  const [next] = await db
    .select({ projectId: sourceMaps.projectId })
    .from(sourceMaps)
    .where(eq(sourceMaps.regrouped, false))
    .limit(1)
  if (next === undefined) return false
  const { projectId } = next
  const maps = await db
    .select({ id: sourceMaps.id, name: sourceMaps.name })
    .from(sourceMaps)
    .where(and(eq(sourceMaps.projectId, projectId), eq(sourceMaps.regrouped, false)))
    .limit(mapsAtOnce)
  const places = await db
    .select({ id: environments.id })
    .from(environments)
    .where(eq(environments.projectId, projectId))
  const names = [...new Set(maps.map(({ name }) => name))]
  for (const { id: environmentId } of places) await regroup(services, { projectId, environmentId, names })
  const ids = maps.map(({ id }) => id)
  await db.update(sourceMaps).set({ regrouped: true }).where(inArray(sourceMaps.id, ids))
  return true
}

interface ThrownThere {
  group: string
  release: string
  type: string
  message: string
  stack: string
  request: string
}

async function regroup(
  services: IssueServices,
  requested: { projectId: string; environmentId: string; names: string[] },
): Promise<void> {
  const { db, stackMapper, clock } = services
  const { environmentId } = requested
  const thrown = await findThrown(services, requested)
  if (thrown.length === 0) return
  const errors = thrown.map(({ release: version, ...error }) => ({ ...error, version }))
  const placed = await placeErrors(stackMapper, requested, errors)
  const groups = [...new Set(thrown.map(({ group }) => group))]
  const keys = placed.flatMap(({ mappedKey }) => mappedKey ?? [])
  const idOf = await findIssueIds(db, environmentId, [...groups, ...keys])
  const unknown = groups.filter((group) => !idOf.has(group))
  await noteGroups(services, environmentId, unknown)

  for (const [index, { group }] of thrown.entries()) {
    const { mappedKey: key, culprit } = placed[index] ?? {}
    if (key === undefined) continue
    const isSettled = idOf.has(key) && idOf.get(key) === idOf.get(group)
    const settling = { environmentId, group, key }
    const origin = { actor, requestId: null, now: clock() }
    const isFreed = !isSettled && (await settleGroup(db, origin, settling))
    if (isFreed) await noteGroups(services, environmentId, [group])
    else if (culprit) await renameCulprit(services, environmentId, { group, culprit: storable(culprit) })
  }
}

/** The newest error of each group and version whose stack contains one of the scripts. */
async function findThrown(
  { telemetry, clock }: IssueServices,
  { environmentId, names }: { environmentId: string; names: string[] },
): Promise<ThrownThere[]> {
  return telemetry.read<ThrownThere>(
    `SELECT toString(err_group) AS group, toString(version) AS release, argMax(toString(err_type), ts) AS type,
      argMax(err_message, ts) AS message, argMax(err_stack, ts) AS stack,
      argMax(attrs['${requestAttribute}'], ts) AS request
    FROM events WHERE environment_id = {environment:UUID} AND kind = 'error' AND ts >= fromUnixTimestamp64Milli({since:Int64})
      AND NOT mapContains(attrs, '${fingerprintAttribute}') AND arrayExists(name -> position(err_stack, name) > 0, {names:Array(String)})
    GROUP BY err_group, version ORDER BY max(ts) DESC LIMIT ${groupsAtOnce}`,
    {
      values: { environment: environmentId, since: clock().getTime() - lookBack, names },
      limit: readTimeout,
    },
  )
}

/** Replaces a culprit in a bundle by the place in the original code. */
async function renameCulprit(
  { db }: IssueServices,
  environmentId: string,
  { group, culprit }: { group: string; culprit: string },
): Promise<void> {
  const named = db
    .select({ id: issueGroups.issueId })
    .from(issueGroups)
    .where(and(eq(issueGroups.environmentId, environmentId), eq(issueGroups.group, group)))
  await db
    .update(issues)
    .set({ culprit })
    .where(and(inArray(issues.id, named), ne(issues.culprit, culprit)))
}
