import { useMutation, useQueryClient } from '@tanstack/react-query'
import { keyOf } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { createMetric, type Metric, metricsKey, updateMetric } from '../../../api/metrics.ts'
import { toProblem } from '../../../api/problem.ts'
import { ManagedInCode } from '../../../features/managed-in-code.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { Field } from '../../../ui/form/field.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'
import { EventFields } from './event-fields.tsx'
import { MeasureFields } from './measure-fields.tsx'
import { formOf, type MetricForm, measuredOf, newMetricForm, readMetricForm } from './metric-form.ts'
import { MetricPreview } from './metric-preview.tsx'

/** Creates or edits a metric over a custom event. */
export function MetricDialog({ metric, onClose }: { metric: Metric | undefined; onClose: () => void }) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const [form, setForm] = useState<MetricForm>(metric ? formOf(metric) : newMetricForm)
  const [isChecked, setChecked] = useState(false)
  const [idempotencyKey, setKey] = useState(newIdempotencyKey)
  const { draft, faults } = readMetricForm(form)
  const saving = useMutation({
    mutationFn: () => {
      const { key: _key, ...change } = draft
      return metric
        ? updateMetric({ project, metric, change })
        : createMetric({ project, draft, idempotencyKey })
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: metricsKey(project) })
      onClose()
    },
  })
  const problem = saving.error && toProblem(saving.error)
  const isTaken = problem?.is('already-exists') ?? false
  const faultOf = (name: keyof MetricForm) => (isChecked ? faults[name] : undefined)

  function edit(change: Partial<MetricForm>) {
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
      title={metric ? `Change ${metric.name}` : 'New metric'}
      description={
        metric
          ? 'Running rollouts keep their definition.'
          : 'Compares variations by an event your application sends.'
      }
      onClose={onClose}
      onSubmit={submit}
      footer={
        <FormButtons verb={metric ? 'Save' : 'Create metric'} busy={saving.isPending} onCancel={onClose} />
      }
    >
      {metric && <ManagedInCode kind="metrics" entry={metric.key} />}
      {!isTaken && <ProblemNotice problem={problem} />}
      <Field
        label="Name"
        value={form.name}
        onChange={({ currentTarget }) => edit({ name: currentTarget.value })}
        maxLength={limits.nameLength}
        fault={faultOf('name')}
        autoComplete="off"
        autoFocus
      />
      {!metric && (
        <Field
          label="Key"
          code
          value={form.key ?? keyOf(form.name)}
          onChange={({ currentTarget }) => edit({ key: currentTarget.value })}
          maxLength={limits.keyLength}
          hint="Used by rollouts. Cannot be changed later."
          fault={
            faultOf('key') ?? (isTaken ? 'A metric with this key exists. Choose another one.' : undefined)
          }
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      <EventFields form={form} faultOf={faultOf} edit={edit} />
      <MetricPreview measured={measuredOf(form)} unit={form.unit.trim()} />
      <MeasureFields form={form} faultOf={faultOf} edit={edit} />
    </Dialog>
  )
}
