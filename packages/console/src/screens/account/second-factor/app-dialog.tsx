import { useState } from 'react'
import { encode } from 'uqr'
import type { Problem } from '../../../api/problem.ts'
import { CopyText } from '../../../ui/copy.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'

interface AppDialogProps {
  secret: string
  /** The content of the QR code. */
  url: string
  busy: boolean
  problem: Problem | null
  fault: string | undefined
  onCode: (code: string) => void
  onClose: () => void
}

/** The secret as a QR code, and the code that proves that an app has read it. */
export function AppDialog({ secret, url, busy, problem, fault, onCode, onClose }: AppDialogProps) {
  const [code, setCode] = useState('')
  return (
    <Dialog
      title="Add authenticator app"
      description="Scan the code with your app, then enter the six digits that it shows."
      size="small"
      onClose={onClose}
      onSubmit={() => code.length === 6 && !busy && onCode(code)}
      footer={<FormButtons verb="Confirm" busy={busy} onCancel={onClose} />}
    >
      {problem && fault === undefined && <ProblemNotice problem={problem} />}
      <QrCode text={url} />
      <div className="grid gap-4">
        <span className="text-12 text-text-3">Or enter this secret in the app:</span>
        <CopyText text={secret} label="Copy the secret" />
      </div>
      <Field
        label="Code"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value.replaceAll(/\D/g, '').slice(0, 6))}
        fault={fault}
        code
        inputMode="numeric"
        autoComplete="one-time-code"
      />
    </Dialog>
  )
}

/** Dark on light in both themes: most apps read it only so. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label="QR code for the authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      className="w-[200px] justify-self-center rounded-control bg-white"
      shapeRendering="crispEdges"
    >
      <path d={path} fill="black" />
    </svg>
  )
}
