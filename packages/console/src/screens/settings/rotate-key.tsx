import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { type NewKey, rotateKey, type SdkKey } from '../../api/keys.ts'
import { toProblem } from '../../api/problem.ts'
import { Select } from '../../ui/form/select.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'

const hour = 3_600_000
const overlaps = [
  { value: 'now', label: 'Ends immediately', span: 0 },
  { value: 'hour', label: 'Works for 1 more hour', span: hour },
  { value: 'day', label: 'Works for 24 more hours', span: 24 * hour },
  { value: 'week', label: 'Works for 7 more days', span: 7 * 24 * hour },
  { value: 'month', label: 'Works for 30 more days', span: 30 * 24 * hour },
] as const

type Overlap = (typeof overlaps)[number]['value']

type RotateKeyProps = {
  place: { project: string; env: string }
  old: SdkKey
  onMade: (made: NewKey) => void
  onClose: () => void
}

export function RotateKey({ place, old, onMade, onClose }: RotateKeyProps) {
  const [overlap, setOverlap] = useState<Overlap>('day')
  // The request contains an instant: each option keeps its own, so that a retry is the same request.
  const [openedAt] = useState(() => Date.now())
  const [idempotencyKey] = useState(newIdempotencyKey)
  const rotation = useMutation({ mutationFn: rotateKey, onSuccess: onMade })
  const problem = rotation.error && toProblem(rotation.error)

  function submit() {
    if (rotation.isPending) return
    const span = overlaps.find(({ value }) => value === overlap)?.span ?? 0
    const revokeAt = span === 0 ? undefined : new Date(openedAt + span).toISOString()
    rotation.mutate({ ...place, key: old.id, revokeAt, idempotencyKey: `${idempotencyKey}-${overlap}` })
  }

  return (
    <Dialog
      title={`Rotate ${old.label || `the ${old.kind} key ${old.prefix}…`}`}
      description="Creates a new key of the same kind with the same label. Switch your applications while both work."
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Rotate key" busy={rotation.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={problem} />
      <Select label="Old key" options={overlaps} value={overlap} onValue={setOverlap} />
    </Dialog>
  )
}
