import { type ReactNode, useState } from 'react'
import { Button } from '../button.tsx'
import { Field } from '../form/field.tsx'
import { ProblemNotice } from '../notice.tsx'
import type { Refusal } from '../refusal.ts'
import { Dialog } from './dialog.tsx'

type ConfirmDialogProps = {
  /** A full sentence: `Delete the segment beta-riders`. */
  title: string
  /** The consequences for users and for the team. */
  consequence: ReactNode
  /** The verb on the button. */
  verb: string
  danger?: boolean
  /** Must be typed before the button is enabled. */
  typed?: string
  busy?: boolean
  problem?: Refusal | null | undefined
  onConfirm: () => void
  onClose: () => void
}

/** For actions that cannot be undone. States the consequences instead of asking "Are you sure?". */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, consequence, verb, danger = true, typed, busy = false, problem, onConfirm, onClose } = props
  const [text, setText] = useState('')
  const isTyped = typed === undefined || text === typed

  return (
    <Dialog
      title={title}
      size="normal"
      onClose={onClose}
      onSubmit={() => isTyped && !busy && onConfirm()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look={danger ? 'danger-fill' : 'primary'} disabled={!isTyped} busy={busy}>
            {verb}
          </Button>
        </>
      }
    >
      <ProblemNotice problem={problem} />
      <div className="text-pretty text-text-2">{consequence}</div>
      {typed !== undefined && (
        <Field
          label={`Type ${typed} to confirm`}
          code
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
    </Dialog>
  )
}
