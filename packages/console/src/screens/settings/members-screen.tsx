import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ProjectRole } from '@telltale/core/permissions'
import { useState } from 'react'
import { accountQuery } from '../../api/accounts.ts'
import { changeRole, type Member, membersQuery, removeMember } from '../../api/members.ts'
import { toProblem } from '../../api/problem.ts'
import { useAccount, useMay } from '../../shell/account.ts'
import { MayNotice } from '../../shell/may-notice.tsx'
import { usePaletteEntries } from '../../shell/palette/registry.ts'
import { useScope } from '../../shell/scope-context.ts'
import { SectionScreen } from '../../shell/section-screen.tsx'
import { Button } from '../../ui/button.tsx'
import { FilterBar } from '../../ui/filter/filter-bar.tsx'
import { useShortcut } from '../../ui/keyboard.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { ListSection } from '../../ui/table/list-section.tsx'
import { Avatar, Badge } from '../../ui/tag.tsx'
import { InvitationsPanel } from './invitations-panel.tsx'
import { Invite } from './invite.tsx'
import { memberColumns } from './member-columns.tsx'
import { TeamsPanel } from './teams-panel.tsx'

export function MembersScreen() {
  const { project } = useScope()
  const mayManage = useMay('members.manage')
  const { new: isInviting = false } = useSearch({ from: '/p/$project/settings/members' })
  const navigate = useNavigate()
  const setInviting = (on: boolean) =>
    void navigate({ to: '.', search: (now) => ({ ...now, new: on || undefined }), replace: !on })
  const invite = () => setInviting(true)
  useShortcut(mayManage ? { keys: 'c', label: 'Invite member', run: invite } : undefined)
  usePaletteEntries(
    mayManage
      ? [{ id: 'invite-member', group: 'Do', icon: 'mail', label: 'Invite member', run: invite }]
      : [],
  )

  return (
    <SectionScreen
      of="settings"
      title="Members and roles"
      actions={
        <Button look="primary" icon="mail" disabled={!mayManage} onClick={invite}>
          Invite
        </Button>
      }
    >
      <MayNotice permission="members.manage" />
      <Members project={project} mayManage={mayManage} onInvite={invite} />
      <TeamsPanel project={project} mayManage={mayManage} />
      {mayManage && <InvitationsPanel project={project} />}
      <RoleList />
      {isInviting && mayManage && <Invite project={project} onClose={() => setInviting(false)} />}
    </SectionScreen>
  )
}

type MembersProps = { project: string; mayManage: boolean; onInvite: () => void }

function Members({ project, mayManage, onInvite }: MembersProps) {
  const { q } = useSearch({ from: '/p/$project/settings/members' })
  const navigate = useNavigate({ from: '/p/$project/settings/members' })
  const find = (text: string) =>
    void navigate({ search: (now) => ({ ...now, q: text || undefined }), resetScroll: false })
  const members = useInfiniteQuery(membersQuery(project, q))
  const { user } = useAccount()
  const [leaving, setLeaving] = useState<Member>()
  const queryClient = useQueryClient()
  const changing = useMutation({
    mutationFn: changeRole,
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: membersQuery(project).queryKey }),
        queryClient.invalidateQueries({ queryKey: accountQuery.queryKey, exact: true }),
      ]),
  })
  const problem = changing.error && toProblem(changing.error)

  async function change(member: Member, role: ProjectRole) {
    const place = { project, user: member.user.id }
    await changing.mutateAsync({ ...place, role }).then(
      () =>
        showToast({
          text: `${member.user.name} is ${role} now.`,
          undo: () => changing.mutate({ ...place, role: member.direct ?? member.role }),
        }),
      () => 'see the notice above the table',
    )
  }

  return (
    <ListSection title="Members">
      <ProblemNotice problem={problem} />
      <Owners owners={members.data?.pages[0]?.owners ?? []} own={user.id} />
      <FilterBar label="Filter by name or e-mail" text={q ?? ''} onText={find} />
      <Async
        of={members}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={
          q !== undefined ? (
            <Empty
              title="No matching members"
              action={<Button onClick={() => find('')}>Clear the filter</Button>}
            />
          ) : (
            <Empty
              title="Only owners so far"
              action={
                mayManage && (
                  <Button icon="mail" onClick={onInvite}>
                    Invite member
                  </Button>
                )
              }
            >
              Owners of the installation have access to every project. Invite everyone else with a role.
            </Empty>
          )
        }
      >
        {({ pages }) => (
          <DataTable
            label="Members"
            rows={pages.flatMap(({ items }) => items)}
            rowId={(member) => member.user.id}
            columns={memberColumns({
              own: user.id,
              mayManage,
              isChanging: changing.isPending,
              onRole: (member, role) => void change(member, role),
              onRemove: setLeaving,
            })}
            more={members}
            sorted
          />
        )}
      </Async>
      {leaving && <Removal project={project} member={leaving} onClose={() => setLeaving(undefined)} />}
    </ListSection>
  )
}

type OwnersProps = { owners: readonly { id: string; name: string }[]; own: string }

/** Owners are not members, but have every permission. */
function Owners({ owners, own }: OwnersProps) {
  if (owners.length === 0) return null
  return (
    <ul aria-label="Owners of the installation" className="flex flex-wrap gap-x-16 gap-y-8 pb-12">
      {owners.map(({ id, name }) => (
        <li key={id} className="flex min-w-0 items-center gap-8">
          <Avatar name={name} />
          <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{name}</span>
          <Badge>Owner</Badge>
          {id === own && <Badge>You</Badge>}
        </li>
      ))}
    </ul>
  )
}

type RemovalProps = { project: string; member: Member; onClose: () => void }

function Removal({ project, member, onClose }: RemovalProps) {
  const { user } = useAccount()
  const isOwn = member.user.id === user.id
  const queryClient = useQueryClient()
  const removal = useMutation({
    mutationFn: removeMember,
    onSuccess: async () => {
      // Without the project, no query of this screen is possible.
      if (isOwn && user.role !== 'owner') return window.location.assign('/')
      await queryClient.invalidateQueries({ queryKey: membersQuery(project).queryKey })
      onClose()
      showToast({ text: `${member.user.name} removed.` })
    },
  })

  return (
    <ConfirmDialog
      title={isOwn ? 'Leave project' : `Remove ${member.user.name}`}
      consequence={
        isOwn
          ? 'You lose access until an admin invites you again.'
          : 'They lose access to the project, and so do their tokens. The account is kept. You can invite them again.'
      }
      verb={isOwn ? 'Leave project' : 'Remove member'}
      busy={removal.isPending}
      problem={removal.error && toProblem(removal.error)}
      onConfirm={() => removal.mutate({ project, user: member.user.id })}
      onClose={onClose}
    />
  )
}

function RoleList() {
  return (
    <dl className="grid max-w-read grid-cols-[auto_minmax(0,1fr)] gap-x-16 gap-y-4 text-12 text-text-2">
      {roleWords.map(({ role, may }) => (
        <div key={role} className="contents">
          <dt className="font-medium text-text capitalize">{role}</dt>
          <dd>{may}</dd>
        </div>
      ))}
    </dl>
  )
}

const roleWords = [
  { role: 'viewer', may: 'Can view everything except secrets and sensitive traits.' },
  { role: 'editor', may: 'Can also change flags in unprotected environments, and segments.' },
  {
    role: 'maintainer',
    may: 'Can also change flags in protected environments, approve changes and read the audit log.',
  },
  { role: 'admin', may: 'Can also manage environments, keys, members and privacy.' },
]
