// A plan as a template and back: shares of a template are those of the users of both variations.

import { stagesInPool, stagesOfPool } from '@telltale/core/guard/template-stages'
import { usualAlpha } from '@telltale/core/guard/usual-plan'
import type { RolloutTemplate, RolloutTemplateDraft } from '../../../../api/rollout-templates.ts'
import { numbered, type Plan, type PlanForm, plannedOf } from '../plan-form.ts'

type Members = Omit<RolloutTemplateDraft, 'key' | 'name' | 'description'>
type Choices = Pick<PlanForm, 'whenUndecided' | 'freshDraw' | 'alpha'>

/** What the form of a rollout takes over from a template. */
export function formOfTemplate(template: RolloutTemplate, pool: number): Partial<PlanForm> {
  const { key, stages, metrics, timeBox, whenUndecided, freshDraw, alpha } = template
  return {
    template: key,
    stages: numbered(stagesInPool(stages, pool)),
    metrics: metrics.map(plannedOf),
    ...{ timeBox, whenUndecided, freshDraw, alpha },
  }
}

export function templateOfPlan(plan: Plan, choices: Choices, pool: number): Members {
  const { whenUndecided, freshDraw, alpha = usualAlpha } = choices
  return {
    stages: stagesOfPool(plan.stages, pool).map(({ id: _row, ...stage }) => stage),
    metrics: plan.metrics.map(plannedOf),
    ...{ timeBox: plan.timeBox, whenUndecided, freshDraw, alpha },
  }
}
