import { limits } from '@telltale/core/limits'
import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Queryable } from '../engines/postgres/open.ts'
import { flagConfigVersions, flags } from '../engines/postgres/schema.ts'
import type { Question } from '../explore/question.ts'
import type { Steps } from '../explore/steps.ts'
import { percentile, type VitalsRow, vitalColumns } from '../explore/vitals.ts'

export interface SessionTotals {
  sessions: number
  users: string
  with_error: number
}

export async function findSessionTotals(question: Question): Promise<SessionTotals> {
  const [row] = await question.read<SessionTotals>(
    `SELECT sum(weight) AS sessions, uniqExact(user_hash) AS users, sumIf(weight, errors > 0) AS with_error FROM ${question.sessions()}`,
  )
  return row ?? { sessions: 0, users: '0', with_error: 0 }
}

export interface EventTotals {
  views: number
  errors: number
}

export async function findEventTotals(question: Question): Promise<EventTotals> {
  const [row] = await question.read<EventTotals>(
    `SELECT sumIf(weight, kind = 'view') AS views, sumIf(weight, kind = 'error') AS errors FROM ${question.events("kind IN ('view', 'error')")}`,
  )
  return row ?? { views: 0, errors: 0 }
}

export async function findVitals(question: Question): Promise<VitalsRow[]> {
  return question.read<VitalsRow>(
    `SELECT ${vitalColumns} FROM ${question.events("kind = 'vital'")} GROUP BY name`,
  )
}

export interface VitalPoint {
  at: number
  vital: string
  count: string
  p75: number | null
}

export async function findVitalPoints(question: Question, steps: Steps): Promise<VitalPoint[]> {
  return question.read<VitalPoint>(
    `SELECT ${steps.of('ts')} AS at, toString(name) AS vital, count() AS count, ${percentile(0.75, 'value')} AS p75
    FROM ${question.events("kind = 'vital'")} GROUP BY at, name`,
  )
}

export interface EventPoint extends EventTotals {
  at: number
}

export async function findEventPoints(question: Question, steps: Steps): Promise<EventPoint[]> {
  return question.read<EventPoint>(
    `SELECT ${steps.of('ts')} AS at, sumIf(weight, kind = 'view') AS views, sumIf(weight, kind = 'error') AS errors
    FROM ${question.events("kind IN ('view', 'error')")} GROUP BY at`,
  )
}

export async function findSessionPoints(
  question: Question,
  steps: Steps,
): Promise<{ at: number; sessions: number }[]> {
  return question.read(
    `SELECT ${steps.of('started')} AS at, sum(weight) AS sessions FROM ${question.sessions()} GROUP BY at`,
  )
}

export interface NewErrorRow {
  issue: string
  type: string
  message: string
  count: number
  sessions: string
  first_at: string
  last_at: string
}

/** First seen in the period, as far back as events are kept. */
export async function findNewErrors(question: Question, count: number): Promise<NewErrorRow[]> {
  const { bind, from } = question
  const earlier = `SELECT err_group FROM ${question.rowsOf('events', "kind = 'error'", `ts < fromUnixTimestamp64Milli(${bind(from, 'Int64')})`)}`
  return question.read<NewErrorRow>(
    `SELECT toString(err_group) AS issue, argMax(err_type, ts) AS type, argMax(err_message, ts) AS message,
      sum(weight) AS count, uniqExact(session_id) AS sessions, toString(toUnixTimestamp64Milli(min(ts))) AS first_at,
      toString(toUnixTimestamp64Milli(max(ts))) AS last_at
    FROM ${question.events("kind = 'error'", `err_group NOT IN (${earlier})`)}
    GROUP BY err_group ORDER BY sessions DESC, count DESC, issue LIMIT ${bind(count, 'UInt32')}`,
  )
}

/** Saved versions with what they came from, the newest first; a flag's first one is no change. */
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
