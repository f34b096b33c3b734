import { type ReactNode, useState } from 'react'
import { Button } from '../button.tsx'
import { TextArea } from '../form/field.tsx'
import { Notice } from '../notice.tsx'
import type { Refusal } from '../refusal.ts'
import { Dialog } from './dialog.tsx'

type ReviewDialogProps = {
  /** Names the thing and the place: `Change checkout-v2 in Production`. */
  title: string
  /** What users will live through, and how many. */
  consequence: ReactNode
  /** A `DiffView`, or whatever shows before and after. */
  diff: ReactNode
  /** `start`: what was typed before, when the dialog comes back. */
  reason: { required: boolean; maxLength: number; start?: string }
  /** Who must say yes before it happens. */
  approval?: ReactNode
  /** The button: `Save to Production`. */
  verb: string
  /** The way back, where nothing is being edited. */
  cancel?: string
  busy: boolean
  problem?: Refusal | null | undefined
  /** More than one fault, and what else the dialog should say. */
  children?: ReactNode
  onConfirm: (reason: string) => void
  onClose: () => void
}

/** What every change that reaches users passes: consequence, difference, reason, approval. The reason has the focus. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { title, consequence, diff, reason, approval, verb, busy, problem, onConfirm, onClose } = props
  const [text, setText] = useState(reason.start ?? '')
  const [isChecked, setChecked] = useState(false)
  const isMissing = reason.required && text.trim() === ''

  function confirm() {
    setChecked(true)
    if (!isMissing && !busy) onConfirm(text.trim())
  }

  return (
    <Dialog
      title={title}
      size="wide"
      onClose={onClose}
      onSubmit={confirm}
      footer={
        <>
          <Button onClick={onClose}>{props.cancel ?? 'Keep editing'}</Button>
          <Button type="submit" look="primary" busy={busy}>
            {verb}
          </Button>
        </>
      }
    >
      {problem && <Notice title={problem.title} detail={problem.detail} requestId={problem.requestId} />}
      {props.children}
      <div className="text-pretty">{consequence}</div>
      {diff}
      <TextArea
        label={reason.required ? 'Reason' : 'Reason (optional)'}
        hint="Shown in the history."
        fault={isChecked && isMissing ? 'Enter a reason.' : undefined}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maxLength={reason.maxLength}
        rows={2}
        autoFocus
      />
      {approval && <Notice tone="info" title="Needs approval" detail={approval} />}
    </Dialog>
  )
}
