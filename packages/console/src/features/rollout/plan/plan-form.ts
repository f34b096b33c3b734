// The choices made in the dialog. Untouched fields follow the proposal when it changes.

import { usualAlpha, usuallyGuarded, usualStages } from '@telltale/core/guard/usual-plan'
import { limits } from '@telltale/core/limits'
import type { Metric } from '../../../api/metrics.ts'
import type { RolloutDetail, RolloutDraft, RolloutProposal } from '../../../api/rollouts.ts'

type PlannedStage = NonNullable<RolloutDraft['stages']>[number]
export type PlannedMetric = NonNullable<RolloutDraft['metrics']>[number]

/** Numbers are `NaN` while the input is invalid. `id` identifies the row across edits and moves. */
export type StageForm = PlannedStage & { id: number }

export interface PlanForm {
  place: string
  treatment: string
  control: string
  /** The unit; that of the split, if there is one. */
  by: string
  whenUndecided: NonNullable<RolloutDraft['whenUndecided']>
  /** Users are reassigned at the start. */
  freshDraw: boolean
  onSliceHarm: NonNullable<RolloutDraft['onSliceHarm']>
  /** One more attribute whose values are slices; empty without one. */
  sliceAttribute: string
  reason: string
  stages: readonly StageForm[] | undefined
  metrics: readonly PlannedMetric[] | undefined
  timeBox: number | undefined
  /** Maximum probability of rolling back a harmless rollout, of a draft or a template; else the usual one. */
  alpha: number | undefined
  /** Key of the template it began with; empty without one. */
  template: string
  /** The rolled-back rollout whose explained harm has to be gone; undefined without one. */
  proves?: string | undefined
}

/** Stages, time and metrics: the edited value, else the proposed one. */
export interface Plan {
  stages: readonly StageForm[]
  metrics: readonly PlannedMetric[]
  timeBox: number
}

/** Fallback when no proposal could be computed. */
interface Usual {
  pool: number
  metrics: readonly Metric[]
}

export function planOf(form: PlanForm, proposal: RolloutProposal | undefined, usual: Usual): Plan {
  return {
    stages: form.stages ?? numbered(proposal?.stages ?? usualStages(usual.pool)),
    metrics: form.metrics ?? (proposal ? proposedMetrics(proposal) : usualMetrics(usual.metrics)),
    timeBox: form.timeBox ?? proposal?.timeBox ?? limits.guardTimeBox,
  }
}

export function numbered(stages: readonly PlannedStage[]): StageForm[] {
  return stages.map(({ weight, minDuration, minUnits, needsApproval }, id) => ({
    id,
    weight,
    minDuration,
    minUnits,
    needsApproval,
  }))
}

function proposedMetrics({ metrics }: RolloutProposal): PlannedMetric[] {
  return metrics.filter(({ isUsual }) => isUsual).map(plannedOf)
}

export function plannedOf({ metric, limit, role, onRegression }: PlannedMetric): PlannedMetric {
  return { metric, limit, role, onRegression }
}

export function usualMetrics(metrics: readonly Metric[]): PlannedMetric[] {
  return metrics.filter(({ key }) => usuallyGuarded.has(key)).map(watchedMetric)
}

export function watchedMetric({ key, limit }: Pick<Metric, 'key' | 'limit'>): PlannedMetric {
  return { metric: key, limit, role: 'watched', onRegression: 'roll-back' }
}

/** A saved draft: every field counts as chosen. */
export function formOfDraft(draft: RolloutDetail): PlanForm {
  const { place, treatment, control, by, whenUndecided, freshDraw, reason, stages, metrics } = draft
  return {
    place,
    treatment,
    control,
    by,
    whenUndecided,
    freshDraw,
    onSliceHarm: draft.onSliceHarm,
    sliceAttribute: draft.sliceAttribute ?? '',
    timeBox: draft.timeBox,
    alpha: draft.alpha,
    template: '',
    reason: reason ?? '',
    stages: numbered(stages),
    metrics: metrics.map(plannedOf),
  }
}

export function sentOf(form: PlanForm, plan: Plan): RolloutDraft {
  const { place, treatment, control, by, whenUndecided, freshDraw, reason } = form
  return {
    place,
    treatment,
    control,
    by,
    whenUndecided,
    freshDraw,
    onSliceHarm: form.onSliceHarm,
    ...(form.onSliceHarm === 'narrow' && { sliceAttribute: form.sliceAttribute.trim() || null }),
    reason: reason.trim() === '' ? null : reason.trim(),
    stages: plan.stages.map(({ id: _row, ...stage }) => stage),
    metrics: [...plan.metrics],
    timeBox: plan.timeBox,
    alpha: form.alpha ?? usualAlpha,
    ...(form.proves !== undefined && { proves: form.proves }),
  }
}

/** The next stage covers half of the remaining share. */
export function withStage(stages: readonly StageForm[], pool: number): StageForm[] {
  const last = stages.at(-1)
  const before = last === undefined || Number.isNaN(last.weight) ? 0 : last.weight
  const weight = before < pool ? Math.ceil((before + pool) / 2) : Number.NaN
  const id = Math.max(-1, ...stages.map((stage) => stage.id)) + 1
  const usual = { minDuration: limits.guardDwell, minUnits: last?.minUnits ?? 100, needsApproval: false }
  return [...stages, { ...usual, id, weight }]
}

/** To a 0-based index, clamped to the list. */
export function moveStage(stages: readonly StageForm[], from: number, to: number): StageForm[] {
  const moved = stages[from]
  if (moved === undefined) return [...stages]
  return stages.toSpliced(from, 1).toSpliced(Math.max(0, Math.min(to, stages.length - 1)), 0, moved)
}
