import type { TelltaleSummary } from '@telltale/core/contract/rollout-finding'
import { type RolloutStanding, telltaleOf } from '@telltale/core/guard/telltale-of'
import { usersSoFar } from '@telltale/core/guard/users-so-far'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { metricsOf, type NamedMetric } from '../metrics/named-metrics.ts'
import { type RolloutRow, standingOf } from './queries.ts'
import { toFinding } from './to-finding.ts'

export type MetricsByKey = ReadonlyMap<string, NamedMetric>

export async function metricsByKey(db: Queryable, projectId: string): Promise<MetricsByKey> {
  return new Map((await metricsOf({ db }, projectId)).map((one) => [one.definition.key, one]))
}

/** The summary that a flag's telltale shows. */
export function summarizeTelltale(row: RolloutRow, metrics: MetricsByKey): TelltaleSummary {
  const { splitWrong, regressed } = standingOf(row)
  const findings = row.seen?.findings ?? []
  return {
    users: usersSoFar(row.seen) ?? null,
    ...summarizeWorst({ state: row.state, splitWrong, regressed, findings }, metrics),
  }
}

export function summarizeWorst(
  standing: RolloutStanding,
  metrics: MetricsByKey,
): Pick<TelltaleSummary, 'override' | 'worst'> {
  const { override, worst } = telltaleOf(standing)
  return {
    override: override ?? null,
    worst:
      worst === undefined
        ? null
        : { ...toFinding(worst), ...namesOf(worst.metric, metrics.get(worst.metric)) },
  }
}

/** A deleted metric is shown by its key. */
function namesOf(key: string, metric: NamedMetric | undefined) {
  const { name = key, better = 'lower', unit = 'value' } = metric?.definition ?? {}
  return { name, better, measuredIn: unit, unit: metric?.unit ?? '' } as const
}
