import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { getFlagEvaluations } from '@telltale/core/contract/evaluations'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { readInstant } from '../../platform/http/instant.ts'
import { type EvaluationPoint, findEvaluatedPeriods, findPoints } from '../flags/evaluation-queries.ts'

type Series = ReplyOf<typeof getFlagEvaluations>['series'][number]

const spans = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }
/** Default number of steps to look back. */
const defaultSteps = { minute: 60, hour: 24, day: 30 }

/** The number of evaluations of a flag in an environment, by outcome and time step. */
export async function getEvaluations(
  db: Queryable,
  ref: { flagId: string; environmentId: string },
  { query, now }: { query: QueryOf<typeof getFlagEvaluations>; now: Date },
): Promise<ReplyOf<typeof getFlagEvaluations>> {
  const range = readRange(query, now)
  const periods = await findEvaluatedPeriods(db, [ref.flagId])
  const period = periods.find(({ environmentId }) => environmentId === ref.environmentId)
  const series = toSeries(await findPoints(db, ref, range))

  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    step: range.step,
    total: series.reduce((total, each) => total + each.total, 0),
    firstEvaluatedAt: period?.firstAt.toISOString() ?? null,
    lastEvaluatedAt: period?.lastAt.toISOString() ?? null,
    series,
  }
}

/** Starts at a whole step. */
function readRange({ from, to, step = 'hour' }: QueryOf<typeof getFlagEvaluations>, now: Date) {
  const span = spans[step]
  const end = to === undefined ? now : readInstant(to, '?to')
  const requested =
    from === undefined
      ? end.getTime() - (defaultSteps[step] - 1) * span
      : readInstant(from, '?from').getTime()
  const start = Math.floor(requested / span) * span

  const steps = (end.getTime() - start) / span
  const refuse = (message: string) => problem('invalid-request', { errors: [{ pointer: '?from', message }] })
  if (steps <= 0) throw refuse('must be before `to`')
  if (steps > limits.evaluationPoints) {
    throw refuse(`must be at most ${limits.evaluationPoints} steps before \`to\`: choose a longer step`)
  }
  return { from: new Date(start), to: end, step }
}

function toSeries(points: readonly EvaluationPoint[]): Series[] {
  const byOutcome = new Map<string, Series>()
  for (const { variation, reason, at, count } of points) {
    const key = `${variation} ${reason}`
    const series = byOutcome.get(key) ?? { variation, reason, total: 0, points: [] }
    series.total += count
    series.points.push({ at: at.toISOString(), count })
    byOutcome.set(key, series)
  }
  return [...byOutcome.values()].sort((a, b) => b.total - a.total)
}
