import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { getFlagImpactHistory } from '@telltale/core/contract/impact'
import { judgeMetric } from '@telltale/core/guard/judge-metric'
import { limits } from '@telltale/core/limits'
import type { Services } from '../../platform/services.ts'
import type { ConfigRef } from '../../release/flags/queries.ts'
import { cutByTime } from '../evidence/cut-by-time.ts'
import { findLeftOut } from '../evidence/leave-out.ts'
import { readCuts } from '../evidence/read-cuts.ts'
import { questionOfSplit } from '../evidence/split-question.ts'
import { getArms } from './find-arms.ts'
import { getJudged, numbersOf } from './impact-metrics.ts'

interface GetImpactHistoryOptions {
  projectId: string
  ref: ConfigRef
  query: QueryOf<typeof getFlagImpactHistory>
  now: Date
}

export async function getImpactHistory(
  { db, telemetry }: Pick<Services, 'db' | 'telemetry'>,
  { projectId, ref, query: { metric: key, ...requested }, now }: GetImpactHistoryOptions,
): Promise<ReplyOf<typeof getFlagImpactHistory>> {
  const { chosen, arms } = await getArms({ db }, ref, requested)
  const { named, metric, alpha, beta } = await getJudged({ db }, { projectId, metric: key }, chosen)
  const instants = spread(
    chosen.startedAt.getTime(),
    Math.min(now.getTime(), chosen.endedAt?.getTime() ?? Infinity),
  )
  const leftOut = await findLeftOut(questionOfSplit(telemetry, arms), [metric.method])
  const question = { ...questionOfSplit(telemetry, arms), leftOut }
  const evidence = await readCuts(question, cutByTime(question, instants), metric)
  return {
    metric: key,
    better: metric.better,
    measuredIn: named.definition.unit,
    unit: named.unit,
    limit: metric.limit,
    alpha,
    beta,
    points: instants.flatMap((at, index) => {
      const found = evidence[index]
      if (found === undefined) return []
      const numbers = numbersOf(judgeMetric(metric, found, { alpha, beta, nextShare: 1 }))
      return [{ at: new Date(at).toISOString(), ...numbers }]
    }),
  }
}

/** Equal steps; the last one is the end. */
function spread(from: number, to: number): number[] {
  const step = Math.max(1, (to - from) / limits.impactPoints)
  return Array.from({ length: limits.impactPoints }, (_, index) => Math.round(from + step * (index + 1)))
}
