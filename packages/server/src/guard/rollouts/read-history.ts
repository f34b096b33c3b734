// The points of a rollout's charts. The guard stores a moment every few minutes, which is too sparse for a
// rollout that was rolled back within minutes, or if the guard could not read for a while. The missing moments
// are computed from the events, as in Impact.

import { Problem } from '@telltale/core/errors'
import { judgeAll } from '@telltale/core/guard/judge-all'
import type { Finding, MetricEvidence } from '@telltale/core/guard/judge-metric'
import { limits } from '@telltale/core/limits'
import type { Services } from '../../platform/services.ts'
import { cutByTime } from '../evidence/cut-by-time.ts'
import { findLeftOut } from '../evidence/leave-out.ts'
import { readCuts } from '../evidence/read-cuts.ts'
import { questionOfSplit } from '../evidence/split-question.ts'
import { readUnitsAt } from '../evidence/units-over-time.ts'
import {
  findEvidenceEpochs,
  findHistory,
  findStageSteps,
  judgedOf,
  planOf,
  type RolloutRow,
  stageAt,
} from './queries.ts'

type Needed = Pick<Services, 'db' | 'telemetry'>

interface Moment {
  at: Date
  stage: number
  /** Counts the restarts of the evidence. */
  evidence: number
  units: { treatment: number; control: number }
  findings: readonly Finding[]
}

export async function readHistory(services: Needed, row: RolloutRow, now: Date): Promise<Moment[]> {
  const kept: Moment[] = await findHistory(services.db, row.id)
  if (kept.length >= limits.impactPoints) return kept
  try {
    return [...(await readMomentsBetween(services, row, { kept, now })), ...kept].sort(
      (one, other) => one.at.getTime() - other.at.getTime(),
    )
  } catch (error) {
    const isBeyondReach =
      error instanceof Problem && ['engine-unavailable', 'query-too-large'].includes(error.code)
    if (isBeyondReach) return kept
    throw error
  }
}

/** For the current evidence, at equal steps. */
async function readMomentsBetween(
  { db, telemetry }: Needed,
  row: RolloutRow,
  { kept, now }: { kept: readonly Moment[]; now: Date },
): Promise<Moment[]> {
  const { split, environmentId, treatment, control, endedAt, rollout } = row
  const epochs = await findEvidenceEpochs(db, row)
  const from = epochs[0]?.startedAt?.getTime()
  if (split === null || from === undefined) return []
  const step = ((endedAt ?? now).getTime() - from) / (limits.impactPoints + 1)
  const isFree = (at: number) => kept.every((moment) => Math.abs(moment.at.getTime() - at) > step / 2)
  const instants = Array.from({ length: limits.impactPoints }, (_, index) =>
    Math.round(from + step * (index + 1)),
  ).filter(isFree)
  if (instants.length === 0) return []

  const metrics = judgedOf(row)
  const arms = { environmentId, split, epochs, treatment, control }
  const units = await readUnitsAt(questionOfSplit(telemetry, arms), instants)
  if (units.every((one) => one.treatment === 0 || one.control === 0)) return []
  const evidence: MetricEvidence[][] = []
  // Sequentially, so that queries of the console are not blocked meanwhile.
  for (const metric of metrics) {
    const leftOut = await findLeftOut(questionOfSplit(telemetry, arms), [metric.method])
    const question = { ...questionOfSplit(telemetry, arms), leftOut }
    evidence.push(await readCuts(question, cutByTime(question, instants), metric))
  }
  const { alpha } = planOf(row)
  const steps = await findStageSteps(db, [row.id])
  return instants.flatMap((at, index): Moment[] => {
    const soFar = units[index]
    if (soFar === undefined || soFar.treatment + soFar.control === 0) return []
    const found = evidence.map((ofMetric) => ofMetric[index] ?? ({ kind: 'gone' } as const))
    return [
      {
        at: new Date(at),
        stage: stageAt(steps, at),
        evidence: rollout.evidence,
        units: soFar,
        findings: judgeAll(metrics, found, { alpha, nextShare: 1, missing: undefined }),
      },
    ]
  })
}
