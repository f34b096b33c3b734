import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { type FormEvent, useState } from 'react'
import { changePassword, sessionsQuery } from '../../api/accounts.ts'
import { toProblem } from '../../api/problem.ts'
import { useAccount } from '../../shell/account.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { Panel } from '../../ui/panel.tsx'

export function PasswordPanel() {
  const { user } = useAccount()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [isChecked, setChecked] = useState(false)
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: changePassword,
    meta: { asksForPassword: true },
    onSuccess: async () => {
      setCurrent('')
      setNext('')
      setChecked(false)
      showToast({ text: 'Password changed. All other sessions have ended.' })
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  })
  const problem = saving.error && toProblem(saving.error)
  const faultAt = (pointer: string) => problem?.errors.find((fault) => fault.pointer === pointer)?.message
  const isWrong = faultAt('/current') !== undefined
  const isShort = next.length < limits.passwordMinimum
  const hasOwnField = isWrong || faultAt('/next') !== undefined

  function submit(event: FormEvent) {
    event.preventDefault()
    setChecked(true)
    if (current !== '' && !isShort && !saving.isPending) saving.mutate({ current, next })
  }

  return (
    <Panel title="Password">
      <form className="grid max-w-form gap-16" noValidate onSubmit={submit}>
        {!hasOwnField && <ProblemNotice problem={problem} />}
        {/* Password managers need the account name. */}
        <input type="hidden" autoComplete="username" value={user.email} readOnly />
        <Field
          label="Current password"
          type="password"
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          fault={
            isWrong
              ? 'The password is wrong.'
              : isChecked && current === ''
                ? 'Enter your password.'
                : undefined
          }
          disabled={user.managed}
          autoComplete="current-password"
        />
        <Field
          label="New password"
          type="password"
          hint={`At least ${limits.passwordMinimum} characters. All other sessions end.`}
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
          maxLength={limits.passwordMaximum}
          fault={
            faultAt('/next') ??
            (isChecked && isShort ? `Use at least ${limits.passwordMinimum} characters.` : undefined)
          }
          disabled={user.managed}
          autoComplete="new-password"
        />
        <div>
          <Button type="submit" busy={saving.isPending} disabled={user.managed}>
            Change password
          </Button>
        </div>
      </form>
    </Panel>
  )
}
