import { useMutation, useQueryClient } from '@tanstack/react-query'
import { usualStages } from '@telltale/core/guard/usual-plan'
import { isKey, keyOf } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import type { Metric } from '../../../api/metrics.ts'
import { toProblem } from '../../../api/problem.ts'
import {
  createRolloutTemplate,
  type RolloutTemplate,
  rolloutTemplatesKey,
  updateRolloutTemplate,
} from '../../../api/rollout-templates.ts'
import { faultsOfPlan } from '../../../features/rollout/plan/plan-faults.ts'
import { numbered, type Plan, type PlanForm, usualMetrics } from '../../../features/rollout/plan/plan-form.ts'
import { templateOfPlan } from '../../../features/rollout/plan/template/template-plan.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { keyAdvice } from '../../../ui/form/key-advice.ts'

type Choices = Pick<PlanForm, 'whenUndecided' | 'freshDraw' | 'alpha'>

interface TemplateForm extends Plan, Choices {
  name: string
  /** Undefined while it follows the name. */
  key: string | undefined
  description: string
}

interface Editing {
  /** Undefined for a new one. */
  template: RolloutTemplate | undefined
  metrics: readonly Metric[]
  onDone: () => void
  onRefused: () => void
}

function formOf({ template, metrics }: Editing): TemplateForm {
  if (template !== undefined) return { ...template, stages: numbered(template.stages) }
  return {
    ...{ name: '', key: undefined, description: '', whenUndecided: 'hold', freshDraw: false },
    alpha: undefined,
    stages: numbered(usualStages(limits.weightTotal)),
    metrics: usualMetrics(metrics),
    timeBox: limits.guardTimeBox,
  }
}

/** The fields of a template, their faults from the first attempt to save on, and the saving. */
export function useTemplateForm(editing: Editing) {
  const { template, metrics, onDone, onRefused } = editing
  const { project } = useScope()
  const queryClient = useQueryClient()
  const [form, setForm] = useState(() => formOf(editing))
  const [isChecked, setChecked] = useState(false)
  const [idempotencyKey, setKey] = useState(newIdempotencyKey)
  const key = form.key ?? keyOf(form.name)
  const saving = useMutation({
    mutationFn: () => {
      const own = { name: form.name.trim(), description: form.description.trim() }
      const change = { ...own, ...templateOfPlan(form, form, limits.weightTotal) }
      return template
        ? updateRolloutTemplate({ project, template, change })
        : createRolloutTemplate({ project, draft: { key, ...change }, idempotencyKey })
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: rolloutTemplatesKey(project) })
      onDone()
    },
    onError: onRefused,
  })
  const problem = saving.error && toProblem(saving.error)
  const isTaken = problem?.is('already-exists') ?? false
  const missing = findMissing({ ...form, key }, metrics)

  return {
    form: { ...form, key },
    edit: (part: Partial<TemplateForm>) => {
      setForm((now) => ({ ...now, ...part }))
      setKey(newIdempotencyKey())
      saving.reset()
    },
    save: () => {
      setChecked(true)
      if (missing.length > 0) onRefused()
      else if (!saving.isPending) saving.mutate()
    },
    isSaving: saving.isPending,
    problem: isTaken ? null : problem,
    faults: [
      ...(isChecked ? missing : []),
      ...(isTaken ? [{ pointer: '/key', message: taken }] : []),
      ...(problem?.errors ?? []),
    ],
  }
}

const taken = 'A template with this key exists. Choose another one.'

function findMissing(form: TemplateForm & { key: string }, metrics: readonly Metric[]) {
  const betterOf = new Map(metrics.map((metric) => [metric.key, metric.better]))
  const better = (metric: string) => betterOf.get(metric) ?? 'lower'
  return [
    ...(form.name.trim() === '' ? [{ pointer: '/name', message: 'Enter a name.' }] : []),
    ...(isKey(form.key) ? [] : [{ pointer: '/key', message: keyAdvice }]),
    ...faultsOfPlan(form, { pool: limits.weightTotal, better }),
  ]
}
