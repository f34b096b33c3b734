// Every question about telemetry is asked through here. The environment and the period are written into each statement in
// this one place, values travel as parameters, and a statement that reads a table in any other way is refused.

import { Problem, problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { Filter } from '@telltale/core/telemetry/filter'
import type { Telemetry } from '../engines/clickhouse/telemetry.ts'
import type { Bind } from './conditions.ts'
import { type JoinedGroups, noJoinedGroups, renderIssue } from './joined-groups.ts'
import { renderForEvents } from './render-filter.ts'
import { renderForSessions } from './render-session-filter.ts'
import { sessionRows } from './session-rows.ts'

export interface Scope {
  environmentId: string
  timeZone: string
  /** Milliseconds since 1970. */
  from: number
  /** Not part of it. */
  to: number
  filter: Filter
  /** Groups of errors that are one issue; none of them where nobody asks about issues. */
  joined?: JoinedGroups
}

type StoredTable =
  | 'events'
  | 'sessions'
  | 'views'
  | 'replay_segments'
  | 'replay_kept'
  | 'replay_assets'
  | 'profile_rows'
  | 'profile_stacks'
  | 'profile_blobs'

/** Rows that are written again: the last one of each counts. */
const replaced = new Set<StoredTable>(['views', 'replay_kept', 'replay_assets'])

export interface Question extends Scope {
  bind: Bind
  /** What stands for the issue of a group of errors. */
  issueOf(column: string): string
  /** The table of events and the conditions on it, for FROM. */
  events(...conditions: string[]): string
  /** Sessions that began in the period, one row each, for FROM. */
  sessions(...conditions: string[]): string
  /** Rows of a table by the environment alone, for FROM. */
  rowsOf(table: StoredTable, ...conditions: string[]): string
  /**
   * No alias may have the name of a column: it would stand for it in the conditions too. A list from another reading is
   * GLOBAL, so that every shard of a cluster has all of it.
   */
  read<Row>(text: string): Promise<Row[]>
  /** The same question with another filter or period. */
  with(changes: Partial<Pick<Scope, 'from' | 'to' | 'filter'>>): Question
}

const environment = 'environment_id = {environment:UUID}'
const day = 86_400_000
/** What the tables can hold. */
const latest = 4_102_444_800_000
const tables =
  /\b(?:FROM|JOIN)\s+(?:\w+\.)?(events|sessions|views|exposures|unit_\w+|replay_\w+|profile_\w+|\w+_counts|intake_\w+)\b(?:\s+FINAL|\s+AS \w+)?(?!\s+FINAL|\s+AS \w+|\s+WHERE environment_id = \{environment:UUID\})/i

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

  return {
    ...scope,
    bind,
    issueOf: (column) => renderIssue(column, scope.joined ?? noJoinedGroups),
    events: (...conditions) =>
      `events WHERE ${where([inPeriod('ts'), ...renderForEvents({ ...scope, ...period }, bind), ...conditions])}`,
    sessions: (...conditions) => {
      const found = [...renderForSessions({ ...scope, ...period }, bind), ...conditions]
      return `(${sessionRows(period, bind)})${found.length === 0 ? '' : ` WHERE ${found.join(' AND ')}`}`
    },
    rowsOf: (table, ...conditions) =>
      `${table}${replaced.has(table) ? ' FINAL' : ''} WHERE ${where(conditions)}`,
    async read<Row>(text: string) {
      if (tables.test(text)) throw new Error(`a question about every environment: ${text}`)
      try {
        return await telemetry.read<Row>(text, { values, limit: limits.screenReadTimeout })
      } catch (error) {
        throw error instanceof Problem && error.code === 'query-too-large' ? tooLarge(period) : error
      }
    },
    with: (changes) => ask(telemetry, { ...scope, ...changes }),
  }
}

const shorter = [90 * day, 30 * day, 7 * day, day, day / 4, day / 24, day / 96]

/** Offers the next shorter range that ends at the same instant. */
function tooLarge({ from, to }: { from: number; to: number }) {
  const span = shorter.find((one) => one < to - from)
  return problem('query-too-large', {
    detail: `This took more than ${limits.screenReadTimeout / 1_000} s, or more memory or rows than one question may have. Choose a shorter range, or narrow the filter.`,
    ...(span !== undefined && {
      shorter: { from: new Date(to - span).toISOString(), to: new Date(to).toISOString() },
    }),
  })
}
