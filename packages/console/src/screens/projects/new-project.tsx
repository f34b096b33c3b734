import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { isKey } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { accountQuery } from '../../api/accounts.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import { createProject, projectsQuery } from '../../api/projects.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { keyOf } from '../../ui/key-of.ts'
import { Notice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/toast.tsx'

export function NewProject({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [typedKey, setTypedKey] = useState<string>()
  const [isChecked, setChecked] = useState(false)
  // The same for every try of this dialog: a double click, or a second try after silence, makes one project.
  const [idempotencyKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const key = typedKey ?? keyOf(name)
  const creation = useMutation({
    mutationFn: createProject,
    onSuccess: async (project) => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey }),
        queryClient.fetchQuery({ ...accountQuery, staleTime: 0 }),
      ])
      showToast({ text: `${project.name} is ready, with three environments.` })
      await navigate({ to: '/p/$project', params: { project: project.key }, search: {} })
    },
  })
  const problem = creation.error && toProblem(creation.error)
  const isTaken = problem?.is('already-exists') ?? false
  const faults = isChecked ? findFaults(name, key) : {}

  function submit() {
    setChecked(true)
    const isGood = Object.keys(findFaults(name, key)).length === 0
    if (isGood && !creation.isPending)
      creation.mutate({ draft: { key, name: name.trim() }, idempotencyKey: `${idempotencyKey}-${key}` })
  }

  return (
    <Dialog
      title="New project"
      description="Usually one application or site."
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={creation.isPending}>
            Create the project
          </Button>
        </>
      }
    >
      {problem && !isTaken && (
        <Notice title={problem.title} detail={problem.detail} requestId={problem.requestId} />
      )}
      <Field
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={limits.nameLength}
        fault={faults.name}
        autoComplete="off"
        autoFocus
      />
      <Field
        label="Key"
        code
        value={key}
        onChange={(event) => {
          setTypedKey(event.currentTarget.value)
          creation.reset()
        }}
        maxLength={limits.keyLength}
        hint="Stands in addresses and calls, and never changes."
        fault={faults.key ?? (isTaken ? 'A project with this key exists. Choose another one.' : undefined)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </Dialog>
  )
}

function findFaults(name: string, key: string): { name?: string; key?: string } {
  return {
    ...(name.trim() === '' ? { name: 'Enter a name.' } : {}),
    ...(isKey(key)
      ? {}
      : { key: 'Use small letters, digits, dot, hyphen and underscore; begin with a letter or digit.' }),
  }
}
