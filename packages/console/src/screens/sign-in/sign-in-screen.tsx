import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, useRef } from 'react'
import { accountQuery, signIn } from '../../api/accounts.ts'
import { type Problem, toProblem } from '../../api/problem.ts'
import { noteSignedIn } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'

export function SignInScreen() {
  const { to } = useSearch({ from: '/sign-in' })
  const router = useRouter()
  const queryClient = useQueryClient()
  const password = useRef<HTMLInputElement>(null)
  const attempt = useMutation({
    mutationFn: signIn,
    meta: { asksForPassword: true },
    onError: () => password.current?.select(),
    onSuccess: async () => {
      queryClient.clear()
      await queryClient.fetchQuery(accountQuery)
      noteSignedIn()
      router.history.replace(to ?? '/')
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (attempt.isPending) return
    const form = new FormData(event.currentTarget)
    attempt.mutate({ email: String(form.get('email')).trim(), password: String(form.get('password')) })
  }

  return (
    <Page title="Sign in" narrow>
      {attempt.error && <Trouble problem={toProblem(attempt.error)} />}
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
    </Page>
  )
}

/** One message for both fields: it must not reveal which one is wrong. */
function Trouble({ problem }: { problem: Problem }) {
  if (problem.is('rate-limited')) {
    const seconds = Math.max(1, problem.retryAfterSeconds ?? 60)
    return (
      <Notice
        title="Too many attempts"
        detail={`Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then try again.`}
      />
    )
  }
  if (problem.is('unauthenticated') || problem.is('invalid-request')) {
    return <Notice title="Wrong e-mail or password" detail="Check both, then try again." />
  }
  return <ProblemNotice problem={problem} />
}
