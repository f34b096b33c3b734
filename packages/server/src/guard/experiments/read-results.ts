// The comparison of an experiment's arms by its goals, from the same evidence as a rollout's.

import type { ExperimentResults, GoalResult } from '@telltale/core/contract/experiments'
import { problem } from '@telltale/core/errors'
import { capOf } from '@telltale/core/guard/built-in-metrics'
import { goalLevels } from '@telltale/core/guard/experiment/goal-levels'
import { judgeGoal } from '@telltale/core/guard/experiment/judge-goal'
import { findMissingPeople } from '@telltale/core/guard/missing-people'
import type { Services } from '../../platform/services.ts'
import { checkOf, splitState } from '../evidence/check-split.ts'
import { qualityOf } from '../evidence/quality-of.ts'
import { readEvidence, type SplitEvidence } from '../evidence/read-evidence.ts'
import type { ComparedArms } from '../evidence/split-question.ts'
import { metricsOf, type NamedMetric } from '../metrics/named-metrics.ts'
import { toComparisonQuality, toInterval, toMetricQuality } from '../rollouts/to-finding.ts'
import { type CountedEpoch, findCountedEpochs, type PlacedExperiment } from './queries.ts'
import { readDays } from './read-days.ts'
import { type Adjusted, readWithHistory } from './read-with-history.ts'

type Needed = Pick<Services, 'db' | 'telemetry' | 'clock'>

/** Throws `wrong-state` before the start. */
export async function readResults(
  services: Needed,
  placed: PlacedExperiment,
  timeZone: string,
): Promise<ExperimentResults> {
  const { row } = placed
  if (row.results !== null) return row.results
  const { judged, split } = row
  if (judged === null || split === null) throw problem('wrong-state', 'The experiment has not started.')
  const epochs = await findCountedEpochs(services.db, row)
  const metrics = await metricsOf(services, placed.project.id)
  const compared = armsOf(placed, split, epochs)
  const levels = goalLevels({ goals: judged.length, treatments: compared.length })
  const arms: ExperimentResults['arms'] = []
  // Sequentially, to spare the shared engine.
  for (const pair of compared) {
    const evidence = await readEvidence(services.telemetry, pair, judged)
    const past = await readWithHistory(services.telemetry, pair, { placed, judged, evidence })
    arms.push(comparePair(pair, evidence, { placed, judged, metrics, levels, past }))
  }
  return {
    at: services.clock().toISOString(),
    arms,
    days: await readDays(services.telemetry, { ...placed, split, epochs, timeZone }),
  }
}

/**
 * Every treatment of the start with the control, over all epochs that served both. A variation that was added later is
 * not compared: it would take its part of the error rate from the others.
 */
function armsOf(
  { row, environment }: PlacedExperiment,
  split: string,
  epochs: readonly CountedEpoch[],
): ComparedArms[] {
  const served = (epochs[0]?.arms ?? []).filter(({ weight }) => weight > 0)
  const treatments = served.map(({ variation }) => variation).filter((one) => one !== row.control)
  return treatments.map((treatment) => ({
    environmentId: environment.id,
    split,
    treatment,
    control: row.control,
    epochs: epochs.map(({ epoch, startedAt, arms }) => {
      const weightOf = (key: string) => arms.find(({ variation }) => variation === key)?.weight ?? 0
      const [treated, kept] = [weightOf(treatment), weightOf(row.control)]
      return { epoch, startedAt, share: treated + kept > 0 ? treated / (treated + kept) : 0 }
    }),
  }))
}

interface Compared {
  placed: PlacedExperiment
  judged: NonNullable<PlacedExperiment['row']['judged']>
  metrics: readonly NamedMetric[]
  levels: readonly number[]
  /** In the order of the goals; undefined where history does not help. */
  past: readonly (Adjusted | undefined)[]
}

function comparePair(
  pair: ComparedArms,
  { exposures, heard, metrics: evidence }: SplitEvidence,
  { placed, judged, metrics, levels, past }: Compared,
): ExperimentResults['arms'][number] {
  const missing = findMissingPeople({ exposures: exposures.stages, heard })
  const goals = judged.map((metric, index): GoalResult => {
    const level = levels[index] ?? 0
    const plain = judgeGoal(metric, evidence[index] ?? { kind: 'gone' }, { level, missing })
    const adjusted = past[index]
    const found =
      adjusted === undefined
        ? plain
        : { ...judgeGoal(metric, adjusted.evidence, { level, missing }), values: plain.values }
    const named = metrics.find(({ definition }) => definition.key === metric.metric)
    return {
      metric: metric.metric,
      name: named?.definition.name ?? metric.metric,
      better: metric.better,
      measuredIn: named?.definition.unit ?? 'value',
      unit: named?.unit ?? '',
      gain: placed.row.goals[index]?.gain ?? 0,
      margin: metric.limit,
      verdict: found.verdict,
      missing: found.missing ?? null,
      units: found.units,
      values: found.values ?? null,
      change: found.change ? toInterval(found.change) : null,
      level,
      saved: adjusted?.saved ?? null,
      cap: capOf(metric.method) ?? null,
      quality: toMetricQuality(found.quality),
    }
  })
  return {
    treatment: pair.treatment,
    units: exposures.units,
    crossed: exposures.crossed,
    split: splitState(exposures.stages, heard),
    check: checkOf(exposures.stages, pair),
    quality: toComparisonQuality(qualityOf({ exposures, heard })),
    goals,
  }
}
