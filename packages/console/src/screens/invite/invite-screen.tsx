import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import type { FormEvent } from 'react'
import { acceptInvitation, type InvitationView, invitationQuery } from '../../api/invitations.ts'
import { toProblem } from '../../api/problem.ts'
import { noteSignedIn } from '../../api/session.ts'
import { signInOptionsQuery } from '../../api/sign-in-providers.ts'
import { ProviderButtons } from '../../features/provider/provider-buttons.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { tokenOfHash } from '../../ui/text/token-of-hash.ts'

export function InviteScreen() {
  const { token: tokenOfPath } = useParams({ strict: false })
  const token = useLocation({ select: ({ hash }) => tokenOfHash(hash) }) ?? tokenOfPath ?? 'missing'
  const invitation = useQuery(invitationQuery(token))

  if (invitation.data) return <AcceptForm token={token} invitation={invitation.data} />
  if (!invitation.error) {
    return (
      <main className="mx-auto max-w-card px-gutter py-48">
        <Skeleton label="Loading" />
      </main>
    )
  }
  const problem = toProblem(invitation.error)
  const isOver = problem.is('link-expired') || problem.is('not-found')
  return (
    <Page
      title={isOver ? 'Invitation no longer valid' : 'The invitation could not be loaded'}
      lead={isOver ? 'It has expired, was revoked, or has already been used. Ask for a new one.' : undefined}
      narrow
    >
      {!isOver && <ProblemNotice problem={problem} />}
      <div className="flex items-center justify-between gap-16">
        <Link to="/sign-in" className="text-accent underline-offset-2 hover:underline">
          Sign in
        </Link>
        {!isOver && <Button onClick={() => void invitation.refetch()}>Try again</Button>}
      </div>
    </Page>
  )
}

function AcceptForm({ token, invitation }: { token: string; invitation: InvitationView }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const options = useQuery(signInOptionsQuery).data
  const acceptance = useMutation({
    mutationFn: acceptInvitation,
    meta: { asksForPassword: true },
    onSuccess: ({ project }) => {
      queryClient.clear()
      noteSignedIn()
      return navigate({ to: '/p/$project', params: { project }, search: {}, replace: true })
    },
  })
  const problem = acceptance.error && toProblem(acceptance.error)
  const faultAt = (pointer: string) => problem?.errors.find((fault) => fault.pointer === pointer)?.message
  const isWrongPassword = problem?.is('unauthenticated')
  const hasOwnField = faultAt('/password') ?? faultAt('/name') ?? isWrongPassword

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const name = form.get('name')
    acceptance.mutate({
      token,
      password: String(form.get('password')),
      ...(typeof name === 'string' ? { name: name.trim() } : {}),
    })
  }

  return (
    <Page
      title={`Join ${invitation.project.name}`}
      lead={`${invitation.invitedBy ?? 'The owner'} invites you as ${invitation.role}.`}
      narrow
    >
      {options !== undefined && options.providers.length > 0 && (
        <>
          <p className="text-text-2">Sign in as {invitation.email} to join, without a password here.</p>
          <ProviderButtons
            providers={options.providers}
            to={`/p/${invitation.project.key}`}
            look={options.singleSignOnOnly ? 'primary' : 'normal'}
          />
        </>
      )}
      {!hasOwnField && <ProblemNotice problem={problem} />}
      <form className="grid gap-16" onSubmit={submit} hidden={options?.singleSignOnOnly}>
        <Field label="E-mail" value={invitation.email} autoComplete="username" readOnly />
        {!invitation.hasAccount && (
          <Field
            label="Your name"
            name="name"
            autoComplete="name"
            maxLength={limits.nameLength}
            fault={faultAt('/name')}
            required
            autoFocus
          />
        )}
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete={invitation.hasAccount ? 'current-password' : 'new-password'}
          {...(invitation.hasAccount
            ? { hint: 'The password of your existing account.' }
            : { hint: `At least ${limits.passwordMinimum} characters.`, minLength: limits.passwordMinimum })}
          maxLength={limits.passwordMaximum}
          fault={faultAt('/password') ?? (isWrongPassword ? 'The password is wrong.' : undefined)}
          required
        />
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={acceptance.isPending}>
            Join {invitation.project.name}
          </Button>
        </div>
      </form>
    </Page>
  )
}
