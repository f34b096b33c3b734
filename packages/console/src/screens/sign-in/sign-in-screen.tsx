import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { accountQuery } from '../../api/accounts.ts'
import { signWithPasskey } from '../../api/passkey.ts'
import { type Problem, toProblem } from '../../api/problem.ts'
import { finishSignIn, startPasskeySignIn } from '../../api/second-factor.ts'
import { noteSignedIn } from '../../api/session.ts'
import { signInOptionsQuery } from '../../api/sign-in-providers.ts'
import { ProviderButtons } from '../../features/provider/provider-buttons.tsx'
import { ProofForm } from '../../features/second-factor/proof-form.tsx'
import { useSignIn } from '../../features/second-factor/use-sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'

export function SignInScreen() {
  const { to } = useSearch({ from: '/sign-in' })
  const router = useRouter()
  const queryClient = useQueryClient()
  const password = useRef<HTMLInputElement>(null)
  const options = useQuery(signInOptionsQuery)
  const providers = options.data?.providers ?? []
  const [wantsPassword, setWantsPassword] = useState(false)
  const { attempt, proof, failure: challengeFailure } = useSignIn(enter)
  const byPasskey = useMutation({
    mutationFn: passkeyAlone,
    meta: { asksForPassword: true },
    onSuccess: (signed) => signed && enter(),
  })

  async function enter() {
    queryClient.clear()
    await queryClient.fetchQuery(accountQuery)
    noteSignedIn()
    router.history.replace(to ?? '/')
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (attempt.isPending) return
    const form = new FormData(event.currentTarget)
    const credentials = {
      email: String(form.get('email')).trim(),
      password: String(form.get('password')),
    }
    attempt.mutate(credentials, { onError: () => password.current?.select() })
  }

  if (proof) {
    return (
      <Page title="Second factor" narrow>
        <ProofForm {...proof} />
      </Page>
    )
  }
  const failure = attempt.error ?? byPasskey.error ?? challengeFailure
  const isPasswordShown = !options.data?.singleSignOnOnly || wantsPassword
  return (
    <Page title="Sign in" narrow>
      {failure && <Trouble problem={toProblem(failure)} isPassword={failure === attempt.error} />}
      {providers.length > 0 && (
        <ProviderButtons providers={providers} to={to} look={isPasswordShown ? 'normal' : 'primary'} />
      )}
      {isPasswordShown ? (
        <>
          <form className="grid gap-16" onSubmit={submit}>
            <Field label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
            <Field
              ref={password}
              label="Password"
              name="password"
              type="password"
              autoComplete="current-password"
              required
            />
            <div className="flex items-center justify-between gap-16">
              <Link to="/password-reset" className="text-accent underline-offset-2 hover:underline">
                Forgot password
              </Link>
              <Button type="submit" look="primary" busy={attempt.isPending}>
                {attempt.isPending ? 'Signing in…' : 'Sign in'}
              </Button>
            </div>
          </form>
          <Button icon="key" busy={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
            Use a passkey instead
          </Button>
        </>
      ) : (
        <Button look="quiet" onClick={() => setWantsPassword(true)}>
          Use a password
        </Button>
      )}
    </Page>
  )
}

/** Undefined if the user cancels: the form is still there. */
async function passkeyAlone() {
  const { token, passkey } = await startPasskeySignIn()
  const proof = passkey === null ? undefined : await signWithPasskey(passkey)
  return proof === undefined ? undefined : finishSignIn({ token, proof })
}

/** One message for both fields: it must not reveal which one is wrong. */
function Trouble({ problem, isPassword }: { problem: Problem; isPassword: boolean }) {
  if (problem.is('rate-limited')) {
    const seconds = Math.max(1, problem.retryAfterSeconds ?? 60)
    return (
      <Notice
        title="Too many attempts"
        detail={`Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then try again.`}
      />
    )
  }
  if (problem.is('unauthenticated') && !isPassword)
    return <Notice title="The passkey is not known here" detail="Sign in with your password." />
  if (isPassword && (problem.is('unauthenticated') || problem.is('invalid-request'))) {
    return <Notice title="Wrong e-mail or password" detail="Check both, then try again." />
  }
  return <ProblemNotice problem={problem} />
}
