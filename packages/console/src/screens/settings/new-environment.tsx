import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { isKey } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { createEnvironment, environmentsQuery } from '../../api/environments.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { EnvironmentColour } from '../../ui/environment-mark.tsx'
import { Field } from '../../ui/field.tsx'
import { keyOf } from '../../ui/key-of.ts'
import { Notice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/toast.tsx'
import { ColourField } from './colour-field.tsx'

export function NewEnvironment({ project, onClose }: { project: string; onClose: () => void }) {
  const [name, setName] = useState('')
  const [typedKey, setTypedKey] = useState<string>()
  const [colour, setColour] = useState<EnvironmentColour>('grey')
  const [isProtected, setProtected] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const [idempotencyKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const key = typedKey ?? keyOf(name)
  const creation = useMutation({
    mutationFn: createEnvironment,
    onSuccess: async (environment) => {
      await queryClient.invalidateQueries({ queryKey: environmentsQuery(project).queryKey })
      showToast({ text: `${environment.name} is ready, with a client key.` })
      await navigate({
        to: '/p/$project/settings/environments/$environment',
        params: { project, environment: environment.key },
      })
    },
  })
  const problem = creation.error && toProblem(creation.error)
  const isTaken = problem?.is('already-exists') ?? false
  const nameFault = name.trim() === '' ? 'Enter a name.' : undefined
  const keyFault = isKey(key)
    ? undefined
    : 'Use small letters, digits, dot, hyphen and underscore; begin with a letter or digit.'

  function submit() {
    setChecked(true)
    if (nameFault || keyFault || creation.isPending) return
    creation.mutate({
      project,
      draft: { key, name: name.trim(), colour, protected: isProtected },
      idempotencyKey: `${idempotencyKey}-${key}`,
    })
  }

  return (
    <Dialog
      title="New environment"
      description="Every flag is off there until somebody turns it on."
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={creation.isPending}>
            Create the environment
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
        fault={isChecked ? nameFault : undefined}
        autoComplete="off"
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
        fault={
          (isChecked ? keyFault : undefined) ??
          (isTaken ? 'An environment with this key exists. Choose another one.' : undefined)
        }
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <ColourField value={colour} onValue={setColour} />
      <Switch
        label="Protected"
        hint="Changes need the role maintainer."
        checked={isProtected}
        onChecked={setProtected}
      />
    </Dialog>
  )
}
