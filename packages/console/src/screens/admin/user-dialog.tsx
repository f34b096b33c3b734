import { useMutation, useQueryClient } from '@tanstack/react-query'
import { accountQuery } from '../../api/accounts.ts'
import { toProblem } from '../../api/problem.ts'
import { resetSecondFactor } from '../../api/second-factor.ts'
import {
  deleteUser,
  endUserSessions,
  issuePasswordLink,
  type PasswordLink,
  type User,
  updateUser,
} from '../../api/users.ts'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { ShownOnce } from '../../ui/overlay/shown-once.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { NewSecret } from '../../ui/secret.tsx'
import { Time } from '../../ui/text/time.tsx'

export type UserDialogKind =
  | 'password'
  | 'owner'
  | 'member'
  | 'disable'
  | 'enable'
  | 'delete'
  | 'factor'
  | 'sessions'

interface Words {
  title: (user: User) => string
  consequence: string
  verb: string
  done: (user: User) => string
}

const words: Record<UserDialogKind, Words> = {
  password: {
    title: ({ name }) => `Issue a password link for ${name}`,
    consequence:
      'Anyone with the link can set a new password once, within an hour. This ends all sessions of the account.',
    verb: 'Create link',
    done: () => '',
  },
  owner: {
    title: ({ name }) => `Make ${name} an owner`,
    consequence: 'Owners have full access to every project, manage users, and see this screen.',
    verb: 'Make owner',
    done: ({ name }) => `${name} is now an owner.`,
  },
  member: {
    title: ({ name }) => `Make ${name} a member`,
    consequence: 'They keep only the roles in their projects.',
    verb: 'Make member',
    done: ({ name }) => `${name} is now a member.`,
  },
  disable: {
    title: ({ name }) => `Disable ${name}`,
    consequence:
      'All of their sessions and tokens end immediately. Nothing is deleted, and you can enable the account again.',
    verb: 'Disable user',
    done: ({ name }) => `${name} is disabled.`,
  },
  enable: {
    title: ({ name }) => `Enable ${name}`,
    consequence: 'They can sign in again with their previous roles.',
    verb: 'Enable user',
    done: ({ name }) => `${name} can sign in again.`,
  },
  factor: {
    title: ({ name }) => `Reset the second factor of ${name}`,
    consequence:
      'Removes their authenticator app, passkeys and recovery codes, and ends all of their sessions. They sign in with the password alone. First make sure that the request is really theirs.',
    verb: 'Reset second factor',
    done: ({ name }) => `${name} has no second factor any more.`,
  },
  sessions: {
    title: ({ name }) => `End the sessions of ${name}`,
    consequence: 'Signs them out on all devices. They can sign in again. Their API tokens stay valid.',
    verb: 'End sessions',
    done: ({ name }) => `All sessions of ${name} ended.`,
  },
  delete: {
    title: ({ name }) => `Delete ${name}`,
    consequence:
      'Deletes the account with its memberships, sessions and tokens. The audit log keeps the name. This cannot be undone.',
    verb: 'Delete user',
    done: ({ name }) => `${name} was deleted.`,
  },
}

type UserDialogProps = { kind: UserDialogKind; user: User; onClose: () => void }

export function UserDialog({ kind, user, onClose }: UserDialogProps) {
  const queryClient = useQueryClient()
  const { title, consequence, verb, done } = words[kind]
  const doing = useMutation({
    mutationFn: () => apply(kind, user.id),
    onSuccess: async (link) => {
      if (link) return
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['users'] }),
        queryClient.invalidateQueries({ queryKey: accountQuery.queryKey, exact: true }),
      ])
      onClose()
      showToast({ text: done(user) })
    },
  })

  if (doing.data) {
    return (
      <ShownOnce title={`The password link for ${user.name}`} onClose={onClose}>
        <NewSecret name="link" value={doing.data.url} />
        <p className="text-12 text-text-3">
          Works once, until <Time at={doing.data.expiresAt} />.
        </p>
      </ShownOnce>
    )
  }
  return (
    <ConfirmDialog
      title={title(user)}
      consequence={consequence}
      verb={verb}
      danger={kind === 'delete' || kind === 'disable' || kind === 'factor' || kind === 'sessions'}
      {...(kind === 'delete' ? { typed: user.email } : {})}
      busy={doing.isPending}
      problem={doing.error && toProblem(doing.error)}
      onConfirm={() => doing.mutate()}
      onClose={onClose}
    />
  )
}

async function apply(kind: UserDialogKind, user: string): Promise<PasswordLink | undefined> {
  if (kind === 'password') return issuePasswordLink(user)
  if (kind === 'delete') await deleteUser(user)
  else if (kind === 'factor') await resetSecondFactor(user)
  else if (kind === 'sessions') await endUserSessions(user)
  else if (kind === 'owner' || kind === 'member') await updateUser({ user, change: { role: kind } })
  else await updateUser({ user, change: { disabled: kind === 'disable' } })
  return undefined
}
