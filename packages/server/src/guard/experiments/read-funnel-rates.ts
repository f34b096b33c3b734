// How many of the users who read a flag recently completed the funnel of a goal: selects its method before the first look,
// and plans its users.

import type { BaseOfMetric } from '@telltale/core/guard/built-in-metrics'
import { limits } from '@telltale/core/limits'
import { ofEveryOrigin } from '../../monitoring/explore/conditions.ts'
import { askIn } from '../../monitoring/explore/open-question.ts'
import { measureFunnel } from '../../monitoring/funnels/measure-funnel.ts'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { PlannedGoal } from '../../platform/engines/postgres/experiment-schema.ts'
import { reasonOf } from '../../platform/engines/postgres/open.ts'
import type { Services } from '../../platform/services.ts'

const day = 86_400_000

interface RatesOf {
  environment: EnvironmentRow
  flag: string
  goals: readonly PlannedGoal[]
}

/** By key of the goal. Empty if telemetry has no answer: then each is judged as a rare share, which is valid. */
export async function readFunnelRates(
  {
    db,
    telemetry,
    clock,
    log,
  }: Pick<Services, 'db' | 'telemetry' | 'clock'> & Partial<Pick<Services, 'log'>>,
  { environment, flag, goals }: RatesOf,
): Promise<ReadonlyMap<string, BaseOfMetric>> {
  const wanted = goals.flatMap(({ metric, window, funnel }) =>
    funnel ? [{ metric, window, ...funnel }] : [],
  )
  if (wanted.length === 0) return new Map()
  const to = clock().getTime()
  const scope = { from: to - limits.rolloutTrafficDays * day, to, filter: ofEveryOrigin }
  try {
    const question = await askIn({ db, telemetry }, environment, {
      ...scope,
      isAboutIssues: wanted.some(({ steps }) => steps.includes('issue')),
    })
    const reads = `arrayExists(x -> startsWith(x, ${question.bind(`${flag}=`, 'String')}), flags)`
    const [people] = await question.read<{ reading: number; everyone: number }>(
      `SELECT toFloat64(uniqIf(user_hash, ${reads})) AS reading, toFloat64(uniq(user_hash)) AS everyone
      FROM ${question.events('user_hash != 0')}`,
    )
    const users = people === undefined ? 0 : people.reading || people.everyone
    const rates = new Map<string, BaseOfMetric>()
    for (const { metric, window, steps } of wanted) {
      const found = await measureFunnel(question.with({}), { steps, ...(window !== undefined && { window }) })
      const done = found.steps.at(-1)?.count ?? 0
      if (users > 0) rates.set(metric, { rate: Math.min(1, done / users) })
    }
    return rates
  } catch (error) {
    log?.warn({ flag, reason: reasonOf(error) }, 'a funnel starts without its recent share')
    return new Map()
  }
}
