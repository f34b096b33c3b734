import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { getFlagImpactSlices } from '@telltale/core/contract/impact'
import { judgeMetric } from '@telltale/core/guard/judge-metric'
import { limits } from '@telltale/core/limits'
import type { Services } from '../../platform/services.ts'
import type { ConfigRef } from '../../release/flags/queries.ts'
import { cutBySlice, findSlices, type SlicesOptions } from '../evidence/cut-by-slice.ts'
import { findLeftOut } from '../evidence/leave-out.ts'
import { readCuts } from '../evidence/read-cuts.ts'
import { questionOfSplit } from '../evidence/split-question.ts'
import { measuresOf } from '../evidence/unit-sums.ts'
import { getArms } from './find-arms.ts'
import { getJudged, numbersOf } from './impact-metrics.ts'

interface GetImpactSlicesOptions {
  projectId: string
  ref: ConfigRef
  query: QueryOf<typeof getFlagImpactSlices>
  now: Date
}

export async function getImpactSlices(
  { db, telemetry }: Pick<Services, 'db' | 'telemetry'>,
  { projectId, ref, query: { metric: key, by, ...requested }, now }: GetImpactSlicesOptions,
): Promise<ReplyOf<typeof getFlagImpactSlices>> {
  const { chosen, arms } = await getArms({ db }, ref, requested)
  const { named, metric, alpha, beta } = await getJudged({ db }, { projectId, metric: key }, chosen)
  const { method } = metric
  const to = now.getTime()
  const slices: SlicesOptions = {
    by,
    from: Math.max(chosen.startedAt.getTime(), to - limits.impactSliceSpan),
    to,
  }
  const measures = method.kind === 'quantile' ? [method.measure] : measuresOf(method)
  const values = await findSlices(questionOfSplit(telemetry, arms), slices, {
    measures,
    limit: limits.impactSlices,
  })
  const leftOut = await findLeftOut(questionOfSplit(telemetry, arms), [metric.method])
  const question = { ...questionOfSplit(telemetry, arms), leftOut }
  const evidence = await readCuts(question, cutBySlice(question, slices, values), metric)
  // The confidence level holds for all slices together, so each gets its part of the error rate.
  const levels = { alpha: alpha / Math.max(1, values.length), beta: beta / Math.max(1, values.length) }
  return {
    metric: key,
    better: metric.better,
    measuredIn: named.definition.unit,
    unit: named.unit,
    ...levels,
    from: new Date(slices.from).toISOString(),
    items: values.flatMap((value, index) => {
      const found = evidence[index]
      if (found === undefined) return []
      return [{ value, ...numbersOf(judgeMetric(metric, found, { ...levels, nextShare: 1 })) }]
    }),
  }
}
