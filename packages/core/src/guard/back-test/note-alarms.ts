// What a guard that is only tried would have done at a look: the first regression of each metric, until one rolls back.

import type { RolloutPlan } from '../rollout.ts'

export interface MetricAlarm {
  metric: string
  onRegression: 'roll-back' | 'hold' | 'notify'
}

/** Those that are new. After a roll-back there is nothing to look at. */
export function newAlarms(
  { metrics }: Pick<RolloutPlan, 'metrics'>,
  before: readonly MetricAlarm[],
  regressed: readonly string[],
): MetricAlarm[] {
  if (before.some(({ onRegression }) => onRegression === 'roll-back')) return []
  return regressed
    .filter((metric) => !before.some((alarm) => alarm.metric === metric))
    .map((metric) => ({
      metric,
      onRegression: metrics.find((one) => one.metric === metric)?.onRegression ?? 'notify',
    }))
}
