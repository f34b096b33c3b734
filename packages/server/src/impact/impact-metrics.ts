import type { ReplyOf } from '@telltale/core/contract/call'
import type { getFlagImpact } from '@telltale/core/contract/impact'
import { freezeMetric } from '@telltale/core/guard/built-in-metrics'
import type { Finding } from '@telltale/core/guard/judge-metric'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import type { NamedMetric } from '../metrics/named-metrics.ts'

/** The level of each drawn end where no rollout divides it. */
export const alpha = 0.05

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
