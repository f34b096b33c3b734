import { useState } from 'react'
import { renewRecoveryCodes } from '../../../api/second-factor.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { countOf } from '../../../ui/text/measure-text.ts'
import { useFactorChange } from './use-factor-change.ts'

const few = 3

interface RecoveryPanelProps {
  left: number
  onCodes: (codes: readonly string[]) => void
}

export function RecoveryPanel({ left, onCodes }: RecoveryPanelProps) {
  const [isAsking, setAsking] = useState(false)
  const renewing = useFactorChange(renewRecoveryCodes, ({ recoveryCodes }) => {
    setAsking(false)
    onCodes(recoveryCodes)
  })
  return (
    <Panel title="Recovery codes">
      <div className="grid justify-items-start gap-12">
        <p className={left <= few ? 'text-warn' : 'text-text-2'}>
          {countOf(left, 'code')} left. Each signs in once if you lose your second factor.
        </p>
        <Button onClick={() => setAsking(true)}>New recovery codes…</Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="New recovery codes"
          consequence="The codes from before stop working."
          verb="Create codes"
          danger={false}
          busy={renewing.isPending}
          problem={renewing.problem}
          onConfirm={() => renewing.run()}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  )
}
