import type { ReplyOf } from '@telltale/core/contract/call'
import type { getFlagImpact } from '@telltale/core/contract/impact'
import { problem } from '@telltale/core/errors'
import {
  builtInMetrics,
  freezeMetric,
  type MetricDefinition,
  ownMetric,
} from '@telltale/core/guard/built-in-metrics'
import type { Finding } from '@telltale/core/guard/judge-metric'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import { findMetrics } from '../metrics/queries.ts'
import type { Services } from '../services.ts'

/** The level of each drawn end where no rollout divides it. */
export const alpha = 0.05

export interface NamedMetric {
  definition: MetricDefinition
  /** Behind the values. */
  unit: string
}

export async function metricsOf({ db }: Pick<Services, 'db'>, projectId: string): Promise<NamedMetric[]> {
  const own = await findMetrics(db, projectId)
  return [
    ...builtInMetrics.map((definition) => ({ definition, unit: definition.unit === 'ms' ? 'ms' : '' })),
    ...own.map((row) => ({ definition: ownMetric({ ...row, limit: row.defaultLimit }), unit: row.unit })),
  ]
}

/** Throws `not-found`. */
export async function getMetric(
  services: Pick<Services, 'db'>,
  projectId: string,
  key: string,
): Promise<NamedMetric> {
  const metric = (await metricsOf(services, projectId)).find(({ definition }) => definition.key === key)
  if (metric === undefined) throw problem('not-found', `The project has no metric "${key}".`)
  return metric
}

/** As it is judged where no rollout has frozen it. */
export const judged = ({ definition }: NamedMetric): JudgedMetric =>
  freezeMetric(definition, { limit: definition.limit, baseRate: undefined })

type Numbers = Pick<
  NonNullable<ReplyOf<typeof getFlagImpact>['compared']>['comparisons'][number]['metrics'][number],
  'units' | 'values' | 'harm'
>

/** An end that is infinite has none. */
export function numbersOf({ units, values, harm }: Finding): Numbers {
  return {
    units,
    values: values ?? null,
    harm: harm
      ? { lower: finite(harm.lower), estimate: finite(harm.estimate), upper: finite(harm.upper) }
      : null,
  }
}

const finite = (value: number) => (Number.isFinite(value) ? value : null)
