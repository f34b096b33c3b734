import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { toProblem } from '../../../api/problem.ts'
import { createScimToken, scimTokensQuery } from '../../../api/scim.ts'
import { Field } from '../../../ui/form/field.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'
import { ShownOnce } from '../../../ui/overlay/shown-once.tsx'
import { NewSecret } from '../../../ui/secret.tsx'

export function NewScimToken({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  const [isChecked, setChecked] = useState(false)
  const queryClient = useQueryClient()
  const creation = useMutation({
    mutationFn: createScimToken,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: scimTokensQuery.queryKey }),
  })

  if (creation.data) {
    return (
      <ShownOnce title="The SCIM token" onClose={onClose}>
        <NewSecret name="SCIM token" value={creation.data.value} />
      </ShownOnce>
    )
  }

  function submit() {
    setChecked(true)
    if (name.trim() === '' || creation.isPending) return
    creation.mutate({ name: name.trim(), idempotencyKey })
  }

  return (
    <Dialog
      title="New SCIM token"
      description="Its holder can create, change and deactivate accounts. It works for SCIM only."
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Create token" busy={creation.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={creation.error && toProblem(creation.error)} />
      <Field
        label="Name"
        hint="For example, the identity provider that uses it."
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setIdempotencyKey(newIdempotencyKey())
        }}
        maxLength={limits.nameLength}
        fault={isChecked && name.trim() === '' ? 'Enter a name.' : undefined}
        autoComplete="off"
      />
    </Dialog>
  )
}
