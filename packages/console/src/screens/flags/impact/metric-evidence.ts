// What a metric of a comparison says, as the telltale puts it.

import {
  compareEvidence,
  type Evidence,
  healthyNote,
  type TelltaleState,
  telltaleOverrideOf,
  telltaleStateOf,
} from '@telltale/core/states/telltale'
import type { Comparison, ImpactMetric } from '../../../api/impact.ts'

export function isSplitWrong({ split }: Comparison): boolean {
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

/** What has a guard first, and of that the worst, as the telltale orders them. */
export function worstFirst({ comparison }: { comparison: Comparison }): ImpactMetric[] {
  return comparison.metrics.toSorted(
    (a, b) =>
      Number(b.isGuarded) - Number(a.isGuarded) ||
      compareEvidence(evidenceOf(a, comparison), evidenceOf(b, comparison)),
  )
}

/** Healthy is said more exactly where it can be. */
export function verdictNote(metric: ImpactMetric, comparison: Comparison): string | undefined {
  return healthyNote(evidenceOf(metric, comparison))
}

/** Anything of it was measured, in either arm. */
export function wasMeasured({ units }: ImpactMetric): boolean {
  return units.treatment + units.control > 0
}

/** Something is known about the change. An event that nobody met says more by its rate. */
export function hasEffect({ harm, rateBelow }: ImpactMetric): boolean {
  return harm !== null && rateBelow === null && (harm.estimate !== null || harm.lower !== null)
}

/** A change that can be drawn over time. */
export function hasEstimate(metric: ImpactMetric): boolean {
  return hasEffect(metric) && metric.harm?.estimate !== null
}
