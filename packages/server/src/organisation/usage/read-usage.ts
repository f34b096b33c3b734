import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { getInstallationUsage } from '@telltale/core/contract/usage'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { type Meter, meters, type UsageGroup, usageGroups } from '@telltale/core/usage/meters'
import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { environments, projects, sdkKeys } from '../../platform/engines/postgres/schema.ts'
import { usageDays } from '../../platform/engines/postgres/usage-schema.ts'
import { readDays } from './usage-days.ts'

export type UsageQuery = QueryOf<typeof getInstallationUsage>
export type UsageReply = ReplyOf<typeof getInstallationUsage>

interface Found extends Record<string, unknown> {
  project: string
  day: string | null
  environment: string | null
  key: string | null
  label: string | null
  prefix: string | null
  application: string | null
  kind: string
  count: number
}

/** Of one project, or of all. */
export async function readUsage(
  db: Db,
  { query, now, projectId }: { query: UsageQuery; now: Date; projectId?: string },
): Promise<UsageReply> {
  const days = readDays(query, now)
  const groups = groupsIn(query)
  const { rows } = await db.execute<Found>(sql`
    WITH sums AS (
      SELECT project_id,
        ${groups.has('day') ? sql`day::text` : sql`NULL::text`} AS day,
        ${groups.has('environment') ? sql`environment_id` : sql`NULL::uuid`} AS environment_id,
        ${groups.has('key') ? sql`key_id` : sql`NULL::uuid`} AS key_id,
        ${groups.has('application') ? sql`application` : sql`NULL::text`} AS application,
        kind, sum(count)::float8 AS count
      FROM ${usageDays}
      WHERE day >= ${days.from}::date AND day <= ${days.to}::date
        ${projectId === undefined ? sql`` : sql`AND project_id = ${projectId}`}
        ${query.kind === undefined ? sql`` : sql`AND kind = ${query.kind}`}
      GROUP BY 1, 2, 3, 4, 5, 6
    )
    SELECT ${projects.key} AS project, sums.day, coalesce(${environments.key}, sums.environment_id::text) AS environment,
      sums.key_id::text AS key, ${sdkKeys.label} AS label, ${sdkKeys.prefix} AS prefix, sums.application, sums.kind,
      sums.count
    FROM sums
    JOIN ${projects} ON ${projects.id} = sums.project_id
    LEFT JOIN ${environments} ON ${environments.id} = sums.environment_id
    LEFT JOIN ${sdkKeys} ON ${sdkKeys.id} = sums.key_id
    ORDER BY 1, 2 NULLS FIRST, 3 NULLS FIRST, 4 NULLS FIRST, 7 NULLS FIRST, 8
    LIMIT ${limits.usageRows + 1}`)
  if (rows.length > limits.usageRows)
    throw problem('query-too-large', 'Choose a shorter period or fewer groups.')
  return { ...days, rows: rows.flatMap(toRow) }
}

function toRow({ key, label, prefix, kind, ...found }: Found): UsageReply['rows'] {
  const meter = meters.find((one): one is Meter => one === kind)
  if (meter === undefined) return []
  const named = key === null ? null : { id: key, label: label ?? '', prefix: prefix ?? '' }
  return [{ ...found, key: named, kind: meter }]
}

export function groupsIn({ groupBy = 'day' }: UsageQuery): Set<UsageGroup> {
  const given = groupBy.split(',')
  return new Set(usageGroups.filter((group) => given.includes(group)))
}
