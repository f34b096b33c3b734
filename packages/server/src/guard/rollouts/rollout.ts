import type { Rollout, RolloutDecision, RolloutSummary } from '@telltale/core/contract/rollouts'
import type { Static } from 'typebox'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { Seen } from '../../platform/engines/postgres/rollout-schema.ts'
import { approvalOfStart } from './approval-of-start.ts'
import { weightOf } from './carry-out.ts'
import { showNarrowing } from './exclusions-of.ts'
import {
  type DecisionRow,
  findStageSteps,
  type PlacedRollout,
  type StageStep,
  standingOf,
} from './queries.ts'
import { showProof } from './show-proof.ts'
import { type MetricsByKey, metricsByKey, summarizeTelltale } from './summarize-telltale.ts'
import { toComparisonQuality, toFinding } from './to-finding.ts'

/** Rollouts as lists show them. */
export async function toSummaries(
  db: Queryable,
  placed: readonly PlacedRollout[],
): Promise<RolloutSummary[]> {
  const [first] = placed
  if (first === undefined) return []
  const steps = await findStageSteps(
    db,
    placed.map(({ row }) => row.id),
  )
  const metrics = await metricsByKey(db, first.project.id)
  return placed.map((one) => toSummary(one, { steps, metrics }))
}

/** A rollout as the API returns it. */
export async function toRollout(db: Queryable, placed: PlacedRollout): Promise<Rollout> {
  const { row } = placed
  const { draft } = row
  const standing = standingOf(row)
  return {
    ...toSummary(placed, {
      steps: await findStageSteps(db, [row.id]),
      metrics: await metricsByKey(db, placed.project.id),
    }),
    reason: row.reason,
    metrics: draft.metrics,
    alpha: draft.alpha,
    timeBox: draft.timeBox,
    whenUndecided: draft.whenUndecided,
    freshDraw: draft.freshDraw ?? false,
    onSliceHarm: draft.onSliceHarm ?? 'roll-back',
    sliceAttribute: draft.sliceAttribute ?? null,
    narrowing: row.startedAt === null ? null : showNarrowing(standing, draft.onSliceHarm),
    shippedBy: draft.shippedBy ?? null,
    draftedBy: row.draftedBy,
    approval: await approvalOfStart(db, placed.project, row),
    watched: standing.watched,
    evidence: standing.evidence,
    accepted: [...standing.accepted],
    splitWrong: standing.splitWrong ?? null,
    proof: showProof(row),
    lastLook: standing.lastLook
      ? { at: new Date(standing.lastLook.at).toISOString(), isFresh: standing.lastLook.isFresh }
      : null,
    split: row.split,
    epochs:
      row.firstEpoch === null || row.lastEpoch === null
        ? null
        : { first: row.firstEpoch, last: row.lastEpoch },
  }
}

interface Beside {
  steps: readonly StageStep[]
  metrics: MetricsByKey
}

function toSummary({ row, environment, flag }: PlacedRollout, { steps, metrics }: Beside): RolloutSummary {
  const standing = standingOf(row)
  const own = steps.filter(({ rolloutId }) => rolloutId === row.id)
  return {
    id: row.id,
    env: environment.key,
    flag: flag.key,
    flagName: flag.name,
    place: row.place,
    control: row.control,
    treatment: row.treatment,
    by: row.by,
    state: row.state,
    why: standing.reason ?? null,
    stage: standing.stage,
    stages: row.draft.stages.map((stage, index) => ({ ...stage, ...timesOf(index, own) })),
    weight: row.state === 'completed' ? (row.draft.stages.at(-1)?.weight ?? 0) : weightOf(row),
    turn: row.turn,
    regressed: [...standing.regressed],
    startedBy: row.startedByName === null ? null : { id: row.startedBy, name: row.startedByName },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    seen: row.seen && toSeen(row.seen),
    telltale: summarizeTelltale(row, metrics),
  }
}

/** Each step is logged in the stage that it ends, except for the start. */
function timesOf(index: number, steps: readonly StageStep[]) {
  const entered = steps.find(({ action, stage }) =>
    action === 'start' ? index === 0 : action === 'advance' && stage + 1 === index,
  )
  const left = steps.find(({ action, stage }) => action !== 'start' && stage === index)
  return { enteredAt: entered?.at.toISOString() ?? null, leftAt: left?.at.toISOString() ?? null }
}

function toSeen({ at, units, findings, quality }: Seen) {
  return {
    at,
    units,
    findings: findings.map(toFinding),
    quality: quality ? toComparisonQuality(quality) : null,
  }
}

export function toDecision(row: DecisionRow): Static<typeof RolloutDecision> {
  const { id, turn, at, stage, evidence, action, reason, metric, slice, state, comment, refused } = row
  return {
    id,
    turn,
    at: at.toISOString(),
    stage,
    evidence,
    action,
    reason,
    metric,
    slice,
    state,
    by: row.byName === null ? null : { id: row.byId, name: row.byName },
    comment,
    refused,
    findings: row.findings.map(toFinding),
  }
}
