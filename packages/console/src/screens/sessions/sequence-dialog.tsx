import type { Filter } from '@telltale/core/query/filter'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { kindChoices, readStep, type Step, stepsAtMost, toSteps } from './sequence-steps.ts'

type SequenceDialogProps = {
  steps: readonly Filter[]
  onSteps: (steps: readonly Filter[]) => void
  onClose: () => void
}

/** Builds an event sequence step by step. Any events may occur between two steps. */
export function SequenceDialog({ steps: given, onSteps, onClose }: SequenceDialogProps) {
  const [steps, setSteps] = useState(() => toSteps(given).map((step, id) => ({ ...step, id })))
  const [hasTried, setTried] = useState(false)
  const read = steps.map(readStep)
  const change = (id: number, next: Partial<Step>) =>
    setSteps(steps.map((step) => (step.id === id ? { ...step, ...next } : step)))

  function submit() {
    setTried(true)
    const filters = read.flatMap((one) => (one.ok ? [one.result] : []))
    if (filters.length === steps.length) onSteps(filters)
  }

  return (
    <Dialog
      title="Event sequence"
      description="Sessions with these events in this order. Other events may occur in between."
      size="wide"
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit">
            Find sessions
          </Button>
        </>
      }
    >
      <ol className="grid gap-12">
        {steps.map((step, index) => {
          const one = read[index]
          return (
            <StepRow
              key={step.id}
              step={step}
              name={index === 0 ? 'First' : 'Then'}
              fault={hasTried && one?.ok === false ? one.faults[0]?.message : undefined}
              onChange={(next) => change(step.id, next)}
              onRemove={
                steps.length > 1 ? () => setSteps(steps.filter(({ id }) => id !== step.id)) : undefined
              }
            />
          )
        })}
      </ol>
      <div>
        <Button
          icon="plus"
          disabled={steps.length >= stepsAtMost}
          title={steps.length >= stepsAtMost ? `A sequence has at most ${stepsAtMost} steps` : undefined}
          onClick={() =>
            setSteps([...steps, { kind: 'action', text: '', id: Math.max(...steps.map(({ id }) => id)) + 1 }])
          }
        >
          Add step
        </Button>
      </div>
    </Dialog>
  )
}

type StepRowProps = {
  step: Step
  name: string
  fault: string | undefined
  onChange: (next: Partial<Step>) => void
  onRemove: (() => void) | undefined
}

function StepRow({ step, name, fault, onChange, onRemove }: StepRowProps) {
  const example = kindChoices.find(({ value }) => value === step.kind)?.example ?? ''
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-8 wide:grid-cols-[44px_180px_minmax(0,1fr)_auto]">
      <span className="pt-4 font-medium text-text-2 max-wide:col-span-2">{name}</span>
      <div className="max-wide:col-span-2">
        <Select
          label={`${name}: event`}
          hideLabel
          options={kindChoices}
          value={step.kind}
          onValue={(kind) => onChange({ kind })}
        />
      </div>
      <Field
        label={`${name}: filter`}
        hideLabel
        code
        placeholder={`filter, such as ${example}`}
        value={step.text}
        fault={fault}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
      <IconButton
        icon="trash"
        label={`Remove this step (${name.toLowerCase()})`}
        disabled={onRemove === undefined}
        onClick={onRemove}
      />
    </li>
  )
}
