// Groups of errors that belong to one issue. Events contain their group, while users filter by issue: a filter
// by any of its groups is widened to all of them, and grouping by issue uses the first group of each.

import type { Filter } from '@telltale/core/query/filter'
import { sql } from 'drizzle-orm'
import { issueGroups } from '../../platform/engines/postgres/issue-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

/** For each group that shares its issue with others: all of them, in order. */
export type JoinedGroups = ReadonlyMap<string, readonly string[]>

export const noJoinedGroups: JoinedGroups = new Map()

export async function findJoinedGroups(db: Queryable, environmentId: string): Promise<JoinedGroups> {
  const { environmentId: environment, group, issueId } = issueGroups
  const rows = await db
    .select({ groups: sql<string[]>`array_agg(${group} ORDER BY ${group})` })
    .from(issueGroups)
    .where(sql`${environment} = ${environmentId} AND ${group} ~ '^[0-9]'`)
    .groupBy(issueId)
    .having(sql`count(*) > 1`)
  return new Map(rows.flatMap(({ groups }) => groups.map((one) => [one, groups] as const)))
}

export function widenIssues(filter: Filter, joined: JoinedGroups): Filter {
  if (joined.size === 0) return filter
  const chips = filter.chips.map((chip) =>
    chip.field === 'issue' && chip.operator === 'is'
      ? { ...chip, values: [...new Set(chip.values.flatMap((value) => joined.get(value) ?? value))] }
      : chip,
  )
  return { ...filter, chips }
}

/** The first group of the issue to which the group in a column belongs. */
export function renderIssue(column: string, joined: JoinedGroups): string {
  const others = [...joined].flatMap(([group, [first]]) =>
    first === undefined || first === group ? [] : [[group, first] as const],
  )
  if (others.length === 0) return column
  const [from, to] = [0, 1].map((side) => others.map((pair) => BigInt(pair[side] ?? 0)).join(', '))
  return `transform(${column}, CAST([${from}], 'Array(UInt64)'), CAST([${to}], 'Array(UInt64)'), ${column})`
}
