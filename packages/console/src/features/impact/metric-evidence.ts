// The state of a metric in the comparison, in the telltale's terms.

import {
  compareEvidence,
  type Evidence,
  healthyNote,
  type TelltaleState,
  telltaleOverrideOf,
  telltaleStateOf,
} from '@telltale/core/states/telltale'
import type { Comparison, ImpactMetric } from '../../api/impact.ts'

export function isSplitWrong({ split }: Pick<Comparison, 'split'>): boolean {
  return split !== 'as-designed'
}

export function evidenceOf({ harm, limit, state }: ImpactMetric, comparison: Comparison): Evidence {
  return {
    est: harm?.estimate ?? Number.NaN,
    lo: harm?.lower ?? Number.NEGATIVE_INFINITY,
    hi: harm?.upper ?? Number.POSITIVE_INFINITY,
    limit,
    override: telltaleOverrideOf({
      isGuarded: true,
      wasRolledBack: false,
      isWaiting: state === 'collecting' || state === 'gone',
      isSplitWrong: isSplitWrong(comparison),
      hasRegressed: state === 'regressed',
    }),
  }
}

export function stateOf(metric: ImpactMetric, comparison: Comparison): TelltaleState {
  return telltaleStateOf(evidenceOf(metric, comparison))
}

/** Guarded metrics first, worst first, in the telltale's order. */
export function worstFirst({ comparison }: { comparison: Comparison }): ImpactMetric[] {
  return comparison.metrics.toSorted(
    (a, b) =>
      Number(b.isGuarded) - Number(a.isGuarded) ||
      compareEvidence(evidenceOf(a, comparison), evidenceOf(b, comparison)),
  )
}

/** More precise than "healthy" where possible. */
export function verdictNote(metric: ImpactMetric, comparison: Comparison): string | undefined {
  return healthyNote(evidenceOf(metric, comparison))
}

/** Either variation has data. */
export function wasMeasured({ units }: ImpactMetric): boolean {
  return units.treatment + units.control > 0
}

/** There is an estimate of the change. For an event without occurrences, its rate is more informative. */
export function hasEffect({ harm, rateBelow }: ImpactMetric): boolean {
  return harm !== null && rateBelow === null && (harm.estimate !== null || harm.lower !== null)
}

/** The change can be drawn over time. */
export function hasEstimate(metric: ImpactMetric): boolean {
  return hasEffect(metric) && metric.harm?.estimate !== null
}
