import type { Experiment } from '@telltale/core/contract/experiments'
import type { MetricDefinition } from '@telltale/core/guard/built-in-metrics'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import type { PlacedExperiment } from './queries.ts'

/** An experiment as the API returns it. */
export async function toExperiment(db: Queryable, placed: PlacedExperiment): Promise<Experiment> {
  return renderExperiment(placed, await definitionsOf({ db }, placed.project.id))
}

/** All of the same project. */
export async function toExperiments(
  db: Queryable,
  projectId: string,
  placed: readonly PlacedExperiment[],
): Promise<Experiment[]> {
  if (placed.length === 0) return []
  const definitions = await definitionsOf({ db }, projectId)
  return placed.map((one) => renderExperiment(one, definitions))
}

function renderExperiment(
  { row, environment, flag, layer, splitRemoved, flagOff, goneVariations }: PlacedExperiment,
  definitions: readonly MetricDefinition[],
): Experiment {
  const { id, name, hypothesis, place, state, control, by, days, split, decision } = row
  const { createdBy, startedBy, endedBy, firstEpoch, lastEpoch } = row
  return {
    id,
    name,
    hypothesis,
    env: environment.key,
    flag: flag.key,
    flagName: flag.name,
    flagArchived: flag.archivedAt !== null,
    place,
    state,
    control,
    by,
    goals: row.goals.map((goal, index) => {
      const definition = definitions.find(({ key }) => key === goal.metric)
      return {
        ...goal,
        window: goal.window ?? null,
        funnel: goal.funnel ?? null,
        // A custom metric may be deleted while the experiment keeps its definition.
        name: goal.funnel?.name ?? definition?.name ?? goal.metric,
        better: row.judged?.[index]?.better ?? definition?.better ?? 'higher',
      }
    }),
    layer:
      layer === null
        ? null
        : { key: layer.key, name: layer.name, share: row.layerShare ?? 0, ranges: row.layerRanges },
    days,
    split,
    ...{ splitRemoved, flagOff, goneVariations },
    epochs: firstEpoch === null ? null : { first: firstEpoch, last: lastEpoch },
    decision,
    createdBy,
    startedBy,
    endedBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}

interface ExperimentChange {
  before?: PlacedExperiment
  after?: PlacedExperiment
  reason?: string | undefined
}

export function experimentChange(
  action: 'create' | 'update' | 'start' | 'end' | 'delete' | 'interrupt' | 'resume',
  { before, after, reason }: ExperimentChange,
): EntityChange[] {
  const one = after ?? before
  if (one === undefined) return []
  return [
    {
      action: `experiment.${action}`,
      entity: { kind: 'experiment', id: one.row.id, name: one.row.name },
      project: one.project,
      environment: one.environment,
      ...(before && { before: audited(before) }),
      ...(after && { after: audited(after) }),
      ...(reason !== undefined && reason !== '' && { reason }),
    },
  ]
}

function audited({ row, flag, layer }: PlacedExperiment) {
  const { name, hypothesis, place, control, goals, days, state, decision } = row
  return {
    ...{ flag: flag.key, name, hypothesis, place, control, goals, days, state, decision },
    ...(layer && { layer: { key: layer.key, share: row.layerShare, ranges: row.layerRanges } }),
  }
}
