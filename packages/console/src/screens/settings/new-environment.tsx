import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createEnvironment, environmentsQuery } from '../../api/environments.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import type { EnvironmentColour } from '../../ui/environment-mark.tsx'
import { Switch } from '../../ui/form/choice.tsx'
import { NameAndKeyFields } from '../../ui/form/name-and-key-fields.tsx'
import { useNameAndKey } from '../../ui/form/use-name-and-key.ts'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { ColourField } from './colour-field.tsx'

export function NewEnvironment({ project, onClose }: { project: string; onClose: () => void }) {
  const [colour, setColour] = useState<EnvironmentColour>('grey')
  const [isProtected, setProtected] = useState(false)
  const [idempotencyKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const creation = useMutation({
    mutationFn: createEnvironment,
    onSuccess: async (environment) => {
      await queryClient.invalidateQueries({ queryKey: environmentsQuery(project).queryKey })
      showToast({ text: `${environment.name} created with a client key.` })
      await navigate({
        to: '/p/$project/settings/environments/$environment',
        params: { project, environment: environment.key },
      })
    },
  })
  const { draft, check, fields } = useNameAndKey(creation.reset)
  const problem = creation.error && toProblem(creation.error)
  const taken = problem?.is('already-exists')
    ? 'An environment with this key exists. Choose another one.'
    : undefined

  function submit() {
    if (!check() || creation.isPending) return
    creation.mutate({
      project,
      draft: { ...draft, colour, protected: isProtected },
      idempotencyKey: `${idempotencyKey}-${draft.key}`,
    })
  }

  return (
    <Dialog
      title="New environment"
      description="All flags start off."
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Create environment" busy={creation.isPending} onCancel={onClose} />}
    >
      {!taken && <ProblemNotice problem={problem} />}
      <NameAndKeyFields {...fields} hint="Used in URLs and the API. Cannot be changed later." taken={taken} />
      <ColourField value={colour} onValue={setColour} />
      <Switch
        label="Protected"
        hint="Changes require the role maintainer."
        checked={isProtected}
        onChecked={setProtected}
      />
    </Dialog>
  )
}
