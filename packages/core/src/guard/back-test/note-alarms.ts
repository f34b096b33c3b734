// The alarms of a back-tested guard at a look: the first regression of each metric, until one rolls back.

import type { RolloutPlan } from '../rollout.ts'

export interface MetricAlarm {
  metric: string
  onRegression: 'roll-back' | 'hold' | 'notify'
}

/** The new ones. There are none after a rollback. */
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
