import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { newIdempotencyKey } from '../../../../api/idempotency-key.ts'
import { toProblem } from '../../../../api/problem.ts'
import { createRolloutTemplate, rolloutTemplatesKey } from '../../../../api/rollout-templates.ts'
import { useMay } from '../../../../shell/account.ts'
import { useScope } from '../../../../shell/scope-context.ts'
import { Button } from '../../../../ui/button.tsx'
import { TextArea } from '../../../../ui/form/field.tsx'
import { NameAndKeyFields } from '../../../../ui/form/name-and-key-fields.tsx'
import { useNameAndKey } from '../../../../ui/form/use-name-and-key.ts'
import { ProblemNotice } from '../../../../ui/notice.tsx'
import { Dialog } from '../../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../../ui/overlay/form-buttons.tsx'
import { showToast } from '../../../../ui/overlay/toast.tsx'
import type { Plan, PlanForm } from '../plan-form.ts'
import { templateOfPlan } from './template-plan.ts'

type Planned = { form: PlanForm; plan: Plan; pool: number; isSound: boolean }

/** Keeps the plan for other flags and environments. */
export function SaveTemplateButton(planned: Planned) {
  const mayChange = useMay('flags.change')
  const [isOpen, setOpen] = useState(false)
  if (!mayChange) return null
  return (
    <>
      <Button disabled={!planned.isSound} onClick={() => setOpen(true)}>
        Save as template
      </Button>
      {isOpen && <SaveTemplate {...planned} onClose={() => setOpen(false)} />}
    </>
  )
}

function SaveTemplate({ form, plan, pool, onClose }: Planned & { onClose: () => void }) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const [idempotencyKey, setKey] = useState(newIdempotencyKey)
  const [description, setDescription] = useState('')
  const named = useNameAndKey(forget)
  const saving = useMutation({
    mutationFn: createRolloutTemplate,
    onSuccess: async ({ name }) => {
      await queryClient.invalidateQueries({ queryKey: rolloutTemplatesKey(project) })
      showToast({ text: `Template ${name} saved.` })
      onClose()
    },
  })
  const problem = saving.error && toProblem(saving.error)
  const isTaken = problem?.is('already-exists') ?? false

  function forget() {
    setKey(newIdempotencyKey())
    saving.reset()
  }
  function save() {
    if (!named.check() || saving.isPending) return
    const draft = { ...named.draft, description: description.trim(), ...templateOfPlan(plan, form, pool) }
    saving.mutate({ project, draft, idempotencyKey })
  }

  return (
    <Dialog
      title="Save as template"
      description="Stages, metrics and limits, for rollouts of any flag in any environment."
      onClose={onClose}
      onSubmit={save}
      footer={<FormButtons verb="Save template" busy={saving.isPending} onCancel={onClose} />}
    >
      {!isTaken && <ProblemNotice problem={problem} />}
      <NameAndKeyFields
        {...named.fields}
        hint="Used by the command line and flags as code. Cannot be changed later."
        taken={isTaken ? 'A template with this key exists. Choose another one.' : undefined}
      />
      <TextArea
        label="Description (optional)"
        value={description}
        onChange={(event) => {
          setDescription(event.currentTarget.value)
          forget()
        }}
        maxLength={limits.descriptionLength}
        rows={2}
      />
    </Dialog>
  )
}
