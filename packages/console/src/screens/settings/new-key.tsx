import { useMutation } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { createKey, type NewKey, type SdkKey } from '../../api/keys.ts'
import { toProblem } from '../../api/problem.ts'
import { Radio } from '../../ui/form/choice.tsx'
import { Field } from '../../ui/form/field.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'

const kinds = [
  {
    value: 'client',
    label: 'Client key',
    hint: 'For browsers. Public: evaluates flags for one identity at a time.',
  },
  {
    value: 'server',
    label: 'Server key',
    hint: 'For servers. Secret: reads every rule. Shown only once.',
  },
] as const

type NewKeyDialogProps = {
  place: { project: string; env: string }
  onMade: (made: NewKey) => void
  onClose: () => void
}

export function NewKeyDialog({ place, onMade, onClose }: NewKeyDialogProps) {
  const [kind, setKind] = useState<SdkKey['kind']>('server')
  const [label, setLabel] = useState('')
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  const creation = useMutation({ mutationFn: createKey, onSuccess: onMade })
  const problem = creation.error && toProblem(creation.error)

  /** Edits after a failure need a new idempotency key. */
  function edit(part: { kind?: SdkKey['kind']; label?: string }) {
    if (part.kind) setKind(part.kind)
    if (part.label !== undefined) setLabel(part.label)
    setIdempotencyKey(newIdempotencyKey())
  }

  function submit() {
    if (creation.isPending) return
    const draft = { kind, ...(label.trim() === '' ? {} : { label: label.trim() }) }
    creation.mutate({ ...place, draft, idempotencyKey })
  }

  return (
    <Dialog
      title="New SDK key"
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Create key" busy={creation.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={problem} />
      <Radio label="Kind" choices={kinds} value={kind} onValue={(next) => edit({ kind: next })} />
      <Field
        label="Label (optional)"
        hint="For example, the application that uses it."
        value={label}
        onChange={(event) => edit({ label: event.currentTarget.value })}
        maxLength={limits.nameLength}
        autoComplete="off"
      />
    </Dialog>
  )
}
