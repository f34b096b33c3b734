import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { signIn } from '../api/accounts.ts'
import { toProblem } from '../api/problem.ts'
import { finishSignIn } from '../api/second-factor.ts'
import { noteSignedIn } from '../api/session.ts'
import { ProofForm } from '../features/second-factor/proof-form.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { useAccount } from './account.ts'

/** The session ended while the user was working: after entering the password, all input is still there. */
export function SignInAgain() {
  const { user } = useAccount()
  const queryClient = useQueryClient()
  const [password, setPassword] = useState('')
  const attempt = useMutation({
    mutationFn: signIn,
    meta: { asksForPassword: true },
    onSuccess: ({ challenge }) => (challenge === null ? goOn() : undefined),
  })
  const proving = useMutation({
    mutationFn: finishSignIn,
    meta: { asksForPassword: true },
    onSuccess: goOn,
  })
  function goOn() {
    noteSignedIn()
    void queryClient.invalidateQueries()
  }
  const challenge = attempt.data?.challenge
  if (challenge) {
    return (
      <Dialog
        title="Sign in again"
        description="Your session ended. This screen keeps your input."
        size="small"
        onClose={() => undefined}
      >
        <ProofForm
          challenge={challenge}
          busy={proving.isPending}
          problem={proving.error && toProblem(proving.error)}
          verb="Sign in"
          onProof={(proof) => proving.mutate({ token: challenge.token, proof })}
          onCancel={attempt.reset}
        />
      </Dialog>
    )
  }
  const problem = attempt.error && toProblem(attempt.error)

  return (
    <Dialog
      title="Sign in again"
      description="Your session ended. This screen keeps your input."
      size="small"
      onClose={() => undefined}
      onSubmit={() => attempt.mutate({ email: user.email, password })}
      footer={
        <>
          <Button look="quiet" onClick={() => window.location.assign('/sign-in')}>
            Use another account
          </Button>
          <Button type="submit" look="primary" busy={attempt.isPending}>
            Sign in
          </Button>
        </>
      }
    >
      {problem && (
        <Notice
          title={problem.is('unauthenticated') ? 'The password is wrong' : problem.title}
          detail={problem.is('unauthenticated') ? undefined : problem.detail}
        />
      )}
      <Field label="E-mail" value={user.email} autoComplete="username" readOnly />
      <Field
        label="Password"
        type="password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        autoComplete="current-password"
        autoFocus
      />
    </Dialog>
  )
}
