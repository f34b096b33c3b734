import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useId, useState } from 'react'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { createMetric, type Metric, metricsKey, updateMetric } from '../../../api/metrics.ts'
import { toProblem } from '../../../api/problem.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Button } from '../../../ui/button.tsx'
import { Radio, Segmented } from '../../../ui/choice.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { keyOf } from '../../../ui/key-of.ts'
import { Notice } from '../../../ui/notice.tsx'
import { EventPreview, useKnownEvents } from './event-preview.tsx'
import { formOf, type MetricForm, newMetricForm, readMetricForm } from './metric-form.ts'

const aggregations = [
  { value: 'proportion', label: 'Share of users who ever send it' },
  { value: 'mean', label: 'Mean of its values' },
  { value: 'count', label: 'How many for each session' },
] as const

/** A metric over a custom event: new, or as it stands. */
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
          ? 'A rollout that runs keeps what it began with.'
          : 'What a variation is judged by: an event that the application sends.'
      }
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={saving.isPending}>
            {metric ? 'Save' : 'Create the metric'}
          </Button>
        </>
      }
    >
      {problem && !isTaken && (
        <Notice title={problem.title} detail={problem.detail} requestId={problem.requestId} />
      )}
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
          hint="Rollouts name it. It never changes."
          fault={
            faultOf('key') ?? (isTaken ? 'A metric with this key exists. Choose another one.' : undefined)
          }
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      <EventField form={form} fault={faultOf('event')} edit={edit} />
      <MeasureFields form={form} faultOf={faultOf} edit={edit} />
    </Dialog>
  )
}

type Edit = (change: Partial<MetricForm>) => void

function EventField({ form, fault, edit }: { form: MetricForm; fault: string | undefined; edit: Edit }) {
  const list = useId()
  const events = useKnownEvents()
  return (
    <div className="grid gap-4">
      <Field
        label="Event"
        code
        list={list}
        value={form.event}
        onChange={({ currentTarget }) => edit({ event: currentTarget.value })}
        maxLength={limits.eventNameLength}
        hint="As the application sends it."
        fault={fault}
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={list}>
        {events.map((event) => (
          <option key={event} value={event} />
        ))}
      </datalist>
      <EventPreview event={form.event} />
    </div>
  )
}

type MeasureFieldsProps = {
  form: MetricForm
  faultOf: (name: keyof MetricForm) => string | undefined
  edit: Edit
}

function MeasureFields({ form, faultOf, edit }: MeasureFieldsProps) {
  return (
    <>
      <Radio
        label="Measured as"
        choices={aggregations}
        value={form.aggregation}
        onValue={(aggregation) => edit({ aggregation })}
      />
      <div className="flex flex-wrap items-start gap-16">
        <div className="grid gap-4">
          <span className="font-medium">Better when</span>
          <Segmented
            label="Better when"
            choices={[
              { value: 'higher', label: 'Higher' },
              { value: 'lower', label: 'Lower' },
            ]}
            value={form.better}
            onValue={(better) => edit({ better })}
          />
        </div>
        <span className="w-[16ch]">
          <Field
            label="Limit in %"
            inputMode="decimal"
            value={form.limit}
            onChange={({ currentTarget }) => edit({ limit: currentTarget.value })}
            hint={form.better === 'higher' ? 'May fall by so much.' : 'May rise by so much.'}
            fault={faultOf('limit')}
            autoComplete="off"
          />
        </span>
        {form.aggregation === 'mean' && (
          <span className="w-[12ch]">
            <Field
              label="Unit (optional)"
              value={form.unit}
              onChange={({ currentTarget }) => edit({ unit: currentTarget.value })}
              maxLength={limits.unitLength}
              autoComplete="off"
            />
          </span>
        )}
        {form.aggregation === 'count' && (
          <span className="w-[16ch]">
            <Field
              label="Most of one session"
              inputMode="numeric"
              value={form.cap}
              onChange={({ currentTarget }) => edit({ cap: currentTarget.value })}
              fault={faultOf('cap')}
              autoComplete="off"
            />
          </span>
        )}
      </div>
    </>
  )
}
