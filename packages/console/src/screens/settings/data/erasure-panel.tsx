import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { type FormEvent, useState } from 'react'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { erasePerson, erasuresQuery } from '../../../api/privacy.ts'
import { toProblem } from '../../../api/problem.ts'
import { useMay } from '../../../shell/account.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { ErasureReceipts } from './erasure-receipts.tsx'
import { useExport } from './export-person.tsx'

type EnvironmentRef = { project: string; env: string }

export function ErasurePanel({ place }: { place: EnvironmentRef }) {
  const mayErase = useMay('privacy.manage', place.env)
  if (!mayErase) {
    return (
      <Panel title="Erase or export a user">
        <p className="text-text-2">
          Only admins of the project can erase and export users, and see the receipts.
        </p>
      </Panel>
    )
  }
  return (
    <Panel title="Erase or export a user" flush>
      <EraseForm place={place} />
      <ErasureReceipts place={place} />
    </Panel>
  )
}

function EraseForm({ place }: { place: EnvironmentRef }) {
  const [key, setKey] = useState('')
  const [anonymousId, setAnonymousId] = useState('')
  const [idempotencyKey, setIdempotencyKey] = useState<string>()
  const queryClient = useQueryClient()
  const person = {
    ...(key.trim() !== '' && { targetingKey: key.trim() }),
    ...(anonymousId.trim() !== '' && { anonymousId: anonymousId.trim() }),
  }
  const isNamed = Object.keys(person).length > 0
  const erasing = useMutation({
    mutationFn: erasePerson,
    onSuccess: async () => {
      setIdempotencyKey(undefined)
      setKey('')
      setAnonymousId('')
      showToast({ text: 'Erasure started. See its receipt in the list.' })
      await queryClient.invalidateQueries({ queryKey: erasuresQuery(place).queryKey })
    },
  })
  const exporting = useExport({ place, person, disabled: !isNamed })
  const ask = (event: FormEvent) => {
    event.preventDefault()
    erasing.reset()
    if (isNamed) setIdempotencyKey(newIdempotencyKey())
  }

  return (
    <form className="grid gap-12 px-14 py-12" onSubmit={ask}>
      <div className="grid items-start gap-12 wide:grid-cols-2">
        <Field
          label="Targeting key"
          hint="The user key of the application."
          code
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          maxLength={limits.targetingKeyLength}
          autoComplete="off"
          spellCheck={false}
        />
        <Field
          label="Anonymous id"
          hint="Identifies one browser of a user who is not signed in."
          code
          value={anonymousId}
          onChange={(event) => setAnonymousId(event.currentTarget.value)}
          maxLength={limits.targetingKeyLength}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <div className="flex flex-wrap items-center gap-8">
        {exporting.button}
        <Button type="submit" look="danger" disabled={!isNamed}>
          Erase…
        </Button>
      </div>
      {exporting.status}
      {idempotencyKey !== undefined && (
        <ConfirmDialog
          title={`Erase ${Object.values(person).join(' and ')}`}
          consequence="Deletes the identity, its overrides, and every session, event and replay of this user in this environment. Late data is refused for 48 hours. The receipt lists what remains, such as backups, and until when. This cannot be undone."
          verb="Erase user"
          typed={Object.values(person)[0] ?? ''}
          busy={erasing.isPending}
          problem={erasing.error && toProblem(erasing.error)}
          onConfirm={() => erasing.mutate({ ...place, person, idempotencyKey })}
          onClose={() => setIdempotencyKey(undefined)}
        />
      )}
    </form>
  )
}
