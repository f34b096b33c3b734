import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Environment } from '../../api/environments.ts'
import { keysQuery, type NewKey, revokeKey, type SdkKey } from '../../api/keys.ts'
import { toProblem } from '../../api/problem.ts'
import { useMay } from '../../shell/account.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/form/choice.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { ShownOnce } from '../../ui/overlay/shown-once.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { NewSecret } from '../../ui/secret.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { ListSection } from '../../ui/table/list-section.tsx'
import { useNow } from '../../ui/text/time.tsx'
import { keyColumns } from './key-columns.tsx'
import { keyStateOf } from './key-state.ts'
import { NewKeyDialog } from './new-key.tsx'
import { RotateKey } from './rotate-key.tsx'

type KeysPanelProps = { project: string; environment: Environment }
type Opened = { kind: 'new' } | { kind: 'rotate' | 'revoke'; key: SdkKey } | { kind: 'made'; made: NewKey }

export function KeysPanel({ project, environment }: KeysPanelProps) {
  const place = { project, env: environment.key }
  const keys = useQuery(keysQuery(project, environment.key))
  const { revoked: showsRevoked } = useSearch({ from: '/p/$project/settings/environments/$environment' })
  const navigate = useNavigate({ from: '/p/$project/settings/environments/$environment' })
  const [opened, setOpened] = useState<Opened>()
  const mayManage = useMay('keys.manage', environment.key)
  // A revoked key ended before its response arrived.
  const now = Math.max(useNow(), keys.dataUpdatedAt)
  const queryClient = useQueryClient()
  const close = () => setOpened(undefined)

  async function finish(made: NewKey) {
    await queryClient.invalidateQueries({ queryKey: keysQuery(project, environment.key).queryKey })
    if (made.key.kind === 'server') return setOpened({ kind: 'made', made })
    close()
    showToast({ text: 'Client key created.' })
  }

  return (
    <ListSection
      title="SDK keys"
      actions={
        <>
          <Switch
            label="Show revoked"
            checked={showsRevoked ?? false}
            onChecked={(on) =>
              void navigate({ search: (before) => ({ ...before, revoked: on || undefined }), replace: true })
            }
          />
          <Button icon="plus" disabled={!mayManage} onClick={() => setOpened({ kind: 'new' })}>
            New key
          </Button>
        </>
      }
    >
      <Async of={keys}>
        {({ items }) => {
          const rows = items.filter((key) => showsRevoked || keyStateOf(key, now) !== 'revoked')
          if (rows.length === 0) {
            return (
              <Empty title="No active keys">
                Applications need a key to evaluate flags: a client key in browsers, a server key on servers.
              </Empty>
            )
          }
          return (
            <DataTable
              label="SDK keys"
              rows={rows}
              rowId={({ id }) => id}
              columns={keyColumns({
                now,
                mayManage,
                onRotate: (key) => setOpened({ kind: 'rotate', key }),
                onRevoke: (key) => setOpened({ kind: 'revoke', key }),
              })}
              sorted
            />
          )
        }}
      </Async>
      {opened?.kind === 'new' && <NewKeyDialog place={place} onMade={finish} onClose={close} />}
      {opened?.kind === 'rotate' && (
        <RotateKey place={place} old={opened.key} onMade={finish} onClose={close} />
      )}
      {opened?.kind === 'revoke' && <RevokeKey place={place} old={opened.key} onClose={close} />}
      {opened?.kind === 'made' && (
        <ShownOnce title="The new server key" onClose={close}>
          <NewSecret name="server key" value={opened.made.value} />
        </ShownOnce>
      )}
    </ListSection>
  )
}

type RevokeKeyProps = { place: { project: string; env: string }; old: SdkKey; onClose: () => void }

function RevokeKey({ place, old, onClose }: RevokeKeyProps) {
  const queryClient = useQueryClient()
  const revocation = useMutation({
    mutationFn: revokeKey,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keysQuery(place.project, place.env).queryKey })
      onClose()
      showToast({ text: 'Key revoked.' })
    },
  })

  return (
    <ConfirmDialog
      title={`Revoke ${old.label || `the ${old.kind} key ${old.prefix}…`}`}
      consequence={
        old.lastUsedAt
          ? 'Applications that use it are refused immediately and keep their current values. To give them time to switch, rotate it instead.'
          : 'It has not been used yet. It will be refused from now on.'
      }
      verb="Revoke key"
      busy={revocation.isPending}
      problem={revocation.error && toProblem(revocation.error)}
      onConfirm={() => revocation.mutate({ ...place, key: old.id })}
      onClose={onClose}
    />
  )
}
