import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import type { Problem } from '../../../api/problem.ts'
import { useAccount } from '../../../shell/account.ts'
import { Field } from '../../../ui/form/field.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'

interface PasswordDialogProps {
  title: string
  /** With a name for what is added. */
  name?: { label: string; usual: string }
  busy: boolean
  problem: Problem | null
  onSubmit: (given: { password: string; name: string }) => void
  onClose: () => void
}

/** Adding a second factor needs the password, so that a stolen session adds none. */
export function PasswordDialog({ title, name, busy, problem, onSubmit, onClose }: PasswordDialogProps) {
  const { user } = useAccount()
  const [password, setPassword] = useState('')
  const [given, setGiven] = useState(name?.usual ?? '')
  const isWrong = problem?.errors.some(({ pointer }) => pointer === '/password')
  return (
    <Dialog
      title={title}
      size="small"
      onClose={onClose}
      onSubmit={() => password !== '' && !busy && onSubmit({ password, name: given.trim() || 'Passkey' })}
      footer={<FormButtons verb="Continue" busy={busy} onCancel={onClose} />}
    >
      {problem && !isWrong && <ProblemNotice problem={problem} />}
      <input type="hidden" autoComplete="username" value={user.email} readOnly />
      {name && (
        <Field
          label={name.label}
          value={given}
          maxLength={limits.nameLength}
          onChange={(event) => setGiven(event.currentTarget.value)}
          autoComplete="off"
        />
      )}
      <Field
        label="Password"
        type="password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        fault={isWrong ? 'The password is wrong.' : undefined}
        autoComplete="current-password"
      />
    </Dialog>
  )
}
