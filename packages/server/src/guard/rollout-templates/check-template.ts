import type { RolloutTemplate } from '@telltale/core/contract/rollout-templates'
import { problem } from '@telltale/core/errors'
import type { MetricDefinition } from '@telltale/core/guard/built-in-metrics'
import { faultsOfMetrics, faultsOfStages } from '@telltale/core/guard/plan-faults'
import { limits } from '@telltale/core/limits'

/** Throws `invalid-rollout` with every fault. */
export function checkTemplate(
  { stages, metrics }: Pick<RolloutTemplate, 'stages' | 'metrics'>,
  definitions: readonly Pick<MetricDefinition, 'key' | 'better'>[],
): void {
  const errors = [...faultsOfStages(stages, limits.weightTotal), ...faultsOfMetrics(metrics, definitions)]
  if (errors.length > 0) throw problem('invalid-rollout', { errors })
}
