import { limits } from '@telltale/core/limits'
import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { flagConfigVersions, flags } from '../../platform/engines/postgres/schema.ts'
import { ofBrowsers, sessionCount } from '../explore/conditions.ts'
import type { Question } from '../explore/question.ts'
import type { Steps } from '../explore/steps.ts'
import { type VitalsRow, vitalColumns } from '../explore/vitals.ts'

/** Sums of the period and the previous one, and the steps of the period, in one statement. */
export interface Summed {
  /** 1: previous period, 2: the period, 0: both. */
  half: number
  /** Seconds since 1970; 0 for the whole half. */
  at: number
}

interface Halves {
  /** A question over both periods. */
  both: Question
  /** Start of the second period. */
  from: number
  steps: Steps
}

const halfOf = ({ both, from }: Halves, column: string) =>
  `if(${column} < fromUnixTimestamp64Milli(${both.bind(from, 'Int64')}), 1, 2) AS half`

export interface SessionSums extends Summed {
  sessions: number
  users: string
  with_error: number
}

export async function sumSessions(halves: Halves): Promise<SessionSums[]> {
  const { both, steps } = halves
  return both.read<SessionSums>(
    `SELECT ${halfOf(halves, 'started')}, ${steps.of(both, 'started')} AS at, sum(weight) AS sessions,
      uniqExact(user_hash) AS users, sumIf(weight, errors > 0) AS with_error
    FROM ${both.sessions()} GROUP BY half, at WITH ROLLUP`,
  )
}

export interface EventSums extends Summed {
  views: number
  errors: number
}

export async function sumEvents(halves: Halves): Promise<EventSums[]> {
  const { both, steps } = halves
  return both.read<EventSums>(
    `SELECT ${halfOf(halves, 'ts')}, ${steps.of(both, 'ts')} AS at, sumIf(weight, kind = 'view') AS views,
      sumIf(weight, kind = 'error') AS errors
    FROM ${both.events("kind IN ('view', 'error')", ofBrowsers)} GROUP BY half, at WITH ROLLUP`,
  )
}

/** Rows without a vital are sums over different vitals and have no meaning. */
export async function sumVitals(halves: Halves): Promise<(Summed & VitalsRow)[]> {
  const { both, steps } = halves
  return both.read<Summed & VitalsRow>(
    `SELECT ${halfOf(halves, 'ts')}, ${steps.of(both, 'ts')} AS at, ${vitalColumns(both)}
    FROM ${both.events("kind = 'vital'")} GROUP BY half, vital, at WITH ROLLUP`,
  )
}

export interface NewErrorRow {
  group: string
  type: string
  message: string
  count: number
  sessions: string
  first_at: string
  last_at: string
}

/** Groups new in the period are then looked up in the control plane. */
const groupsCompared = 500

/** Groups of errors first seen in the period, as far back as events are kept; most sessions first. */
export async function findNewErrors(question: Question): Promise<NewErrorRow[]> {
  const { bind, from } = question
  const earlier = `SELECT err_group FROM ${question.rowsOf('events', "kind = 'error'", `ts < fromUnixTimestamp64Milli(${bind(from, 'Int64')})`)}`
  return question.read<NewErrorRow>(
    `SELECT toString(err_group) AS group, argMax(err_type, ts) AS type, argMax(err_message, ts) AS message,
      sum(weight) AS count, ${sessionCount} AS sessions, toString(toUnixTimestamp64Milli(min(ts))) AS first_at,
      toString(toUnixTimestamp64Milli(max(ts))) AS last_at
    FROM ${question.events("kind = 'error'", `err_group GLOBAL NOT IN (${earlier})`)}
    GROUP BY err_group ORDER BY sessions DESC, count DESC, group LIMIT ${groupsCompared}`,
  )
}

/** Saved versions with their predecessors, newest first; the initial version of a flag is not a change. */
export async function findConfigChanges(
  db: Queryable,
  {
    environmentId,
    flag,
    from,
    to,
  }: { environmentId: string; flag: string | undefined; from: number; to: number },
) {
  const before = alias(flagConfigVersions, 'before')
  const after = flagConfigVersions
  return db
    .select({
      at: after.savedAt,
      flag: flags.key,
      name: flags.name,
      version: after.version,
      enabled: sql<boolean>`(${after.config} ->> 'enabled')::boolean`,
      wasEnabled: sql<boolean>`(${before.config} ->> 'enabled')::boolean`,
      actor: after.actor,
      reason: after.reason,
    })
    .from(after)
    .innerJoin(flags, eq(flags.id, after.flagId))
    .innerJoin(
      before,
      and(
        eq(before.flagId, after.flagId),
        eq(before.environmentId, after.environmentId),
        eq(before.version, sql`${after.version} - 1`),
      ),
    )
    .where(
      and(
        eq(after.environmentId, environmentId),
        gte(after.savedAt, new Date(from)),
        lt(after.savedAt, new Date(to)),
        flag === undefined ? undefined : eq(flags.key, flag),
      ),
    )
    .orderBy(desc(after.savedAt), desc(after.version))
    .limit(limits.flagChangesListed + 1)
}
