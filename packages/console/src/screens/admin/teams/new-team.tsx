import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { toProblem } from '../../../api/problem.ts'
import { createTeam, teamsKey } from '../../../api/teams.ts'
import { TextArea } from '../../../ui/form/field.tsx'
import { NameAndKeyFields } from '../../../ui/form/name-and-key-fields.tsx'
import { useNameAndKey } from '../../../ui/form/use-name-and-key.ts'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'

/** Name and key first: members are added on the screen of the team. */
export function NewTeam({ onClose }: { onClose: () => void }) {
  const [description, setDescription] = useState('')
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const creation = useMutation({
    mutationFn: createTeam,
    onSuccess: async (team) => {
      await queryClient.invalidateQueries({ queryKey: teamsKey })
      await navigate({ to: '/admin/teams/$team', params: { team: team.key }, replace: true })
    },
  })
  const { draft, check, fields } = useNameAndKey(changed)
  const problem = creation.error && toProblem(creation.error)
  const taken = problem?.is('already-exists') ? 'A team with this key exists. Choose another one.' : undefined

  function changed() {
    setIdempotencyKey(newIdempotencyKey())
    creation.reset()
  }

  function submit() {
    if (!check() || creation.isPending) return
    creation.mutate({ draft: { ...draft, description: description.trim() }, idempotencyKey })
  }

  return (
    <Dialog
      title="New team"
      description="Add members next."
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Create team" busy={creation.isPending} onCancel={onClose} />}
    >
      {!taken && <ProblemNotice problem={problem} />}
      <NameAndKeyFields {...fields} hint="Used in the API. Cannot be changed later." taken={taken} />
      <TextArea
        label="Description (optional)"
        value={description}
        onChange={(event) => {
          setDescription(event.currentTarget.value)
          changed()
        }}
        maxLength={limits.descriptionLength}
        rows={2}
      />
    </Dialog>
  )
}
