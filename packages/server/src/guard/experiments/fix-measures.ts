// How the goals of an experiment are measured from its start on. Read from recent traffic before anything is locked.

import { type BaseOfMetric, freezeMetric, type MetricDefinition } from '@telltale/core/guard/built-in-metrics'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import type { HistoryRule } from '@telltale/core/statistics/history'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { PlannedGoal } from '../../platform/engines/postgres/experiment-schema.ts'
import type { Services } from '../../platform/services.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import { readBasesOf } from '../rollouts/read-bases.ts'
import { readHistoryRules } from './history.ts'
import type { PlacedExperiment } from './queries.ts'

export interface FixedMeasures {
  /** In the order of the goals. */
  judged: JudgedMetric[]
  /** How the history of users explains them; null where it does not help. */
  rules: (HistoryRule | null)[]
}

export async function fixMeasures(
  services: Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'>,
  { row: { goals }, project, flag }: PlacedExperiment,
  environment: EnvironmentRow,
): Promise<FixedMeasures> {
  const at = { projectId: project.id, environment, flag: flag.key }
  const bases = await readBasesOf(services, { ...at, planned: goals })
  const judged = freezeGoals(goals, await definitionsOf(services, project.id), bases)
  const now = services.clock()
  return { judged, rules: await readHistoryRules(services, { environment, definitions: judged, now }) }
}

/** The accepted loss of a goal is its limit. A goal whose metric was deleted is left out. */
export function freezeGoals(
  goals: readonly PlannedGoal[],
  definitions: readonly MetricDefinition[],
  bases: ReadonlyMap<string, BaseOfMetric>,
): JudgedMetric[] {
  return goals.flatMap(({ metric, margin }) =>
    definitions
      .filter(({ key }) => key === metric)
      .map((definition) => freezeMetric(definition, { limit: margin, base: bases.get(metric) })),
  )
}
