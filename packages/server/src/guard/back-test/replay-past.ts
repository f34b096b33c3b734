// Applies a proposed plan to past rollouts with the real data of their arms: when it would have rolled back,
// beside what happened. If the data of that time is no longer kept, this is reported instead of judging a part
// of it.

import type { PastRollout } from '@telltale/core/contract/rollout-back-test'
import { Problem } from '@telltale/core/errors'
import { type MetricAlarm, newAlarms } from '@telltale/core/guard/back-test/note-alarms'
import { readEventMeasure } from '@telltale/core/guard/event-measure'
import { judgeAll } from '@telltale/core/guard/judge-all'
import type { MetricEvidence } from '@telltale/core/guard/judge-metric'
import { limits } from '@telltale/core/limits'
import { cutsOfEnvironment } from '../../intake/retention/days-of.ts'
import type { Services } from '../../platform/services.ts'
import { cutByTime } from '../evidence/cut-by-time.ts'
import { readExposures } from '../evidence/exposures.ts'
import { isFiltered } from '../evidence/own-events.ts'
import { readCuts } from '../evidence/read-cuts.ts'
import { type ComparedArms, questionOfSplit, questionOfSplits } from '../evidence/split-question.ts'
import {
  findEvidenceEpochs,
  findFinished,
  findStageSteps,
  type PlacedRollout,
  type StageStep,
  stageAt,
} from '../rollouts/queries.ts'
import type { Trial } from './find-trial.ts'

type Needed = Pick<Services, 'db' | 'telemetry' | 'clock'>

/** Newest first, sequentially, until the client disconnects. */
export async function* replayPast(
  services: Needed,
  trial: Trial,
  isGone: () => boolean,
): AsyncGenerator<PastRollout> {
  const begun = performance.now()
  const found = await findFinished(services.db, trial.environment.id, limits.backTestRollouts)
  const steps = await findStageSteps(
    services.db,
    found.map(({ row }) => row.id),
  )
  for (const placed of found) {
    if (isGone()) return
    const own = steps.filter(({ rolloutId }) => rolloutId === placed.row.id)
    const isLate = performance.now() - begun > limits.backTestPastTime
    const replayed: Replayed = isLate
      ? { missing: 'time', alarms: [] }
      : await replay(services, { trial, placed, steps: own })
    yield { ...whatHappened(placed, own), ...replayed }
  }
}

function whatHappened({ row, flag }: PlacedRollout, steps: readonly StageStep[]) {
  const last = steps.at(-1)
  return {
    rollout: row.id,
    flag: flag.key,
    treatment: row.treatment,
    state: row.state,
    startedAt: (row.startedAt ?? row.createdAt).toISOString(),
    endedAt: (row.endedAt ?? row.updatedAt).toISOString(),
    stage: last?.stage ?? 0,
    stages: row.draft.stages.length,
    by: last?.byName ?? null,
    metric: last?.metric ?? null,
  }
}

type Replayed = Pick<PastRollout, 'missing' | 'alarms'>

interface ReplayOptions {
  trial: Trial
  placed: PlacedRollout
  steps: readonly StageStep[]
}

async function replay(services: Needed, requested: ReplayOptions): Promise<Replayed> {
  try {
    const arms = await armsOf(services, requested.placed)
    const missing = arms === undefined ? 'nobody' : await findMissing(services, { ...requested, arms })
    if (arms === undefined || missing !== undefined) return { missing: missing ?? 'nobody', alarms: [] }
    return { missing: null, alarms: await findAlarms(services, { ...requested, arms }) }
  } catch (error) {
    const isRefused =
      error instanceof Problem && ['engine-unavailable', 'query-too-large'].includes(error.code)
    if (isRefused) return { missing: 'unreadable', alarms: [] }
    throw error
  }
}

async function armsOf({ db }: Needed, { row }: PlacedRollout): Promise<ComparedArms | undefined> {
  const epochs = await findEvidenceEpochs(db, row)
  const { environmentId, split, treatment, control } = row
  return split === null || epochs.length === 0
    ? undefined
    : { environmentId, split, epochs, treatment, control }
}

/** A replay needs this share of the units that the guard counted at the time; with fewer, some data has expired. */
const keptShare = 0.9

async function findMissing(
  { telemetry, clock }: Needed,
  { trial, placed: { row }, arms }: ReplayOptions & { arms: ComparedArms },
): Promise<NonNullable<Replayed['missing']> | undefined> {
  const [exposures] = await readExposures(questionOfSplits(telemetry, [arms]))
  const count = ({ treatment, control }: { treatment: number; control: number }) => treatment + control
  const here = exposures === undefined ? 0 : count(exposures.units)
  const then = row.seen === null ? 0 : count(row.seen.units)
  if (here < then * keptShare) return 'retention'
  if (here === 0) return 'nobody'
  const { events } = cutsOfEnvironment(trial.environment, clock())
  const isFromEvents = trial.metrics.some(
    ({ method }) =>
      isFiltered(method.measure) ||
      (method.kind === 'quantile' && readEventMeasure(method.measure) !== undefined),
  )
  return isFromEvents && (row.startedAt?.getTime() ?? 0) < events ? 'retention' : undefined
}

async function findAlarms(
  { telemetry }: Needed,
  { trial, placed: { row }, steps, arms }: ReplayOptions & { arms: ComparedArms },
): Promise<Replayed['alarms']> {
  const from = row.startedAt?.getTime() ?? row.createdAt.getTime()
  const to = row.endedAt?.getTime() ?? row.updatedAt.getTime()
  const instants = Array.from({ length: limits.backTestMoments }, (_, index) =>
    Math.round(from + ((to - from) * (index + 1)) / limits.backTestMoments),
  )
  const byMetric: MetricEvidence[][] = []
  for (const metric of trial.metrics) {
    const question = questionOfSplit(telemetry, arms)
    byMetric.push(await readCuts(question, cutByTime(question, instants), metric))
  }
  const alarms: (MetricAlarm & { stage: number; at: string })[] = []
  for (const [index, at] of instants.entries()) {
    const evidence = byMetric.map((cuts): MetricEvidence => cuts[index] ?? { kind: 'gone' })
    const findings = judgeAll(trial.metrics, evidence, { alpha: trial.plan.alpha, nextShare: 1 })
    const here = { stage: stageAt(steps, at), at: new Date(at).toISOString() }
    const regressed = findings.filter(({ state }) => state === 'regressed').map(({ metric }) => metric)
    alarms.push(...newAlarms(trial.plan, alarms, regressed).map((alarm) => ({ ...alarm, ...here })))
  }
  return alarms
}
