import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { type FormEvent, useState } from 'react'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { type Erasure, erasePerson, erasuresQuery } from '../../../api/privacy.ts'
import { toProblem } from '../../../api/problem.ts'
import { useMay } from '../../../shell/account.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import { Time } from '../../../ui/time.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useExport } from './export-person.tsx'

type Place = { project: string; env: string }

export function ErasurePanel({ place }: { place: Place }) {
  const mayErase = useMay('privacy.manage')
  if (!mayErase) {
    return (
      <Panel title="Erase or export a person">
        <p className="text-text-2">
          Only admins of the project erase and export people, and see the receipts.
        </p>
      </Panel>
    )
  }
  return (
    <Panel title="Erase or export a person" flush>
      <EraseForm place={place} />
      <Receipts place={place} />
    </Panel>
  )
}

function EraseForm({ place }: { place: Place }) {
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
      showToast({ text: 'The erasure has begun. Its receipt is in the list.' })
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
          hint="As the application names the person."
          code
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          maxLength={limits.targetingKeyLength}
          autoComplete="off"
          spellCheck={false}
        />
        <Field
          label="Anonymous id"
          hint="Of one browser, for somebody who never signed in."
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
          consequence="Deletes the identity, its overrides, and every session, event and replay of this person in this environment. What still comes late is refused for 48 hours. There is no way back."
          verb="Erase the person"
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

function Receipts({ place }: { place: Place }) {
  const erasures = useQuery(erasuresQuery(place))
  return (
    <Async
      of={erasures}
      isEmpty={({ items }) => items.length === 0}
      empty={
        <div className="border-line border-t">
          <Empty title="Nobody was erased yet">
            Receipts stay here: how many rows went from which table.
          </Empty>
        </div>
      }
    >
      {({ items }) => (
        <ul aria-label="Receipts">
          {items.map((one) => (
            <li key={one.id} className="grid gap-2 border-line border-t px-14 py-8">
              <span className="flex flex-wrap gap-x-12">
                <code className="min-w-0 break-words">{one.person}</code>
                <span>{one.state === 'waiting' ? 'Waiting for the telemetry store' : 'Erased'}</span>
                <span className="text-text-3">
                  <Time at={one.requestedAt} /> by {one.requestedBy}
                </span>
              </span>
              <span className="text-12 text-text-2">{rowsText(one)}</span>
              <Proof erasure={one} />
            </li>
          ))}
        </ul>
      )}
    </Async>
  )
}

/** What was looked at afterwards, and what is still to come. */
function Proof({ erasure }: { erasure: Erasure }) {
  const { checkedAt, offDiskAt, state, blockedUntil } = erasure
  if (checkedAt === null) return null
  return (
    <ul className="text-12 text-text-3">
      <li>
        Looked through again <Time at={checkedAt} />: nothing was found
      </li>
      <li>
        {offDiskAt === null ? (
          'Replaced files of the store still hold the text; it removes them within some minutes'
        ) : (
          <>
            Gone from the files of the store <Time at={offDiskAt} />
          </>
        )}
      </li>
      {state === 'erased' && (
        <li>
          What comes late is refused until <Time at={blockedUntil} />
        </li>
      )}
    </ul>
  )
}

function rowsText({ tables }: Erasure): string {
  const found = tables.filter(({ rows }) => rows > 0)
  return found.length === 0 ? 'No row so far' : found.map(({ table, rows }) => `${table} ${rows}`).join(', ')
}
