import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { createHoldout, type Holdout, holdoutsKey } from '../../../api/holdouts.ts'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { metricsQuery } from '../../../api/metrics.ts'
import { toProblem } from '../../../api/problem.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Checkbox } from '../../../ui/form/choice.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { NameAndKeyFields } from '../../../ui/form/name-and-key-fields.tsx'
import { useNameAndKey } from '../../../ui/form/use-name-and-key.ts'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'
import { weightOf } from '../../../ui/text/weight-text.ts'
import { DurationFields } from './duration-fields.tsx'
import { readDuration } from './holdout-words.ts'

type NewHoldoutProps = { onCreated: (holdout: Holdout) => void; onClose: () => void }

/** Starts a holdout over chosen flags, or over all. */
export function NewHoldout({ onCreated, onClose }: NewHoldoutProps) {
  const { project, environment } = useScope()
  const queryClient = useQueryClient()
  const metrics = useQuery(metricsQuery(project))
  const [form, setForm] = useState({
    ...{ share: '5', flags: '', days: '90', metrics: ['lcp'] },
    whenOver: 'continue' as Holdout['whenOver'],
  })
  const [isChecked, setChecked] = useState(false)
  const [idempotencyKey, setKey] = useState(newIdempotencyKey)
  const edited = () => {
    setKey(newIdempotencyKey())
    starting.reset()
  }
  const { draft, check, fields } = useNameAndKey(() => edited())
  const share = weightOf(form.share)
  const days = readDuration(form)
  const flags = form.flags.split(/[\s,]+/).filter((key) => key !== '')
  const faults = {
    share: share >= 100 && share <= limits.weightTotal / 5 ? undefined : 'Between 0.1% and 20%.',
    days: days.fault,
    metrics:
      form.metrics.length >= 1 && form.metrics.length <= limits.experimentGoals
        ? undefined
        : `Choose 1 to ${limits.experimentGoals} metrics.`,
  }
  const starting = useMutation({
    mutationFn: () =>
      createHoldout({
        place: { project, env: environment.key },
        draft: {
          ...{ ...draft, share, metrics: form.metrics },
          ...(flags.length > 0 && { flags }),
          ...(days.value !== undefined && { days: days.value, whenOver: form.whenOver }),
        },
        idempotencyKey,
      }),
    onSuccess: async (holdout) => {
      await queryClient.invalidateQueries({ queryKey: holdoutsKey(project) })
      onClose()
      onCreated(holdout)
    },
  })
  const problem = starting.error && toProblem(starting.error)
  const isTaken = problem?.is('already-exists') ?? false
  const edit = (change: Partial<typeof form>) => {
    setForm((now) => ({ ...now, ...change }))
    edited()
  }
  function submit() {
    setChecked(true)
    const isComplete = check() && Object.values(faults).every((fault) => fault === undefined)
    if (isComplete && !starting.isPending) starting.mutate()
  }
  return (
    <Dialog
      title="New holdout"
      description={`In ${environment.name}. Its users get the off variation of each covered flag from now on.`}
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Start holdout" busy={starting.isPending} onCancel={onClose} />}
    >
      {!isTaken && <ProblemNotice problem={problem} />}
      <NameAndKeyFields
        {...fields}
        hint="Shown in explanations of evaluations. Cannot be changed later."
        taken={isTaken ? 'A holdout with this key exists. Choose another one.' : undefined}
      />
      <Field
        label="Users held out, in percent"
        inputMode="decimal"
        value={form.share}
        onChange={({ currentTarget }) => edit({ share: currentTarget.value })}
        hint="Fixed from the start."
        fault={isChecked ? faults.share : undefined}
        autoComplete="off"
      />
      <DurationFields value={form} fault={isChecked ? faults.days : undefined} onChange={edit} />
      <Field
        label="Flags (optional)"
        code
        value={form.flags}
        onChange={({ currentTarget }) => edit({ flags: currentTarget.value })}
        hint="Keys, separated by commas. Without any, it covers all flags, also later ones."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Metrics
        known={metrics.data ?? []}
        chosen={form.metrics}
        fault={isChecked ? faults.metrics : undefined}
        onChosen={(chosen) => edit({ metrics: chosen })}
      />
    </Dialog>
  )
}

type MetricsProps = {
  known: readonly { key: string; name: string }[]
  chosen: string[]
  fault: string | undefined
  onChosen: (chosen: string[]) => void
}

function Metrics({ known, chosen, fault, onChosen }: MetricsProps) {
  return (
    <fieldset className="grid min-w-0 gap-6">
      <legend className="pb-2 font-medium">Metrics</legend>
      <p className="text-12 text-text-3">Fixed at the start. Fewer metrics need fewer users.</p>
      {fault && (
        <p role="alert" className="text-12 text-bad">
          {fault}
        </p>
      )}
      <div className="grid grid-cols-2 gap-6 max-wide:grid-cols-1">
        {known.map(({ key, name }) => (
          <Checkbox
            key={key}
            label={name}
            checked={chosen.includes(key)}
            onChecked={(isChosen) =>
              onChosen(isChosen ? [...chosen, key] : chosen.filter((one) => one !== key))
            }
          />
        ))}
      </div>
    </fieldset>
  )
}
