import { useState } from 'react'
import { confirmTotp, removeTotp, startTotp } from '../../../api/second-factor.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { AppDialog } from './app-dialog.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { useFactorChange } from './use-factor-change.ts'

interface AppPanelProps {
  since: string | null
  onCodes: (codes: readonly string[] | null) => void
}

export function AppPanel({ since, onCodes }: AppPanelProps) {
  const [step, setStep] = useState<'password' | 'remove'>()
  const [started, setStarted] = useState<{ secret: string; url: string }>()
  const starting = useFactorChange(startTotp, (made) => {
    setStep(undefined)
    setStarted(made)
  })
  const confirming = useFactorChange(confirmTotp, ({ recoveryCodes }) => {
    setStarted(undefined)
    showToast({ text: 'Authenticator app added. All other sessions have ended.' })
    onCodes(recoveryCodes)
  })
  const removing = useFactorChange(removeTotp, () => {
    setStep(undefined)
    showToast({ text: 'Authenticator app removed.' })
  })
  return (
    <Panel title="Authenticator app">
      {since === null ? (
        <div className="grid justify-items-start gap-12">
          <p className="text-text-2">An app on your phone shows a code of six digits at every sign-in.</p>
          <Button onClick={() => setStep('password')}>Add authenticator app…</Button>
        </div>
      ) : (
        <div className="grid justify-items-start gap-12">
          <p className="text-text-2">
            Added <Time at={since} />.
          </p>
          <Button look="danger" onClick={() => setStep('remove')}>
            Remove authenticator app…
          </Button>
        </div>
      )}
      {step === 'password' && (
        <PasswordDialog
          title="Add authenticator app"
          busy={starting.isPending}
          problem={starting.problem}
          onSubmit={({ password }) => starting.run(password)}
          onClose={() => setStep(undefined)}
        />
      )}
      {started && (
        <AppDialog
          {...started}
          busy={confirming.isPending}
          problem={confirming.problem}
          fault={confirming.faultAt('/code')}
          onCode={(code) => confirming.run(code)}
          onClose={() => {
            confirming.reset()
            setStarted(undefined)
          }}
        />
      )}
      {step === 'remove' && (
        <ConfirmDialog
          title="Remove authenticator app"
          consequence="Its codes no longer sign in. Without another second factor, the password alone does."
          verb="Remove"
          danger
          busy={removing.isPending}
          problem={removing.problem}
          onConfirm={() => removing.run()}
          onClose={() => setStep(undefined)}
        />
      )}
    </Panel>
  )
}
