import { useMutation } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import { type ApiToken, createToken } from '../../api/tokens.ts'
import { Field } from '../../ui/form/field.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'
import { TokenRightsFields, toTokenBody, usualRights } from './token-rights.tsx'

type NewTokenProps = {
  onMade: (made: { token: ApiToken; value: string }) => void
  onClose: () => void
}

export function NewToken({ onMade, onClose }: NewTokenProps) {
  const [name, setName] = useState('')
  const [rights, setRights] = useState(usualRights)
  const [openedAt] = useState(() => Date.now())
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  const [isChecked, setChecked] = useState(false)
  const creation = useMutation({ mutationFn: createToken, onSuccess: onMade })
  const problem = creation.error && toProblem(creation.error)

  /** Edits after a failure need a new idempotency key. */
  const edited = () => setIdempotencyKey(newIdempotencyKey())

  function submit() {
    setChecked(true)
    if (name.trim() === '' || creation.isPending) return
    creation.mutate({ idempotencyKey, draft: { name: name.trim(), ...toTokenBody(rights, openedAt) } })
  }

  return (
    <Dialog
      title="New API token"
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Create token" busy={creation.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={problem} />
      <Field
        label="Name"
        hint="For example, the script that uses it."
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value)
          edited()
        }}
        maxLength={limits.nameLength}
        fault={isChecked && name.trim() === '' ? 'Enter a name.' : undefined}
        autoComplete="off"
      />
      <TokenRightsFields
        rights={rights}
        onRights={(next) => {
          setRights(next)
          edited()
        }}
      />
    </Dialog>
  )
}
