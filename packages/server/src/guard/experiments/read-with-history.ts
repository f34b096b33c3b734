// The evidence of goals whose users have a history, with what it explains taken out.

import type { MetricEvidence } from '@telltale/core/guard/judge-metric'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import { withHistory } from '@telltale/core/statistics/history'
import { estimateRatio } from '@telltale/core/statistics/ratio-effect'
import type { Services } from '../../platform/services.ts'
import { measureRows } from '../evidence/own-events.ts'
import type { SplitEvidence } from '../evidence/read-evidence.ts'
import { type ComparedArms, questionOfSplit } from '../evidence/split-question.ts'
import { type CountedMethod, columnsOf, measuresOf, readUnitSums, wholeSums } from '../evidence/unit-sums.ts'
import { renderHistory } from './history.ts'
import type { PlacedExperiment } from './queries.ts'

export interface Adjusted {
  evidence: MetricEvidence
  /** The share of users that history saves. */
  saved: number
}

interface Read {
  placed: PlacedExperiment
  judged: readonly JudgedMetric[]
  evidence: SplitEvidence
}

/** In the order of the goals; undefined where history does not help, or units were left out. */
export async function readWithHistory(
  telemetry: Services['telemetry'],
  pair: ComparedArms,
  { placed, judged, evidence }: Read,
): Promise<(Adjusted | undefined)[]> {
  const { history } = placed.row
  const goals = judged.flatMap((metric, index) => {
    const [rule, found] = [history?.rules[index], evidence.metrics[index]]
    const { method } = metric
    if (rule == null || found?.kind !== 'ratio' || !isCounted(method) || hasLeftOut(found)) return []
    return [{ index, metric, rule, method, unitsWithEvent: found.unitsWithEvent }]
  })
  const none = judged.map(() => undefined)
  if (history == null || goals.length === 0) return none

  const question = questionOfSplit(telemetry, pair)
  const measures = [...new Set(goals.flatMap(({ method }) => measuresOf(method)))]
  const columns = goals.map(({ method }) => columnsOf(question, method, wholeSums(question)))
  const known = renderHistory(question, history.period, goals)
  const read = await readUnitSums(question, {
    rows: measureRows(question, measures),
    columns,
    history: known,
  })
  const adjusted = new Map<number, Adjusted>()
  for (const [place, { index, rule, unitsWithEvent }] of goals.entries()) {
    const found = read[place]
    if (found?.history === undefined) continue
    const sums = withHistory(found.sums, found.history, rule.coefficient)
    const [plain, less] = [estimateRatio(found.sums), estimateRatio(sums)]
    if ('missing' in plain || 'missing' in less) continue
    adjusted.set(index, {
      evidence: { kind: 'ratio', sums, unitsWithEvent },
      saved: Math.max(0, 1 - less.effect.variance / plain.effect.variance),
    })
  }
  return judged.map((_, index) => adjusted.get(index))
}

const isCounted = (method: JudgedMetric['method']): method is CountedMethod => method.kind !== 'quantile'

function hasLeftOut({ sums: { stages } }: Extract<MetricEvidence, { kind: 'ratio' }>): boolean {
  return stages.some(
    ({ treatment, control }) => (treatment.use?.leftOut ?? 0) + (control.use?.leftOut ?? 0) > 0,
  )
}
