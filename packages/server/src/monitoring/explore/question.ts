// All statements about telemetry are built here: environment and period are added in one place, values are sent
// as parameters, and a statement that reads a table in another way is rejected.

import { Problem, problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { FieldRef, Filter } from '@telltale/core/query/filter'
import { usersPerSampled } from '../../platform/engines/clickhouse/schema/events-sampled.ts'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import type { Bind } from './conditions.ts'
import { type JoinedGroups, noJoinedGroups, renderIssue } from './joined-groups.ts'
import { isLatestVital, mayBeVitals } from './latest-vitals.ts'
import { type StoredRoutes, selectLookedUp, selectMerged } from './merged-routes.ts'
import { renderForEvents } from './render-filter.ts'
import { renderForSessions } from './render-session-filter.ts'
import { sessionRows } from './session-rows.ts'
import { withVariations } from './view-flags.ts'

export interface Scope {
  environmentId: string
  timeZone: string
  /** Milliseconds since 1970. */
  from: number
  /** Exclusive. */
  to: number
  filter: Filter
  /** Groups of errors that belong to one issue; absent for queries without issues. */
  joined?: JoinedGroups
  /** Route rules that older rows were stored without; undefined if all rows have them. */
  routes?: StoredRoutes | undefined
  /** Reads the events of one in sixteen users, each of which weighs as many times as much. */
  isSampled?: boolean
}

type StoredTable =
  | 'events'
  | 'events_sampled'
  | 'sessions'
  | 'views'
  | 'replay_segments'
  | 'replay_kept'
  | 'replay_assets'
  | 'profile_rows'
  | 'profile_stacks'
  | 'profile_blobs'
  | 'spans'
  | 'traces'
  | 'logs'
  | 'exposures'

/** Columns that contain routes. */
const routeColumns: Partial<Record<StoredTable, readonly string[]>> = {
  events: ['page', 'res_endpoint'],
  events_sampled: ['page', 'res_endpoint'],
  views: ['page'],
  profile_rows: ['page'],
}
const sessionColumns = ['entry_page', 'exit_page']
/** Tables whose rows are replaced: the last version of each row counts. */
const replaced = new Set<StoredTable>(['views', 'replay_kept', 'replay_assets'])

export interface Question extends Scope {
  bind: Bind
  /** What was bound so far. */
  values: Readonly<Record<string, unknown>>
  /** The group that represents the issue of a group of errors. */
  issueOf(column: string): string
  /** The column of a flag's variation in `groupable` rows. */
  variationOf(flag: string): string
  /**
   * Rows of events that can be grouped by these fields, for FROM. Grouped by a flag, a view with two variations
   * counts under both.
   */
  groupable(fields: readonly FieldRef[], rows: string): string
  /** The table of events and the conditions on it, for FROM. */
  events(...conditions: string[]): string
  /** Sessions that began in the period, one row each, for FROM. */
  sessions(...conditions: string[]): string
  /** `sessionRows` of one statement, with the route rules applied. */
  withRoutes(rows: string): string
  /** Events as stored, limited by the environment only: for counts by hour. */
  stored(...conditions: string[]): string
  /** Rows of a table, limited by the environment only, for FROM. */
  rowsOf(table: StoredTable, ...conditions: string[]): string
  /**
   * An alias must not have the name of a column, because it would replace the column in conditions. A list from
   * a subquery is GLOBAL, so that every shard of a cluster gets all of it.
   */
  read<Row>(text: string): Promise<Row[]>
  /** The same question with another filter or period, or about a sample. */
  with(changes: Partial<Pick<Scope, 'from' | 'to' | 'filter' | 'isSampled'>>): Question
}

/** Whole users are sampled, as in `events_sampled`; a session without a user by its id. */
const isSampledSession = `if(s.user_hash = 0, cityHash64(s.session_id), s.user_hash) % ${usersPerSampled} = 0`

const environment = 'environment_id = {environment:UUID}'
const day = 86_400_000
/** The latest instant that the tables can store. */
const latest = 4_102_444_800_000
const tables =
  /\b(?:FROM|JOIN)\s+(?:\w+\.)?(events|events_sampled|sessions|views|view_flags|exposures|unit_\w+|replay_\w+|profile_\w+|\w+_counts|intake_\w+|spans|traces|logs)\b(?:\s+FINAL|\s+AS \w+)?(?!\s+FINAL|\s+AS \w+|\s+WHERE environment_id = \{environment:UUID\})/i

export function ask(telemetry: Pick<Telemetry, 'read'>, scope: Scope): Question {
  const values: Record<string, unknown> = { environment: scope.environmentId }
  const bind: Bind = (value, type) => {
    const name = `p${Object.keys(values).length}`
    values[name] = value
    return `{${name}:${type}}`
  }
  const [from, to] = [scope.from, scope.to].map((at) => Math.max(0, Math.min(latest, at)))
  const inPeriod = (column: string) =>
    `${column} >= fromUnixTimestamp64Milli(${bind(from, 'Int64')}) AND ${column} < fromUnixTimestamp64Milli(${bind(to, 'Int64')})`
  const where = (conditions: readonly string[]) => [environment, ...conditions].join(' AND ')
  const period = { from: from ?? 0, to: to ?? 0 }
  /** A view whose last revision arrives after the end of the period counts in the next period. */
  const latestVitals = (conditions: readonly string[]) => {
    if (!mayBeVitals(conditions)) return []
    const [begin, end] = [period.from, Math.min(latest, period.to + limits.monitoredSessionMaximum)]
    const at = (instant: number) => `fromUnixTimestamp64Milli(${bind(instant, 'Int64')})`
    return [isLatestVital(environment, `ts >= ${at(begin)}`, `ts < ${at(end)}`)]
  }
  const routes = scope.routes !== undefined && period.from < scope.routes.since ? scope.routes : undefined
  const withRoutes = (rows: string) =>
    routes === undefined ? rows : selectMerged(rows, sessionColumns, { routes, bind })
  const rowsFrom = (table: StoredTable, first: readonly string[], others: readonly string[]) => {
    const rows = `${table}${replaced.has(table) ? ' FINAL' : ''}`
    const columns = routeColumns[table]
    if (routes === undefined || columns === undefined) return `${rows} WHERE ${where([...first, ...others])}`
    const merged = selectLookedUp(`${rows} WHERE ${where(first)}`, columns, { routes, bind })
    return `(${merged}) WHERE ${where(others)}`
  }

  const { isSampled = false } = scope
  const eventsTable = isSampled ? 'events_sampled' : 'events'
  const weighed = (rows: string) =>
    isSampled ? `(SELECT * REPLACE (weight * ${usersPerSampled} AS weight) FROM ${rows})` : rows

  const variations = new Map<string, string>()
  const variationOf = (flag: string) => {
    const column = variations.get(flag) ?? `variation_${variations.size}`
    variations.set(flag, column)
    return column
  }

  return {
    ...scope,
    bind,
    values,
    variationOf,
    groupable: (fields, rows) => {
      const flags = fields.flatMap(({ field, key }) => (field === 'flag' ? [key] : []))
      if (flags.length === 0) return rows
      const columns = new Map(flags.map((flag) => [flag, variationOf(flag)]))
      return withVariations(rows, { columns, scope: period, bind, isSampled })
    },
    issueOf: (column) => renderIssue(column, scope.joined ?? noJoinedGroups),
    events: (...conditions) =>
      weighed(
        rowsFrom(
          eventsTable,
          [inPeriod('ts')],
          [...renderForEvents({ ...scope, ...period }, bind), ...conditions, ...latestVitals(conditions)],
        ),
      ),
    stored: (...conditions) => `${eventsTable} WHERE ${where(conditions)}`,
    sessions: (...conditions) => {
      const found = [...renderForSessions({ ...scope, ...period }, bind), ...conditions]
      const merged = withRoutes(sessionRows(period, bind, isSampled ? isSampledSession : undefined))
      return weighed(`(${merged})${found.length === 0 ? '' : ` WHERE ${found.join(' AND ')}`}`)
    },
    withRoutes,
    rowsOf: (table, ...conditions) => rowsFrom(table, [], conditions),
    async read<Row>(text: string) {
      if (tables.test(text)) throw new Error(`a query without an environment: ${text}`)
      try {
        return await telemetry.read<Row>(text, {
          values: valuesIn(text, values),
          limit: limits.screenReadTimeout,
        })
      } catch (error) {
        throw error instanceof Problem && error.code === 'query-too-large' ? tooLarge(period) : error
      }
    },
    with: (changes) => ask(telemetry, { ...scope, ...changes }),
  }
}

/** Values are sent in the address, whose length is limited: those of other statements are left out. */
const valuesIn = (text: string, values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => text.includes(`{${name}:`)))

const shorter = [90 * day, 30 * day, 7 * day, day, day / 4, day / 24, day / 96]

/** Suggests the next shorter range with the same end. */
function tooLarge({ from, to }: { from: number; to: number }) {
  const span = shorter.find((one) => one < to - from)
  return problem('query-too-large', {
    detail: `The query exceeded ${limits.screenReadTimeout / 1_000} s, or its memory or row limit. Choose a shorter time range or a narrower filter.`,
    ...(span !== undefined && {
      shorter: { from: new Date(to - span).toISOString(), to: new Date(to).toISOString() },
    }),
  })
}
