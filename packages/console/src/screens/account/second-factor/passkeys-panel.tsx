import { browserText } from '@telltale/core/browser-text'
import { useState } from 'react'
import { createPasskey } from '../../../api/passkey.ts'
import {
  addPasskey,
  type Passkey,
  removePasskey,
  type SecondFactor,
  startPasskey,
} from '../../../api/second-factor.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { Time, TimeAgo } from '../../../ui/text/time.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { useFactorChange } from './use-factor-change.ts'

interface PasskeysPanelProps {
  secondFactor: SecondFactor
  onCodes: (codes: readonly string[] | null) => void
}

export function PasskeysPanel({ secondFactor, onCodes }: PasskeysPanelProps) {
  const { passkeys, passkeysPossible } = secondFactor
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Passkey>()
  const adding = useFactorChange(register, (added) => {
    setAdding(false)
    if (added === undefined) return showToast({ text: 'No passkey was created.' })
    showToast({ text: 'Passkey added. All other sessions have ended.' })
    onCodes(added.recoveryCodes)
  })
  const removing = useFactorChange(removePasskey, () => {
    setRemoved(undefined)
    showToast({ text: 'Passkey removed.' })
  })
  const rows = [
    { id: 'name', header: 'Name', cell: ({ name }: Passkey) => name },
    { id: 'created', header: 'Added', cell: ({ createdAt }: Passkey) => <Time at={createdAt} /> },
    {
      id: 'used',
      header: 'Last used',
      cell: ({ lastUsedAt }: Passkey) => <TimeAgo at={lastUsedAt} none="never" />,
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'end' as const,
      cell: (passkey: Passkey) => (
        <Button
          size="small"
          look="danger"
          onClick={() => setRemoved(passkey)}
          aria-label={`Remove passkey ${passkey.name}`}
        >
          Remove
        </Button>
      ),
    },
  ]
  return (
    <Panel title="Passkeys">
      <div className="grid min-w-0 justify-items-start gap-12">
        <p className="text-text-2">
          Your device, its password manager or a security key signs in, also without a password.
        </p>
        {passkeys.length > 0 && (
          <div className="w-full min-w-0">
            <PlainTable label="Passkeys" rows={passkeys} rowId={({ id }) => id} columns={rows} />
          </div>
        )}
        {!passkeysPossible && (
          <p className="text-12 text-text-3">
            Browsers allow passkeys only at an HTTPS address with a name, and at localhost.
          </p>
        )}
        <Button disabled={!passkeysPossible} onClick={() => setAdding(true)}>
          Add passkey…
        </Button>
      </div>
      {isAdding && (
        <PasswordDialog
          title="Add passkey"
          name={{ label: 'Name of the device or key', usual: browserText(navigator.userAgent) }}
          busy={adding.isPending}
          problem={adding.problem}
          onSubmit={adding.run}
          onClose={() => setAdding(false)}
        />
      )}
      {removed && (
        <ConfirmDialog
          title={`Remove passkey ${removed.name}`}
          consequence="It no longer signs in. Delete it on the device as well."
          verb="Remove"
          danger
          busy={removing.isPending}
          problem={removing.problem}
          onConfirm={() => removing.run(removed.id)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Panel>
  )
}

/** Undefined if the user cancels. */
async function register({ password, name }: { password: string; name: string }) {
  const { token, options } = await startPasskey(password)
  const passkey = await createPasskey(options)
  return passkey === undefined ? undefined : addPasskey({ token, name, passkey })
}
