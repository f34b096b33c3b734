import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { toProblem } from '../api/problem.ts'
import { noteSignedIn } from '../api/session.ts'
import { startProviderSignIn } from '../api/sign-in-providers.ts'
import { ProviderTabButton } from '../features/provider/provider-tab-button.tsx'
import { ProofForm } from '../features/second-factor/proof-form.tsx'
import { useSignIn } from '../features/second-factor/use-sign-in.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { useAccount } from './account.ts'

/** The session ended while the user was working: after entering the password, all input is still there. */
export function SignInAgain() {
  const { user, provider } = useAccount()
  const queryClient = useQueryClient()
  const [password, setPassword] = useState('')
  const goOn = useCallback(() => {
    noteSignedIn()
    void queryClient.invalidateQueries()
  }, [queryClient])
  const { attempt, proof, failure } = useSignIn(goOn)
  const about = {
    title: 'Sign in again',
    description: 'Your session ended. This screen keeps your input.',
    size: 'small' as const,
    onClose: () => undefined,
  }
  if (provider) {
    const start = () => startProviderSignIn({ provider: provider.key })
    return (
      <Dialog {...about}>
        <ProviderTabButton text={provider.buttonText} start={start} onDone={goOn} />
      </Dialog>
    )
  }
  if (proof) {
    return (
      <Dialog {...about}>
        <ProofForm {...proof} />
      </Dialog>
    )
  }
  const error = attempt.error ?? failure
  const problem = error && toProblem(error)

  return (
    <Dialog
      {...about}
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
