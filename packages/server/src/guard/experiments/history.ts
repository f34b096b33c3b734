// What users did in the week before an experiment: the rule by which it explains a part of what they do afterwards, fixed
// at the start from the two weeks before, and the history of each unit, read beside the results.

import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import { type HistoryRule, type PeriodMoments, ruleOf } from '@telltale/core/statistics/history'
import { ofEveryOrigin } from '../../monitoring/explore/conditions.ts'
import { ask } from '../../monitoring/explore/question.ts'
import type { ExperimentHistory } from '../../platform/engines/postgres/experiment-schema.ts'
import { reasonOf } from '../../platform/engines/postgres/open.ts'
import type { Services } from '../../platform/services.ts'
import type { SplitQuestion } from '../evidence/split-question.ts'
import { columnsOf } from '../rollouts/read-traffic.ts'

const week = 7 * 86_400_000

interface HistoryOptions {
  environment: { id: string; timeZone: string }
  /** With the caps of totals. */
  definitions: readonly JudgedMetric[]
  now: Date
}

/** As the statement returns them. */
const names: readonly (keyof PeriodMoments)[] = [
  ...(['users', 'n', 'y', 'nn', 'ny', 'yy', 'na', 'nb', 'ya', 'yb', 'aa', 'ab', 'bb'] as const),
  ...(['earlyUsers', 'earlyN', 'earlyY'] as const),
]

/**
 * In the order of the definitions; null where history does not help. Read before anything is locked. All null if the
 * telemetry has no answer: an experiment without history is valid as well.
 */
export async function readHistoryRules(
  { telemetry, log }: Pick<Services, 'telemetry' | 'log'>,
  { environment, definitions, now }: HistoryOptions,
): Promise<(HistoryRule | null)[]> {
  try {
    const moments = await readMoments(telemetry, { environment, definitions, now })
    return definitions.map(({ method }, index) => {
      const found = moments[index]
      if (method.kind === 'quantile' || found === undefined) return null
      return ruleOf(found) ?? null
    })
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'an experiment starts without the history of its users')
    return definitions.map(() => null)
  }
}

/** One statement: both weeks of each user, then their products over all users. */
async function readMoments(
  telemetry: Services['telemetry'],
  { environment, definitions, now }: HistoryOptions,
): Promise<PeriodMoments[]> {
  const to = now.getTime()
  const { id: environmentId, timeZone } = environment
  const question = ask(telemetry, { environmentId, timeZone, from: to - 2 * week, to, filter: ofEveryOrigin })
  const isLate = `ts >= fromUnixTimestamp64Milli(${question.bind(to - week, 'Int64')})`
  const columns = definitions.map((definition) => columnsOf(question, definition))
  const each = (of: (index: number) => string) => definitions.map((_, index) => of(index)).join(', ')
  const products = (i: number) =>
    `toFloat64(countIf(n${i} > 0)), sum(n${i}), sum(y${i}), sum(n${i} * n${i}), sum(n${i} * y${i}), sum(y${i} * y${i}),
      sumIf(n${i} * a${i}, n${i} > 0), sumIf(n${i} * b${i}, n${i} > 0), sumIf(y${i} * a${i}, n${i} > 0), sumIf(y${i} * b${i}, n${i} > 0),
      sumIf(a${i} * a${i}, n${i} > 0), sumIf(a${i} * b${i}, n${i} > 0), sumIf(b${i} * b${i}, n${i} > 0),
      toFloat64(countIf(a${i} > 0)), sum(a${i}), sum(b${i})`
  const periods = (i: number) =>
    `sumIf(own_n${i}, late) AS n${i}, sumIf(own_y${i}, late AND own_n${i} > 0) AS y${i}, sumIf(own_n${i}, NOT late) AS a${i}, sumIf(own_y${i}, NOT late AND own_n${i} > 0) AS b${i}`
  const [row] = await question.read<{ sums: number[] }>(
    `SELECT [${each(products)}] AS sums FROM (
      SELECT user_hash, ${each(periods)} FROM (
        SELECT user_hash, ${isLate} AS late,
          ${each((i) => `toFloat64(${columns[i]?.n}) AS own_n${i}, toFloat64(${columns[i]?.y}) AS own_y${i}`)}
        FROM ${question.events('user_hash != 0')} GROUP BY user_hash, late)
      GROUP BY user_hash)`,
  )
  const sums = row?.sums ?? []
  return definitions.map((_, index) => {
    const at = (name: keyof PeriodMoments) => sums[index * names.length + names.indexOf(name)] ?? 0
    return {
      ...{ users: at('users'), n: at('n'), y: at('y'), nn: at('nn'), ny: at('ny'), yy: at('yy') },
      ...{ earlyUsers: at('earlyUsers'), earlyN: at('earlyN'), earlyY: at('earlyY') },
      ...{ na: at('na'), nb: at('nb'), ya: at('ya'), yb: at('yb'), aa: at('aa'), ab: at('ab'), bb: at('bb') },
    }
  })
}

export const historyUntil = (startedAt: Date): ExperimentHistory['period'] => ({
  from: new Date(startedAt.getTime() - week).toISOString(),
  to: startedAt.toISOString(),
})

interface KnownGoal {
  metric: JudgedMetric
  rule: HistoryRule
}

/** A statement for `unit` and `xs`, in the order of the goals. Units are those of `targetingKey`. */
export function renderHistory(
  { bind, ofEnvironment }: Pick<SplitQuestion, 'bind' | 'ofEnvironment'>,
  { from, to }: ExperimentHistory['period'],
  goals: readonly KnownGoal[],
): string {
  const at = (instant: string) => `fromUnixTimestamp64Milli(${bind(Date.parse(instant), 'Int64')})`
  const history = goals.map(({ metric, rule }) => {
    const { n, y } = columnsOf({ bind }, metric)
    const [ratio, mean] = [bind(rule.ratio, 'Float64'), bind(rule.mean, 'Float64')]
    return `if(toFloat64(${n}) > 0, (toFloat64(${y}) - ${ratio} * toFloat64(${n})) / ${mean}, 0.)`
  })
  return `SELECT user_hash AS unit, [${history.join(', ')}]::Array(Float64) AS xs
    FROM events
    WHERE ${ofEnvironment} AND bot = 0 AND user_hash != 0 AND ts >= ${at(from)} AND ts < ${at(to)}
    GROUP BY user_hash`
}
