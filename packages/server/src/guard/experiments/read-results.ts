// The comparison of an experiment's arms by its goals, from the same evidence as a rollout's.

import type { ExperimentResults, GoalResult } from '@telltale/core/contract/experiments'
import { problem } from '@telltale/core/errors'
import { capOf } from '@telltale/core/guard/built-in-metrics'
import { goalLevels } from '@telltale/core/guard/experiment/goal-levels'
import { judgeGoal } from '@telltale/core/guard/experiment/judge-goal'
import { isWindowed, type JudgedGoal } from '@telltale/core/guard/experiment/judged-goal'
import type { MetricEvidence } from '@telltale/core/guard/judge-metric'
import { findMissingPeople } from '@telltale/core/guard/missing-people'
import type { ArmName } from '@telltale/core/statistics/sums'
import type { Services } from '../../platform/services.ts'
import { checkOf, splitState } from '../evidence/check-split.ts'
import { qualityOf } from '../evidence/quality-of.ts'
import { readEvidence, type SplitEvidence } from '../evidence/read-evidence.ts'
import type { ComparedArms } from '../evidence/split-question.ts'
import { metricsOf, type NamedMetric } from '../metrics/named-metrics.ts'
import { toComparisonQuality, toInterval, toMetricQuality } from '../rollouts/to-finding.ts'
import { type CountedEpoch, findCountedEpochs, type PlacedExperiment } from './queries.ts'
import { readCurrencies, withoutMixed } from './read-currencies.ts'
import { readDays } from './read-days.ts'
import { evidenceOfWindow, readWindows } from './read-windows.ts'

type Needed = Pick<Services, 'db' | 'telemetry' | 'clock'>

/** Throws `wrong-state` before the start. */
export async function readResults(
  services: Needed,
  placed: PlacedExperiment,
  timeZone: string,
): Promise<ExperimentResults> {
  const { row } = placed
  if (row.results !== null) return completed(row.results)
  const { judged, split } = row
  if (judged === null || split === null) throw problem('wrong-state', 'The experiment has not started.')
  const now = services.clock()
  const epochs = await findCountedEpochs(services.db, row)
  const metrics = await metricsOf(services, placed.project.id)
  const compared = armsOf(placed, split, epochs)
  const levels = goalLevels({ goals: judged.length, treatments: compared.length })
  const arms: ExperimentResults['arms'] = []
  const environment = { id: placed.environment.id, timeZone }
  const windows = await readWindows(services, { environment, split, epochs, goals: judged, now })
  // Sequentially, to spare the shared engine.
  for (const pair of compared) {
    const { evidence, waiting } = await readPair(services.telemetry, pair, { judged, windows })
    const arm = comparePair(pair, evidence, { goals: row.goals, judged, metrics, levels, waiting })
    const currencies = await readCurrencies(services.telemetry, pair, judged)
    arms.push({ ...arm, goals: withoutMixed(arm.goals, currencies) })
  }
  return {
    at: now.toISOString(),
    arms,
    days: await readDays(services.telemetry, { ...placed, split, epochs, timeZone }),
  }
}

/** Results that were kept before goals had windows and currencies. */
const completed = (results: ExperimentResults): ExperimentResults => ({
  ...results,
  arms: results.arms.map((arm) => ({
    ...arm,
    goals: arm.goals.map((goal) => ({
      ...{ window: null, funnel: null, waiting: null, currencies: [] },
      ...goal,
    })),
  })),
})

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

/** The evidence of all goals, with and without a window, in their order. */
async function readPair(
  telemetry: Needed['telemetry'],
  pair: ComparedArms,
  { judged, windows }: { judged: readonly JudgedGoal[]; windows: Awaited<ReturnType<typeof readWindows>> },
): Promise<{ evidence: SplitEvidence; waiting: Compared['waiting'] }> {
  const plain = judged.filter((goal) => !isWindowed(goal))
  const read = await readEvidence(telemetry, pair, plain)
  const found = judged.map((goal, index) => {
    const rows = windows[index]
    return rows === undefined ? undefined : evidenceOfWindow(goal, rows, pair)
  })
  const metrics = judged.map(
    (goal, index): MetricEvidence =>
      found[index]?.evidence ?? read.metrics[plain.indexOf(goal)] ?? { kind: 'gone' },
  )
  return { evidence: { ...read, metrics }, waiting: found.map((one) => one?.waiting) }
}

interface Compared {
  /** As drafted. */
  goals: PlacedExperiment['row']['goals']
  judged: NonNullable<PlacedExperiment['row']['judged']>
  metrics: readonly NamedMetric[]
  levels: readonly number[]
  /** Units whose window is not over; undefined without a window. */
  waiting: readonly (Record<ArmName, number> | undefined)[]
}

/** The result of one treatment. */
export function comparePair(
  pair: ComparedArms,
  { exposures, heard, metrics: evidence }: SplitEvidence,
  { goals: drafted, judged, metrics, levels, waiting }: Compared,
): ExperimentResults['arms'][number] {
  const missing = findMissingPeople({ exposures: exposures.stages, heard })
  const goals = judged.map((metric, index): GoalResult => {
    const level = levels[index] ?? 0
    const found = judgeGoal(metric, evidence[index] ?? { kind: 'gone' }, { level, missing })
    const named = metrics.find(({ definition }) => definition.key === metric.metric)
    const { gain = 0, funnel = null } = drafted[index] ?? {}
    return {
      metric: metric.metric,
      name: funnel?.name ?? named?.definition.name ?? metric.metric,
      better: metric.better,
      measuredIn: funnel === null ? (named?.definition.unit ?? 'value') : 'share',
      unit: named?.unit ?? '',
      gain,
      margin: metric.limit,
      window: metric.window ?? null,
      funnel,
      waiting: waiting[index] ?? null,
      verdict: found.verdict,
      missing: found.missing ?? null,
      units: found.units,
      values: found.values ?? null,
      change: found.change ? toInterval(found.change) : null,
      level,
      saved: found.saved ?? null,
      currencies: [],
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
