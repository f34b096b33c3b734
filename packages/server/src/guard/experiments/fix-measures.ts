// How the goals of an experiment are measured from its start on. Read from recent traffic before anything is locked.

import { type BaseOfMetric, freezeMetric, type MetricDefinition } from '@telltale/core/guard/built-in-metrics'
import { funnelMethod, isWindowed, type JudgedGoal } from '@telltale/core/guard/experiment/judged-goal'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { PlannedGoal } from '../../platform/engines/postgres/experiment-schema.ts'
import type { Services } from '../../platform/services.ts'
import { getConfig } from '../../release/flags/queries.ts'
import { savedAt } from '../../release/flags/splits.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import { fixHistory } from '../rollouts/fix-history.ts'
import { readBasesOf } from '../rollouts/read-bases.ts'
import type { PlacedExperiment } from './queries.ts'
import { readFunnelRates } from './read-funnel-rates.ts'

/** In the order of the goals. */
export async function fixMeasures(
  services: Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'>,
  { row, project, flag }: PlacedExperiment,
  environment: EnvironmentRow,
): Promise<JudgedGoal[]> {
  const { goals } = row
  const at = { projectId: project.id, environment, flag: flag.key }
  const bases = await readBasesOf(services, { ...at, planned: goals })
  const rates = await readFunnelRates(services, { ...at, goals })
  const judged = freezeGoals(goals, await definitionsOf(services, project.id), new Map([...bases, ...rates]))
  // With a window, users enter at the same age: their history is not used.
  const plain = judged.filter((goal) => !isWindowed(goal))
  const { by } = savedAt(await getConfig(services.db, row), row.place) ?? { by: '' }
  const histories = await fixHistory(services, {
    ...{ environment, by },
    flagId: row.flagId,
    metrics: plain,
    now: services.clock(),
  })
  return judged.map((goal) =>
    plain.includes(goal) ? { ...goal, history: histories.get(goal.metric) } : goal,
  )
}

/** The accepted loss of a goal is its limit. A goal whose metric was deleted is left out. */
export function freezeGoals(
  goals: readonly PlannedGoal[],
  definitions: readonly MetricDefinition[],
  bases: ReadonlyMap<string, BaseOfMetric>,
): JudgedGoal[] {
  return goals.flatMap(({ metric, margin, window, funnel }) => {
    const definition =
      funnel === undefined ? definitions.find(({ key }) => key === metric) : funnelMetric(metric)
    if (definition === undefined) return []
    return [
      {
        ...freezeMetric(definition, { limit: margin, base: bases.get(metric) }),
        ...(window !== undefined && { window }),
        ...(funnel !== undefined && { steps: funnel.steps }),
      },
    ]
  })
}

const funnelMetric = (key: string) => ({
  key,
  method: funnelMethod,
  better: 'higher' as const,
  alphaWeight: 1,
})
