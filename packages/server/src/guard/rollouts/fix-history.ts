// What users did in the weeks before a flag was first split: the rule by which it explains a part of what they do
// afterwards, and the history of each user, both fixed and kept before anyone is exposed. Looks read what was kept.

import { endOfHistory } from '@telltale/core/guard/history-period'
import { type JudgedMetric, type KnownHistory, unitWeightOf } from '@telltale/core/guard/metric-method'
import { limits } from '@telltale/core/limits'
import { type HistoryRule, type PeriodMoments, ruleOf } from '@telltale/core/statistics/history'
import { and, eq, gt, isNull, or } from 'drizzle-orm'
import { v4 as newId } from 'uuid'
import { ofEveryOrigin } from '../../monitoring/explore/conditions.ts'
import { ask, type Question } from '../../monitoring/explore/question.ts'
import { type Queryable, reasonOf } from '../../platform/engines/postgres/open.ts'
import { splitEpochs, splits } from '../../platform/engines/postgres/schema.ts'
import type { Services } from '../../platform/services.ts'
import type { ConfigRef } from '../../release/flags/queries.ts'
import { cappedBy, columnsOf, readSlopes } from './read-traffic.ts'

const week = 7 * 86_400_000

export interface FixHistory {
  environment: { id: string; timeZone: string }
  flagId: string
  /** The unit of the split: history is that of users, by their key. */
  by: string
  /** Users are assigned anew: what they got before says nothing about what they get. */
  isRedrawn?: boolean
  /** With the caps of totals. */
  metrics: readonly JudgedMetric[]
  now: Date
}

/**
 * By metric; without those that history does not help. Called before anything is locked. Empty if the telemetry has no
 * answer: without history, everything is valid as well.
 */
export async function fixHistory(
  { db, telemetry, log }: Pick<Services, 'db' | 'telemetry' | 'log'>,
  { environment, flagId, by, isRedrawn = false, metrics, now }: FixHistory,
): Promise<Map<string, KnownHistory>> {
  const helped = metrics.filter(({ method }) => method.kind !== 'rare-share')
  if (by !== 'targetingKey' || helped.length === 0) return new Map()
  try {
    const times = isRedrawn ? [] : await findSplitTimes(db, { flagId, environmentId: environment.id }, now)
    const to = endOfHistory(now.getTime(), times, { length: 2 * week, oldest: limits.historyAge })
    if (to === undefined) return new Map()
    const period = { environmentId: environment.id, timeZone: environment.timeZone, filter: ofEveryOrigin }
    const question = ask(telemetry, { ...period, from: to - 2 * week, to })
    const measured = await measure(question, helped)
    const { users, moments } = await readMoments(question, measured)
    if (users > limits.historyUsers) return new Map()
    const known = measured.flatMap((one, index): Known[] => {
      const found = moments[index]
      const rule = found && ruleOf(found)
      return rule === undefined ? [] : [{ ...one, rule }]
    })
    const id = newId()
    if (known.length > 0) await keepHistory(telemetry, question.with({ from: to - week }), { id, known, now })
    return new Map(known.map(({ key, rule }, index) => [key, { ...rule, id, place: index + 1 }]))
  } catch (error) {
    log.warn(
      { flag: flagId, reason: reasonOf(error) },
      'a comparison starts without the history of its users',
    )
    return new Map()
  }
}

/** When the flag served several variations of one split. */
async function findSplitTimes(db: Queryable, { flagId, environmentId }: ConfigRef, now: Date) {
  const since = new Date(now.getTime() - limits.historyAge - 2 * week)
  const rows = await db
    .select({ arms: splitEpochs.arms, from: splitEpochs.startedAt, to: splitEpochs.endedAt })
    .from(splitEpochs)
    .innerJoin(splits, eq(splits.id, splitEpochs.splitId))
    .where(
      and(
        eq(splits.flagId, flagId),
        eq(splits.environmentId, environmentId),
        or(isNull(splitEpochs.endedAt), gt(splitEpochs.endedAt, since)),
      ),
    )
  return rows
    .filter(({ arms }) => arms.filter(({ weight }) => weight > 0).length > 1)
    .map(({ from, to }) => ({ from: from.getTime(), to: to?.getTime() }))
}

interface Measured {
  key: string
  most: number
  /** SQL over the events of a user, of any question of the same environment. */
  columnsIn: (question: Question) => { n: string; y: string }
}

type Known = Measured & { rule: HistoryRule }

/** A percentile is measured by the values beyond what it was in the last week of the history. */
async function measure(question: Question, metrics: readonly JudgedMetric[]): Promise<Measured[]> {
  const keyed = metrics.map(({ metric, method }) => ({ key: metric, method }))
  const slopes = await readSlopes(question.with({ from: question.to - week }), keyed)
  return keyed
    .filter(({ key, method }) => method.kind !== 'quantile' || slopes.has(key))
    .map((one) => ({
      key: one.key,
      most: unitWeightOf(one.method),
      columnsIn: (asked) => columnsOf(asked, one, slopes),
    }))
}

/** As the statement returns them. */
const names: readonly (keyof PeriodMoments)[] = [
  ...(['users', 'n', 'y', 'nn', 'ny', 'yy', 'na', 'nb', 'ya', 'yb', 'aa', 'ab', 'bb'] as const),
  ...(['earlyUsers', 'earlyN', 'earlyY'] as const),
]

/** One statement: both weeks of each user, then their products over all users. */
async function readMoments(
  question: Question,
  measured: readonly Measured[],
): Promise<{ users: number; moments: PeriodMoments[] }> {
  const isLate = `ts >= fromUnixTimestamp64Milli(${question.bind(question.to - week, 'Int64')})`
  const each = (of: (index: number) => string) => measured.map((_, index) => of(index)).join(', ')
  const products = (i: number) =>
    `toFloat64(countIf(n${i} > 0)), sum(n${i}), sum(y${i}), sum(n${i} * n${i}), sum(n${i} * y${i}), sum(y${i} * y${i}),
      sumIf(n${i} * a${i}, n${i} > 0), sumIf(n${i} * b${i}, n${i} > 0), sumIf(y${i} * a${i}, n${i} > 0), sumIf(y${i} * b${i}, n${i} > 0),
      sumIf(a${i} * a${i}, n${i} > 0), sumIf(a${i} * b${i}, n${i} > 0), sumIf(b${i} * b${i}, n${i} > 0),
      toFloat64(countIf(a${i} > 0)), sum(a${i}), sum(b${i})`
  const periods = (i: number) =>
    `sumIf(own_n${i}, late) AS n${i}, sumIf(own_y${i}, late) AS y${i}, sumIf(own_n${i}, NOT late) AS a${i}, sumIf(own_y${i}, NOT late) AS b${i}`
  const [row] = await question.read<{ users: number; sums: number[] }>(
    `SELECT toFloat64(countIf(came_late)) AS users, [${each(products)}] AS sums FROM (
      SELECT user_hash, max(late) AS came_late, ${each(periods)} FROM (
        SELECT user_hash, ${isLate} AS late, ${renderOwn(question, measured)}
        FROM ${question.events('user_hash != 0')} GROUP BY user_hash, late)
      GROUP BY user_hash)`,
  )
  const sums = row?.sums ?? []
  const moments = measured.map((_, index) => {
    const at = (name: keyof PeriodMoments) => sums[index * names.length + names.indexOf(name)] ?? 0
    return {
      ...{ users: at('users'), n: at('n'), y: at('y'), nn: at('nn'), ny: at('ny'), yy: at('yy') },
      ...{ earlyUsers: at('earlyUsers'), earlyN: at('earlyN'), earlyY: at('earlyY') },
      ...{ na: at('na'), nb: at('nb'), ya: at('ya'), yb: at('yb'), aa: at('aa'), ab: at('ab'), bb: at('bb') },
    }
  })
  return { users: row?.users ?? 0, moments }
}

/** `own_n0`, `own_y0` and so on of each user. */
function renderOwn(question: Question, measured: readonly Measured[]): string {
  const columns = measured.map(({ columnsIn, most }, i) => {
    const { whole, n, y } = cappedBy(columnsIn(question), most, `whole${i}`)
    return `${whole} AS whole${i}, ${n} AS own_n${i}, ${y} AS own_y${i}`
  })
  return columns.join(', ')
}

/** Writes one row for each user of the last week. */
async function keepHistory(
  telemetry: Services['telemetry'],
  question: Question,
  { id, known, now }: { id: string; known: readonly Known[]; now: Date },
): Promise<void> {
  const xs = known.map(({ rule }, i) => {
    const [ratio, mean] = [question.bind(rule.ratio, 'Float64'), question.bind(rule.mean, 'Float64')]
    return `if(own_n${i} > 0, (own_y${i} - ${ratio} * own_n${i}) / ${mean}, 0.)`
  })
  const place = `toUUID(${question.bind(id, 'String')}), user_hash, [${xs.join(', ')}]`
  const written = `fromUnixTimestamp64Milli(${question.bind(now.getTime(), 'Int64')})`
  const settings = [
    `max_execution_time=${limits.screenReadTimeout / 1_000}`,
    `max_memory_usage=${limits.telemetryReadMemory}`,
    ...(telemetry.standsAlone ? [] : ['distributed_foreground_insert=1']),
  ]
  await telemetry.command(
    `INSERT INTO unit_histories (environment_id, history, unit, xs, written) SETTINGS ${settings.join(', ')}
    SELECT {environment:UUID}, ${place}, ${written} FROM (
      SELECT user_hash, ${renderOwn(question, known)} FROM ${question.events('user_hash != 0')} GROUP BY user_hash)`,
    { values: { ...question.values } },
  )
}
