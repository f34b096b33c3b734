import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { accountQuery } from '../../api/accounts.ts'
import { changeRoles, type Member, membersQuery, type RolesDraft, removeMember } from '../../api/members.ts'
import { toProblem } from '../../api/problem.ts'
import { rolesQuery } from '../../api/roles.ts'
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
import { RolesDialog } from './roles-dialog.tsx'
import { TeamsPanel } from './teams-panel.tsx'

export function MembersScreen() {
  const { project, environments } = useScope()
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
      title="Members"
      actions={
        <Button look="primary" icon="mail" disabled={!mayManage} onClick={invite}>
          Invite
        </Button>
      }
    >
      <MayNotice permission="members.manage" />
      <Members project={project} mayManage={mayManage} onInvite={invite} />
      <TeamsPanel project={project} environments={environments} mayManage={mayManage} />
      {mayManage && <InvitationsPanel project={project} />}
      <RoleList project={project} />
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
  const roles = useQuery(rolesQuery(project)).data ?? []
  const { environments } = useScope()
  const { user } = useAccount()
  const [leaving, setLeaving] = useState<Member>()
  const [editing, setEditing] = useState<Member>()
  const { changing, change } = useRoleChange(project, () => setEditing(undefined))
  const problem = changing.error && toProblem(changing.error)

  return (
    <ListSection title="Members">
      {!editing && <ProblemNotice problem={problem} />}
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
              roles,
              environments,
              onRole: (member, role) => void change(member, { role }),
              onEdit: (member) => {
                changing.reset()
                setEditing(member)
              },
              onRemove: setLeaving,
            })}
            more={members}
            sorted
          />
        )}
      </Async>
      {editing && (
        <RolesDialog
          name={editing.user.name}
          given={editing.direct ?? editing.role}
          there={editing.environments}
          isByGroup={editing.byGroup}
          roles={roles}
          environments={environments}
          busy={changing.isPending}
          problem={problem}
          onSave={(draft) => void change(editing, draft)}
          onClose={() => setEditing(undefined)}
        />
      )}
      {leaving && <Removal project={project} member={leaving} onClose={() => setLeaving(undefined)} />}
    </ListSection>
  )
}

/** Changes the roles of a member, and offers to undo it. */
function useRoleChange(project: string, onDone: () => void) {
  const queryClient = useQueryClient()
  const changing = useMutation({
    mutationFn: changeRoles,
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: membersQuery(project).queryKey }),
        queryClient.invalidateQueries({ queryKey: accountQuery.queryKey, exact: true }),
      ]),
  })

  async function change(member: Member, draft: RolesDraft) {
    const place = { project, user: member.user.id }
    const { environments: there } = member
    const role = member.direct ?? member.role
    await changing.mutateAsync({ ...place, draft }).then(
      () => {
        onDone()
        const isElsewhere = draft.environments !== undefined
        showToast({
          text: isElsewhere
            ? `Roles of ${member.user.name} saved.`
            : `${member.user.name} is ${draft.role ?? role} now.`,
          undo: () =>
            changing.mutate({
              ...place,
              draft: { ...(draft.role && { role }), ...(isElsewhere && { environments: there }) },
            }),
        })
      },
      () => 'see the notice above the table',
    )
  }

  return { changing, change }
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

function RoleList({ project }: { project: string }) {
  const roles = useQuery(rolesQuery(project)).data ?? []
  return (
    <div className="grid gap-8">
      <dl className="grid max-w-read grid-cols-[auto_minmax(0,1fr)] gap-x-16 gap-y-4 text-12 text-text-2">
        {roles.map(({ key, name, description }) => (
          <div key={key} className="contents">
            <dt className="font-medium text-text [overflow-wrap:anywhere]">{name}</dt>
            <dd className="[overflow-wrap:anywhere]">{description}</dd>
          </div>
        ))}
      </dl>
      <p className="text-12">
        <Link to="/p/$project/settings/roles" params={{ project }} className="text-accent underline">
          All permissions, and own roles
        </Link>
      </p>
    </div>
  )
}
