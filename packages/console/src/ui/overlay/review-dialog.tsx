import { type ReactNode, useState } from 'react'
import { Button } from '../button.tsx'
import { TextArea } from '../form/field.tsx'
import { Notice, ProblemNotice } from '../notice.tsx'
import type { Refusal } from '../refusal.ts'
import { Dialog } from './dialog.tsx'

type ReviewDialogProps = {
  /** Names the item and the environment: `Change checkout-v2 in Production`. */
  title: string
  /** The effect on users, and how many are affected. */
  consequence: ReactNode
  /** A `DiffView`, or any other before-and-after view. */
  diff: ReactNode
  /** `start`: the text typed before, when the dialog reopens. */
  reason: { required: boolean; maxLength: number; start?: string }
  /** Who has to approve it first. */
  approval?: ReactNode
  /** The button: `Save to Production`. */
  verb: string
  /** The cancel label, where nothing is edited. */
  cancel?: string
  busy: boolean
  problem?: Refusal | null | undefined
  /** Several faults, and further notices of the dialog. */
  children?: ReactNode
  onConfirm: (reason: string) => void
  onClose: () => void
}

/**
 * Every change that affects users passes this dialog: consequence, diff, reason, approval. The reason has the
 * focus.
 */
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
      <ProblemNotice problem={problem} />
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
