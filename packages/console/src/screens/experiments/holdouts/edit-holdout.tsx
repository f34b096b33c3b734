import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { type Holdout, holdoutsKey, updateHoldout } from '../../../api/holdouts.ts'
import { toProblem } from '../../../api/problem.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Field, TextArea } from '../../../ui/form/field.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'
import { DurationFields } from './duration-fields.tsx'
import { readDuration } from './holdout-words.ts'

/** Name, description and end: its users, flags and metrics are fixed. */
export function EditHoldout({ holdout, onClose }: { holdout: Holdout; onClose: () => void }) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const { name, description, days, whenOver } = holdout
  const [form, setForm] = useState({ name, description, days: days === null ? '' : String(days), whenOver })
  const [isChecked, setChecked] = useState(false)
  const read = readDuration(form)
  const fault = form.name.trim() === '' ? 'Enter a name.' : undefined
  const saving = useMutation({
    mutationFn: () =>
      updateHoldout(
        { project, holdout: holdout.key },
        {
          ...{ name: form.name.trim(), description: form.description.trim() },
          ...{ days: read.value ?? null, whenOver: form.whenOver },
        },
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: holdoutsKey(project) })
      onClose()
    },
  })
  const edit = (change: Partial<typeof form>) => setForm((now) => ({ ...now, ...change }))
  function submit() {
    setChecked(true)
    if (fault === undefined && read.fault === undefined && !saving.isPending) saving.mutate()
  }
  return (
    <Dialog
      title={`Edit ${name}`}
      description="Its users, flags and metrics are fixed from the start."
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Save" busy={saving.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={saving.error && toProblem(saving.error)} />
      <Field
        label="Name"
        value={form.name}
        onChange={({ currentTarget }) => edit({ name: currentTarget.value })}
        fault={isChecked ? fault : undefined}
        maxLength={limits.nameLength}
        autoComplete="off"
      />
      <TextArea
        label="Description (optional)"
        value={form.description}
        onChange={({ currentTarget }) => edit({ description: currentTarget.value })}
        maxLength={limits.descriptionLength}
      />
      <DurationFields value={form} fault={isChecked ? read.fault : undefined} onChange={edit} />
    </Dialog>
  )
}
