import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { accountQuery } from '../../api/accounts.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import { createProject, projectsQuery } from '../../api/projects.ts'
import { NameAndKeyFields } from '../../ui/form/name-and-key-fields.tsx'
import { useNameAndKey } from '../../ui/form/use-name-and-key.ts'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'

export function NewProject({ onClose }: { onClose: () => void }) {
  // Idempotency key, the same for every attempt of this dialog: a double click or a retry after a timeout
  // creates one project.
  const [idempotencyKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const creation = useMutation({
    mutationFn: createProject,
    onSuccess: async (project) => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey }),
        queryClient.fetchQuery({ ...accountQuery, staleTime: 0 }),
      ])
      showToast({ text: `${project.name} was created with three environments.` })
      await navigate({ to: '/p/$project', params: { project: project.key }, search: {} })
    },
  })
  const { draft, check, fields } = useNameAndKey(creation.reset)
  const problem = creation.error && toProblem(creation.error)
  const taken = problem?.is('already-exists')
    ? 'A project with this key exists. Choose another one.'
    : undefined

  function submit() {
    if (check() && !creation.isPending)
      creation.mutate({ draft, idempotencyKey: `${idempotencyKey}-${draft.key}` })
  }

  return (
    <Dialog
      title="New project"
      description="Usually one application or website."
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Create project" busy={creation.isPending} onCancel={onClose} />}
    >
      {!taken && <ProblemNotice problem={problem} />}
      <NameAndKeyFields {...fields} hint="Used in URLs and the API. Cannot be changed later." taken={taken} />
    </Dialog>
  )
}
