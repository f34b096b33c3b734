import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import {
  createExperiment,
  type Experiment,
  type ExperimentPlan,
  experimentPlanQuery,
  experimentsKey,
  updateExperiment,
} from '../../api/experiments.ts'
import { type ConfigRef, flagConfigQuery, type SavedConfig } from '../../api/flag-configs.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { metricsQuery } from '../../api/metrics.ts'
import { type Problem, toProblem } from '../../api/problem.ts'
import { Field, TextArea } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'
import { fullCountText } from '../../ui/text/measure-text.ts'
import { useSettled } from '../../ui/use-settled.ts'
import { DaysField } from './days-field.tsx'
import { type ExperimentForm, emptyForm, formOf, plannedOf, readForm } from './experiment-form.ts'
import { GoalFields } from './goal-fields.tsx'
import { LayerFields } from './layers/layer-fields.tsx'

type ExperimentDialogProps = {
  place: ConfigRef
  /** Without it, a new one is drafted. */
  experiment?: Experiment
  onDone: (experiment: Experiment) => void
  onClose: () => void
}

/** Drafts an experiment or edits it; a started one keeps its goals. */
export function ExperimentDialog({ place, experiment, onDone, onClose }: ExperimentDialogProps) {
  const [form, setForm] = useState<ExperimentForm>(experiment ? formOf(experiment) : emptyForm)
  const [isChecked, setChecked] = useState(false)
  const [idempotencyKey, setKey] = useState(newIdempotencyKey)
  const { draft, faults } = readForm(form)
  const metrics = useQuery(metricsQuery(place.project))
  const config = useQuery(flagConfigQuery(place))
  const isFixed = experiment !== undefined && experiment.state !== 'draft'
  const { goals, control, layer } = draft
  const wanted = plannedOf(draft)
  const settled = useSettled(wanted, JSON.stringify(wanted))
  const plan = useQuery(
    experimentPlanQuery(place, isFixed || faults.goals !== undefined ? undefined : settled),
  )
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: () => {
      if (experiment === undefined) return createExperiment({ place, draft, idempotencyKey })
      const { name, hypothesis = '', days = null } = draft
      const planned = { goals, layer: layer ?? null, ...(control && { control }) }
      const change = { name, hypothesis, days, ...(!isFixed && planned) }
      return updateExperiment({ project: place.project, experiment: experiment.id, change })
    },
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: experimentsKey(place.project) })
      onClose()
      onDone(saved)
    },
  })
  const problem = saving.error && toProblem(saving.error)
  const isTaken = problem?.is('already-exists') ?? false

  function edit(change: Partial<ExperimentForm>) {
    setForm((now) => ({ ...now, ...change }))
    setKey(newIdempotencyKey())
    saving.reset()
  }
  function submit() {
    setChecked(true)
    if (Object.keys(faults).length === 0 && !saving.isPending) saving.mutate()
  }

  return (
    <Dialog
      title={experiment ? `Change ${experiment.name}` : 'New experiment'}
      description={`${place.flag} in ${place.env}`}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <FormButtons verb={experiment ? 'Save' : 'Save draft'} busy={saving.isPending} onCancel={onClose} />
      }
    >
      {!isTaken && <ProblemNotice problem={problem} />}
      <Field
        label="Name"
        value={form.name}
        onChange={({ currentTarget }) => edit({ name: currentTarget.value })}
        maxLength={limits.nameLength}
        fault={(isChecked ? faults.name : undefined) ?? (isTaken ? problem?.detail : undefined)}
        autoComplete="off"
        autoFocus
      />
      <TextArea
        label="Hypothesis (optional)"
        value={form.hypothesis}
        onChange={({ currentTarget }) => edit({ hypothesis: currentTarget.value })}
        maxLength={limits.descriptionLength}
        rows={2}
      />
      {!isFixed && config.data && <SplitFields config={config.data} form={form} edit={edit} />}
      {!isFixed && (
        <LayerFields
          project={place.project}
          env={place.env}
          form={form}
          fault={isChecked ? faults.layer : undefined}
          onLayer={(next) => edit({ layer: next })}
        />
      )}
      {!isFixed && (
        <GoalFields
          form={form}
          known={metrics.data ?? []}
          plan={plan.data}
          fault={isChecked ? faults.goals : undefined}
          onGoals={(next) => edit({ goals: next })}
        />
      )}
      {!isFixed && <Traffic plan={plan.data} problem={plan.error && toProblem(plan.error)} />}
      <span className="max-w-[24ch]">
        <DaysField
          value={form.days}
          fault={isChecked ? faults.days : undefined}
          onValue={(days) => edit({ days })}
        />
      </span>
    </Dialog>
  )
}

type SplitFieldsProps = {
  config: SavedConfig
  form: ExperimentForm
  edit: (change: Partial<ExperimentForm>) => void
}

/** The split and its control, if there is a choice. */
function SplitFields({ config, form, edit }: SplitFieldsProps) {
  const splits = [
    ...config.rules.map(({ id, description, serve }, index) => ({
      place: id,
      label: description === '' ? `Rule ${index + 1}` : description,
      serve,
    })),
    { place: 'fallthrough', label: 'Everyone else', serve: config.fallthrough },
  ].flatMap(({ serve, ...one }) => ('split' in serve ? [{ ...one, arms: serve.split.arms }] : []))
  const chosen = splits.find(({ place }) => place === (form.place ?? 'fallthrough')) ?? splits[0]
  if (chosen === undefined)
    return (
      <p role="status" className="text-warn">
        No rule of this flag splits users here. Split it first under Targeting.
      </p>
    )
  const arms = chosen.arms.filter(({ weight }) => weight > 0).map(({ variation }) => variation)
  const usual = arms.includes(config.offVariation) ? config.offVariation : (arms[0] ?? '')
  return (
    <div className="grid grid-cols-2 gap-12 max-wide:grid-cols-1">
      {(splits.length > 1 || chosen.place !== 'fallthrough') && (
        <Select
          label="Split"
          options={splits.map(({ place, label }) => ({ value: place, label }))}
          value={chosen.place}
          onValue={(place) => edit({ place, control: undefined })}
        />
      )}
      <Select
        label="Control"
        options={arms.map((variation) => ({ value: variation, label: variation }))}
        value={form.control ?? usual}
        onValue={(control) => edit({ control, place: chosen.place })}
      />
    </div>
  )
}

function Traffic({ plan, problem }: { plan: ExperimentPlan | undefined; problem: Problem | null }) {
  if (problem) return <ProblemNotice problem={problem} />
  if (plan === undefined) return null
  const { perDay } = plan.traffic
  return (
    <p role="status" className="text-12 text-text-2">
      {perDay === 0
        ? 'No recent traffic: the forecast needs users who read the flag.'
        : `Forecast from ${fullCountText(Math.round(perDay))} users a day, returning ones included; a gain of that size is found in 80% of cases.`}
    </p>
  )
}
