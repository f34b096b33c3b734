// What the telemetry store knows of errors. Bots are left out, as on every screen.

import type { Telemetry } from '../engines/clickhouse/telemetry.ts'

export interface ErrorScope {
  environmentId: string
  from: Date
  to: Date
}

const inScope = `environment_id = {environment:UUID} AND kind = 'error' AND bot = 0
    AND ts >= fromUnixTimestamp64Milli({from:Int64}) AND ts <= fromUnixTimestamp64Milli({to:Int64})`
const scopeValues = ({ environmentId, from, to }: ErrorScope) => ({
  environment: environmentId,
  from: from.getTime(),
  to: to.getTime(),
})

export interface GroupCount extends IssueCount {
  group: string
  first: number
  last: number
  /** Of the newest error. */
  version: string
  message: string
}

/** More groups than anybody goes through; the most frequent ones stay. */
const groupsCounted = 10_000

export async function countGroups(
  telemetry: Pick<Telemetry, 'read'>,
  scope: ErrorScope,
): Promise<GroupCount[]> {
  const rows = await telemetry.read<{
    group: string
    events: string
    sessions: string
    users: string
    first: string
    last: string
    version: string
    message: string
  }>(
    `SELECT toString(err_group) AS group, count() AS events, uniqExact(session_id) AS sessions, uniqExact(user_hash) AS users,
      toUnixTimestamp64Milli(min(ts)) AS first,
      toUnixTimestamp64Milli(max(ts)) AS last, argMax(toString(version), ts) AS version, argMax(err_message, ts) AS message
    FROM events WHERE ${inScope} GROUP BY err_group ORDER BY events DESC, group LIMIT ${groupsCounted}`,
    { values: scopeValues(scope) },
  )
  return rows.map(({ group, events, sessions, users, first, last, version, message }) => ({
    group,
    events: Number(events),
    sessions: Number(sessions),
    users: Number(users),
    first: Number(first),
    last: Number(last),
    version,
    message,
  }))
}

export interface IssueCount {
  events: number
  sessions: number
  users: number
}

/** A person who met two groups of one issue is one person. Groups travel in an address: of a page of issues, not of all. */
export async function countIssues(
  telemetry: Pick<Telemetry, 'read'>,
  scope: ErrorScope,
  issues: readonly { id: string; groups: readonly string[] }[],
): Promise<Map<string, IssueCount>> {
  const { groups, places } = placesOf(issues)
  const rows = await telemetry.read<{ place: number; events: string; sessions: string; users: string }>(
    `SELECT transform(err_group, arrayMap(g -> toUInt64(g), {groups:Array(String)}), {places:Array(UInt32)}, 0) AS place, count() AS events,
      uniqExact(session_id) AS sessions, uniqExact(user_hash) AS users
    FROM events WHERE ${inScope} AND has(arrayMap(g -> toUInt64(g), {groups:Array(String)}), err_group) GROUP BY place HAVING place > 0`,
    { values: { ...scopeValues(scope), groups, places } },
  )
  return new Map(
    rows.flatMap(({ place, events, sessions, users }) => {
      const issue = issues[place - 1]
      if (issue === undefined) return []
      return [[issue.id, { events: Number(events), sessions: Number(sessions), users: Number(users) }]]
    }),
  )
}

/** Events in `parts` equal parts of the period. */
export async function countParts(
  telemetry: Pick<Telemetry, 'read'>,
  scope: ErrorScope,
  { issues, parts }: { issues: readonly { id: string; groups: readonly string[] }[]; parts: number },
): Promise<Map<string, number[]>> {
  const { groups, places } = placesOf(issues)
  const span = Math.max(1, scope.to.getTime() - scope.from.getTime() + 1)
  const rows = await telemetry.read<{ place: number; part: number; events: string }>(
    `SELECT transform(err_group, arrayMap(g -> toUInt64(g), {groups:Array(String)}), {places:Array(UInt32)}, 0) AS place,
      toUInt32(intDiv((toUnixTimestamp64Milli(ts) - {from:Int64}) * {parts:UInt32}, {span:Int64})) AS part, count() AS events
    FROM events WHERE ${inScope} AND has(arrayMap(g -> toUInt64(g), {groups:Array(String)}), err_group) GROUP BY place, part HAVING place > 0`,
    { values: { ...scopeValues(scope), groups, places, parts, span } },
  )
  const series = new Map(issues.map(({ id }) => [id, Array.from({ length: parts }, () => 0)]))
  for (const { place, part, events } of rows) {
    const counts = series.get(issues[place - 1]?.id ?? '')
    if (counts !== undefined && part < parts) counts[part] = Number(events)
  }
  return series
}

/** Places count from 1: 0 is what belongs to none. */
function placesOf(issues: readonly { groups: readonly string[] }[]): { groups: string[]; places: number[] } {
  const pairs = issues.flatMap(({ groups }, index) => groups.map((group) => ({ group, place: index + 1 })))
  return { groups: pairs.map(({ group }) => group), places: pairs.map(({ place }) => place) }
}

export const sliced = ['browser', 'os', 'device', 'country', 'version', 'page'] as const
export type Sliced = (typeof sliced)[number] | 'flags'

const slicesShown = 10

export async function countSlices(
  telemetry: Pick<Telemetry, 'read'>,
  scope: ErrorScope,
  groups: readonly string[],
): Promise<{ kind: Sliced; value: string; events: number; sessions: number }[]> {
  const kinds = sliced.map((kind) => `('${kind}', toString(${kind}))`).join(', ')
  const rows = await telemetry.read<{ kind: Sliced; value: string; events: string; sessions: string }>(
    `SELECT part.1 AS kind, part.2 AS value, count() AS events, uniqExact(session_id) AS sessions
    FROM (
      SELECT session_id, arrayJoin(arrayConcat([${kinds}], arrayMap(f -> ('flags', toString(f)), flags))) AS part
      FROM events WHERE ${inScope} AND has(arrayMap(g -> toUInt64(g), {groups:Array(String)}), err_group)
    )
    GROUP BY kind, value ORDER BY kind, events DESC, value LIMIT ${slicesShown} BY kind`,
    { values: { ...scopeValues(scope), groups } },
  )
  return rows.map(({ kind, value, events, sessions }) => ({
    kind,
    value,
    events: Number(events),
    sessions: Number(sessions),
  }))
}

export interface ReadVariation {
  flag: string
  variation: string
  sessions: number
  /** Sessions of these that met the issue. */
  hits: number
}

/** Sessions by the variations that they read. One that saw two variations of a flag says nothing about either. */
export async function countReaders(
  telemetry: Pick<Telemetry, 'read'>,
  scope: ErrorScope,
  groups: readonly string[],
): Promise<ReadVariation[]> {
  const rows = await telemetry.read<{ flag: string; variation: string; sessions: string; hits: string }>(
    `SELECT flag, substring(seen[1], length(flag) + 2) AS variation, count() AS sessions, countIf(hit) AS hits
    FROM (
      SELECT flag, arrayFilter(f -> startsWith(f, concat(flag, '=')), flags) AS seen, hit
      FROM (
        SELECT session_id, groupUniqArrayArray(flags) AS flags,
          hasAny(groupUniqArrayArray(err_groups), arrayMap(g -> toUInt64(g), {groups:Array(String)})) AS hit
        FROM sessions WHERE environment_id = {environment:UUID} AND day >= toDate(fromUnixTimestamp64Milli({from:Int64}))
          AND day <= toDate(fromUnixTimestamp64Milli({to:Int64}))
        GROUP BY session_id
        HAVING max(bot) = 0 AND max(ended) >= fromUnixTimestamp64Milli({from:Int64})
          AND min(started) <= fromUnixTimestamp64Milli({to:Int64})
      )
      ARRAY JOIN arrayDistinct(arrayMap(f -> substringUTF8(f, 1, positionUTF8(f, '=') - 1), flags)) AS flag
    )
    WHERE length(seen) = 1 GROUP BY flag, variation ORDER BY flag, variation LIMIT 10000`,
    { values: { ...scopeValues(scope), groups } },
  )
  return rows.map(({ flag, variation, sessions, hits }) => ({
    flag,
    variation,
    sessions: Number(sessions),
    hits: Number(hits),
  }))
}

/** The versions that people ran until now, the one seen last first seen first. */
export async function findVersions(
  telemetry: Pick<Telemetry, 'read'>,
  environmentId: string,
): Promise<string[]> {
  const rows = await telemetry.read<{ version: string }>(
    `SELECT version FROM sessions ARRAY JOIN versions AS version WHERE environment_id = {environment:UUID}
    GROUP BY version ORDER BY min(started) DESC, version LIMIT 10000`,
    { values: { environment: environmentId } },
  )
  return rows.map(({ version }) => version)
}
