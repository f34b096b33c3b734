import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { isKey } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import { createSegment, segmentsQuery } from '../../api/segments.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { keyOf } from '../../ui/key-of.ts'
import { Notice } from '../../ui/notice.tsx'

/** Name and key first: the conditions are given on the segment's own screen. Until then nobody is in it. */
export function NewSegment({ project, onClose }: { project: string; onClose: () => void }) {
  const [name, setName] = useState('')
  const [typedKey, setTypedKey] = useState<string>()
  const [description, setDescription] = useState('')
  const [isChecked, setChecked] = useState(false)
  // The same for every try of one draft: a double click, or a second try after silence, makes one segment.
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const key = typedKey ?? keyOf(name)
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
  const problem = creation.error && toProblem(creation.error)
  const isTaken = problem?.is('already-exists') ?? false
  const nameFault = isChecked && name.trim() === '' ? 'Enter a name.' : undefined
  const keyFault =
    isChecked && !isKey(key)
      ? 'Use small letters, digits, dot, hyphen and underscore; begin with a letter or digit.'
      : undefined

  function edit(set: (text: string) => void, text: string) {
    set(text)
    setIdempotencyKey(newIdempotencyKey())
    creation.reset()
  }

  function submit() {
    setChecked(true)
    if (name.trim() === '' || !isKey(key) || creation.isPending) return
    creation.mutate({
      project,
      draft: { key, name: name.trim(), description: description.trim(), when: { match: 'any', of: [] } },
      idempotencyKey,
    })
  }

  return (
    <Dialog
      title="New segment"
      description="Its conditions come next. Until then nobody is in it."
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={creation.isPending}>
            Create the segment
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
        onChange={(event) => edit(setName, event.currentTarget.value)}
        maxLength={limits.nameLength}
        fault={nameFault}
        autoComplete="off"
        autoFocus
      />
      <Field
        label="Key"
        code
        value={key}
        onChange={(event) => edit(setTypedKey, event.currentTarget.value)}
        maxLength={limits.keyLength}
        hint="Rules name it. It never changes."
        fault={keyFault ?? (isTaken ? 'A segment with this key exists. Choose another one.' : undefined)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextArea
        label="Description (optional)"
        value={description}
        onChange={(event) => edit(setDescription, event.currentTarget.value)}
        maxLength={limits.descriptionLength}
        rows={2}
      />
    </Dialog>
  )
}
