import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import { teamsKey, updateTeam, type WholeTeam } from '../../../api/teams.ts'
import { Field, TextArea } from '../../../ui/form/field.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'

export function EditTeam({ team, onClose }: { team: WholeTeam; onClose: () => void }) {
  const [name, setName] = useState(team.name)
  const [description, setDescription] = useState(team.description)
  const [isChecked, setChecked] = useState(false)
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: updateTeam,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: teamsKey })
      onClose()
    },
  })
  const isNamed = name.trim() !== ''

  function submit() {
    setChecked(true)
    if (!isNamed || saving.isPending) return
    saving.mutate({ team: team.key, change: { name: name.trim(), description: description.trim() } })
  }

  return (
    <Dialog
      title={`Edit ${team.name}`}
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Save team" busy={saving.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={saving.error && toProblem(saving.error)} />
      <Field
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={limits.nameLength}
        fault={isChecked && !isNamed ? 'Enter a name.' : undefined}
        autoComplete="off"
      />
      <TextArea
        label="Description (optional)"
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        maxLength={limits.descriptionLength}
        rows={2}
      />
    </Dialog>
  )
}
