import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import { type SingleSignOn, setSingleSignOn, signInProvidersQuery } from '../../../api/sign-in-providers.ts'
import { usersQuery } from '../../../api/users.ts'
import { useAccount } from '../../../shell/account.ts'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Badge } from '../../../ui/tag.tsx'

/** Whether a password is enough to sign in, and the owner who keeps one otherwise. */
export function SingleSignOnOnlyPanel({ policy }: { policy: SingleSignOn }) {
  const { user } = useAccount()
  const queryClient = useQueryClient()
  const users = useInfiniteQuery(usersQuery(undefined))
  const [owner, setOwner] = useState(policy.breakGlassOwner ?? user.id)
  const [isConfirming, setConfirming] = useState(false)
  const saving = useMutation({
    mutationFn: setSingleSignOn,
    onSuccess: async () => {
      setConfirming(false)
      await queryClient.invalidateQueries({ queryKey: signInProvidersQuery.queryKey })
    },
  })
  const problem = saving.error && toProblem(saving.error)
  const faults = problem?.errors.map(({ message }) => message).join('; ')
  const shown = problem && { title: problem.title, detail: faults || problem.detail }
  const listed = users.data?.pages.flatMap(({ items }) => items) ?? []
  const owners = listed.filter(({ role, disabledAt }) => role === 'owner' && disabledAt === null)
  const options = owners.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))
  const isOn = policy.singleSignOnOnly
  return (
    <Panel
      title="Single sign-on only"
      actions={
        <>
          {policy.managed && <Badge>Managed</Badge>}
          {isOn && <Badge tone="ok">On</Badge>}
        </>
      }
    >
      <div className="grid max-w-form gap-12">
        <p className="text-pretty text-text-2">
          Passwords and passkeys stop working for everyone but one owner, who can sign in when no provider
          works.
        </p>
        {!isConfirming && <ProblemNotice problem={shown} />}
        <Select
          label="Owner with a password"
          hint="Keep this password in a safe place, and give the account a second factor."
          options={options.length > 0 ? options : [{ value: user.id, label: `${user.name} (${user.email})` }]}
          value={owner}
          onValue={setOwner}
          disabled={isOn || policy.managed}
        />
        <div>
          {isOn ? (
            <Button
              busy={saving.isPending}
              disabled={policy.managed}
              onClick={() => saving.mutate({ singleSignOnOnly: false, breakGlassOwner: null })}
            >
              Allow passwords
            </Button>
          ) : (
            <Button disabled={policy.managed} onClick={() => setConfirming(true)}>
              Require single sign-on…
            </Button>
          )}
        </div>
      </div>
      {isConfirming && (
        <ConfirmDialog
          title="Require single sign-on"
          consequence="Sessions that began with a password end, except yours and that of the chosen owner. API tokens go on working."
          verb="Require single sign-on"
          busy={saving.isPending}
          problem={shown}
          onConfirm={() => saving.mutate({ singleSignOnOnly: true, breakGlassOwner: owner })}
          onClose={() => setConfirming(false)}
        />
      )}
    </Panel>
  )
}
