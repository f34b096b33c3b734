import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { deleteIdentity, type Identity, identitiesKey } from '../../api/identities.ts'
import { toProblem } from '../../api/problem.ts'
import { useMayHere } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Time, TimeAgo } from '../../ui/text/time.tsx'
import { TraitList } from './trait-list.tsx'

/** An identity: its key, when it was seen, and the traits of its last context. */
export function IdentityFacts({ identity }: { identity: Identity }) {
  const { environment } = useScope()
  const mayDelete = useMayHere('privacy.manage')
  const [isDeleting, setDeleting] = useState(false)
  const { targetingKey, lastSeenAt, firstSeenAt } = identity

  return (
    <>
      {lastSeenAt === null && (
        <Notice
          tone="plain"
          title={`Never seen in ${environment.name}`}
          detail="No flags have been evaluated for this key there. Below are the values it would get, based on the key alone. You can already add overrides."
        />
      )}
      <Panel title="Identity">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-16 gap-y-6">
          <dt className="text-text-2">Key</dt>
          <dd className="flex min-w-0">
            <CopyText text={targetingKey} label="Copy the key" />
          </dd>
          <dt className="text-text-2">Last seen</dt>
          <dd>
            <TimeAgo at={lastSeenAt} />
          </dd>
          <dt className="text-text-2">First seen</dt>
          <dd>
            <Time at={firstSeenAt} />
          </dd>
        </dl>
      </Panel>
      {lastSeenAt !== null && (
        <Panel
          title="Traits"
          footer={
            <Button
              size="small"
              look="danger"
              icon="trash"
              disabled={!mayDelete}
              title={mayDelete ? undefined : "Only admins of the project can delete a user's data."}
              onClick={() => setDeleting(true)}
            >
              Delete user data
            </Button>
          }
        >
          <TraitList traits={identity.traits} masked={identity.masked} />
        </Panel>
      )}
      {isDeleting && <DeleteDialog targetingKey={targetingKey} onClose={() => setDeleting(false)} />}
    </>
  )
}

const typedAtMost = 64

function DeleteDialog({ targetingKey, onClose }: { targetingKey: string; onClose: () => void }) {
  const { project, environment } = useScope()
  const place = { project, env: environment.key }
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const deletion = useMutation({
    mutationFn: deleteIdentity,
    onSuccess: async () => {
      showToast({ text: `Data of ${shortKey(targetingKey)} in ${environment.name} deleted.` })
      await navigate({ to: '/p/$project/identities', params: { project }, search: {} })
      queryClient.removeQueries({ queryKey: [...identitiesKey(place), 'one', targetingKey] })
      await queryClient.invalidateQueries({ queryKey: identitiesKey(place) })
    },
  })

  return (
    <ConfirmDialog
      title={`Delete data of ${shortKey(targetingKey)} in ${environment.name}`}
      consequence="Permanently deletes its traits, activity and overrides in this environment. The identity is created again when next seen."
      verb="Delete data"
      // Do not require typing five hundred characters.
      typed={[...targetingKey].length <= typedAtMost ? targetingKey : 'delete'}
      busy={deletion.isPending}
      problem={deletion.error && toProblem(deletion.error)}
      onConfirm={() => deletion.mutate({ place, targetingKey })}
      onClose={onClose}
    />
  )
}

export function shortKey(targetingKey: string): string {
  const characters = [...targetingKey]
  return characters.length > typedAtMost ? `${characters.slice(0, typedAtMost).join('')}…` : targetingKey
}
