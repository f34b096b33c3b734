import type { RolloutFinding } from '@telltale/core/contract/rollout-finding'
import type { Rollout, RolloutDecision, RolloutSummary } from '@telltale/core/contract/rollouts'
import type { Finding } from '@telltale/core/guard/judge-metric'
import type { Static } from 'typebox'
import type { Queryable } from '../engines/postgres/open.ts'
import type { Seen } from '../engines/postgres/rollout-schema.ts'
import { weightOf } from './carry-out.ts'
import {
  type DecisionRow,
  findStageSteps,
  type PlacedRollout,
  type StageStep,
  standingOf,
} from './queries.ts'

/** Rollouts as a list shows them. */
export async function toSummaries(
  db: Queryable,
  placed: readonly PlacedRollout[],
): Promise<RolloutSummary[]> {
  const steps = await findStageSteps(
    db,
    placed.map(({ row }) => row.id),
  )
  return placed.map((one) => toSummary(one, steps))
}

/** A rollout as the API shows it. */
export async function toRollout(db: Queryable, placed: PlacedRollout): Promise<Rollout> {
  const { row } = placed
  const { draft } = row
  const standing = standingOf(row)
  return {
    ...toSummary(placed, await findStageSteps(db, [row.id])),
    reason: row.reason,
    metrics: draft.metrics,
    alpha: draft.alpha,
    timeBox: draft.timeBox,
    whenUndecided: draft.whenUndecided,
    shippedBy: draft.shippedBy ?? null,
    draftedBy: row.draftedBy,
    watched: standing.watched,
    evidence: standing.evidence,
    accepted: [...standing.accepted],
    splitWrong: standing.splitWrong ?? null,
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

function toSummary({ row, environment, flag }: PlacedRollout, steps: readonly StageStep[]): RolloutSummary {
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
  }
}

/** Each step was made in the stage that it leaves, but for the start. */
function timesOf(index: number, steps: readonly StageStep[]) {
  const entered = steps.find(({ action, stage }) =>
    action === 'start' ? index === 0 : action === 'advance' && stage + 1 === index,
  )
  const left = steps.find(({ action, stage }) => action !== 'start' && stage === index)
  return { enteredAt: entered?.at.toISOString() ?? null, leftAt: left?.at.toISOString() ?? null }
}

export function toSeen({ at, units, findings }: Seen) {
  return { at, units, findings: findings.map(toFinding) }
}

export function toDecision(row: DecisionRow): Static<typeof RolloutDecision> {
  const { id, turn, at, stage, evidence, action, reason, metric, state, comment, refused } = row
  return {
    id,
    turn,
    at: at.toISOString(),
    stage,
    evidence,
    action,
    reason,
    metric,
    state,
    by: row.byName === null ? null : { id: row.byId, name: row.byName },
    comment,
    refused,
    findings: row.findings.map(toFinding),
  }
}

/** As it was found; JSON keeps no infinity, and says null. */
export function toFinding({
  metric,
  state,
  missing,
  units,
  values,
  harm,
  limit,
  margin,
  events,
  rateBelow,
}: Finding): RolloutFinding {
  return {
    metric,
    state,
    missing: missing ?? null,
    units,
    values: values ?? null,
    harm: harm
      ? { lower: finite(harm.lower), estimate: finite(harm.estimate), upper: finite(harm.upper) }
      : null,
    limit,
    margin: finite(margin),
    events: events ?? null,
    rateBelow: rateBelow ?? null,
  }
}

const finite = (value: number | null) => (value !== null && Number.isFinite(value) ? value : null)
