import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { type FormEvent, useState } from 'react'
import { type Account, accountQuery, updateAccount } from '../../api/accounts.ts'
import { toProblem } from '../../api/problem.ts'
import { useAccount } from '../../shell/account.ts'
import { Field } from '../../ui/form/field.tsx'
import { UnsavedChanges } from '../../ui/form/unsaved-changes.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { Panel } from '../../ui/panel.tsx'

interface Edits {
  name?: string
  email?: string
  password?: string
}

/** Name and e-mail. Changing the e-mail requires the password, because it is used to sign in. */
export function ProfilePanel() {
  const { user } = useAccount()
  const [edits, setEdits] = useState<Edits>({})
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: updateAccount,
    meta: { asksForPassword: true },
    onSuccess: (saved) => {
      queryClient.setQueryData(accountQuery.queryKey, (known): Account | undefined =>
        known ? { ...known, user: saved } : known,
      )
      setEdits({})
      showToast({ text: 'Profile saved.' })
    },
  })
  const problem = saving.error && toProblem(saving.error)
  const name = edits.name ?? user.name
  const email = edits.email ?? user.email
  const isNewEmail = email.trim() !== user.email
  const isDirty = name.trim() !== user.name || isNewEmail
  const faultAt = (pointer: string) => problem?.errors.find((fault) => fault.pointer === pointer)?.message
  const isWrongPassword = faultAt('/password') !== undefined
  const hasOwnField = ['/name', '/email', '/password'].some((pointer) => faultAt(pointer))

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isDirty || saving.isPending) return
    saving.mutate({
      ...(name.trim() === user.name ? {} : { name: name.trim() }),
      ...(isNewEmail ? { email: email.trim(), password: edits.password ?? '' } : {}),
    })
  }

  return (
    <form className="grid gap-16" onSubmit={submit}>
      <Panel title="Profile" note={user.managed ? 'Managed by the setup file' : undefined}>
        <div className="grid max-w-form gap-16">
          {!hasOwnField && <ProblemNotice problem={problem} />}
          <Field
            label="Name"
            value={name}
            onChange={(event) => setEdits({ ...edits, name: event.currentTarget.value })}
            maxLength={limits.nameLength}
            fault={faultAt('/name') ?? (name.trim() === '' ? 'Enter a name.' : undefined)}
            disabled={user.managed}
            autoComplete="name"
            required
          />
          <Field
            label="E-mail"
            type="email"
            value={email}
            onChange={(event) => setEdits({ ...edits, email: event.currentTarget.value })}
            maxLength={limits.emailLength}
            fault={faultAt('/email')}
            disabled={user.managed}
            autoComplete="username"
            required
          />
          {isNewEmail && (
            <Field
              label="Your password"
              type="password"
              hint="You sign in with the new address from now on."
              value={edits.password ?? ''}
              onChange={(event) => setEdits({ ...edits, password: event.currentTarget.value })}
              fault={isWrongPassword ? 'The password is wrong.' : undefined}
              autoComplete="current-password"
              required
            />
          )}
        </div>
      </Panel>
      <UnsavedChanges
        isDirty={isDirty}
        busy={saving.isPending}
        verb="Save profile"
        onDiscard={() => {
          setEdits({})
          saving.reset()
        }}
      />
    </form>
  )
}
