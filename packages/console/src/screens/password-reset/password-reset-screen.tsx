import { useMutation } from '@tanstack/react-query'
import { Link, useLocation, useSearch } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import type { FormEvent } from 'react'
import { requestPasswordReset, resetPassword } from '../../api/accounts.ts'
import { toProblem } from '../../api/problem.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { tokenOfHash } from '../../ui/text/token-of-hash.ts'

/** Without a token: request a link. With a token: set the new password. Earlier links had it in the query. */
export function PasswordResetScreen() {
  const { token: tokenOfQuery } = useSearch({ from: '/password-reset' })
  const token = useLocation({ select: ({ hash }) => tokenOfHash(hash) }) ?? tokenOfQuery
  return token === undefined ? <AskForLink /> : <NewPassword token={token} />
}

function AskForLink() {
  const asking = useMutation({ mutationFn: requestPasswordReset })
  const problem = asking.error && toProblem(asking.error)

  if (asking.data) {
    return (
      <Page
        title={asking.data.mail ? 'Check your e-mail' : 'Ask an owner'}
        lead={
          asking.data.mail
            ? 'If there is an account for this address, we have sent a link. It works once, for one hour.'
            : 'This installation cannot send e-mail. An owner can create a link for you, or run telltale reset-password on the host.'
        }
        narrow
      >
        <BackToSignIn />
      </Page>
    )
  }
  return (
    <Page title="Forgot password" lead="We e-mail you a link to set a new password." narrow>
      <ProblemNotice problem={problem} />
      <form className="grid gap-16" onSubmit={(event) => submitText(event, 'email', asking.mutate)}>
        <Field label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
        <div className="flex items-center justify-between gap-16">
          <BackToSignIn />
          <Button type="submit" look="primary" busy={asking.isPending}>
            Send link
          </Button>
        </div>
      </form>
    </Page>
  )
}

function NewPassword({ token }: { token: string }) {
  const change = useMutation({ mutationFn: resetPassword, meta: { asksForPassword: true } })
  const problem = change.error && toProblem(change.error)
  const fault = problem?.errors.find(({ pointer }) => pointer === '/password')?.message

  if (change.isSuccess) {
    return (
      <Page title="Password changed" lead="All other sessions have ended." narrow>
        <div>
          <Link to="/sign-in" className={buttonClass('primary')}>
            Sign in
          </Link>
        </div>
      </Page>
    )
  }
  return (
    <Page title="Set a new password" narrow>
      {!fault && <ProblemNotice problem={problem} />}
      <form
        className="grid gap-16"
        onSubmit={(event) => submitText(event, 'password', (password) => change.mutate({ token, password }))}
      >
        <Field
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint={`At least ${limits.passwordMinimum} characters. A few words are easier to remember than symbols.`}
          fault={fault}
          minLength={limits.passwordMinimum}
          maxLength={limits.passwordMaximum}
          required
          autoFocus
        />
        <div className="flex items-center justify-between gap-16">
          <BackToSignIn />
          <Button type="submit" look="primary" busy={change.isPending}>
            Set password
          </Button>
        </div>
      </form>
    </Page>
  )
}

function BackToSignIn() {
  return (
    <Link to="/sign-in" className="text-accent underline-offset-2 hover:underline">
      Back to sign in
    </Link>
  )
}

function submitText(event: FormEvent<HTMLFormElement>, name: string, send: (text: string) => void): void {
  event.preventDefault()
  send(String(new FormData(event.currentTarget).get(name)).trim())
}
