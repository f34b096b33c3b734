import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import { createSegment, segmentsQuery } from '../../api/segments.ts'
import { TextArea } from '../../ui/form/field.tsx'
import { NameAndKeyFields } from '../../ui/form/name-and-key-fields.tsx'
import { useNameAndKey } from '../../ui/form/use-name-and-key.ts'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'

/** Name and key first: the conditions are edited on the segment's screen. Until then it matches no user. */
export function NewSegment({ project, onClose }: { project: string; onClose: () => void }) {
  const [description, setDescription] = useState('')
  // Idempotency key, the same for every attempt with one draft: a double click or a retry after a timeout
  // creates one segment.
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const creation = useMutation({
    mutationFn: createSegment,
    onSuccess: async (segment) => {
      await queryClient.invalidateQueries({ queryKey: segmentsQuery(project).queryKey })
      await navigate({
        to: '/p/$project/segments/$segment',
        params: { project, segment: segment.key },
        replace: true,
      })
    },
  })
  const { draft, check, fields } = useNameAndKey(changed)
  const problem = creation.error && toProblem(creation.error)
  const taken = problem?.is('already-exists')
    ? 'A segment with this key exists. Choose another one.'
    : undefined

  function changed() {
    setIdempotencyKey(newIdempotencyKey())
    creation.reset()
  }

  function submit() {
    if (!check() || creation.isPending) return
    creation.mutate({
      project,
      draft: { ...draft, description: description.trim(), when: { match: 'any', of: [] } },
      idempotencyKey,
    })
  }

  return (
    <Dialog
      title="New segment"
      description="Add conditions next. Until then the segment is empty."
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Create segment" busy={creation.isPending} onCancel={onClose} />}
    >
      {!taken && <ProblemNotice problem={problem} />}
      <NameAndKeyFields {...fields} hint="Used in rules. Cannot be changed later." taken={taken} />
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
