import { type ProjectRole, projectRoles } from '@telltale/core/permissions'
import type { Member } from '../../api/members.ts'
import { IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { Column } from '../../ui/table/column.ts'
import { Avatar, Badge } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'

interface MemberColumnsOptions {
  /** The id of the current account. */
  own: string
  mayManage: boolean
  isChanging: boolean
  onRole: (member: Member, role: ProjectRole) => void
  onRemove: (member: Member) => void
}

export const roleOptions = projectRoles.map((role) => ({
  value: role,
  label: role[0]?.toUpperCase() + role.slice(1),
}))

export function memberColumns(requested: MemberColumnsOptions): readonly Column<Member>[] {
  const { own, mayManage, isChanging, onRole, onRemove } = requested
  return [
    {
      id: 'member',
      header: 'Member',
      fixed: true,
      card: 'title',
      cell: ({ user, managed, byGroup }) => (
        <span className="flex min-w-0 items-center gap-10 py-4">
          <Avatar name={user.name} />
          <span className="grid min-w-0">
            <span className="flex min-w-0 flex-wrap items-center gap-x-8">
              <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{user.name}</span>
              {user.id === own && <Badge>You</Badge>}
              {user.disabledAt && <Badge tone="warn">Disabled</Badge>}
              {managed && <Badge>Managed</Badge>}
              {byGroup && <Badge>By group</Badge>}
            </span>
            <span className="text-text-3 [overflow-wrap:anywhere]">{user.email}</span>
          </span>
        </span>
      ),
    },
    {
      id: 'role',
      header: 'Role',
      cell: (member) => (
        <RoleCell
          member={member}
          isFixed={!mayManage || member.managed || member.byGroup || isChanging}
          onRole={(role) => onRole(member, role)}
        />
      ),
    },
    {
      id: 'seen',
      header: 'Last seen',
      cell: ({ user }) => <TimeAgo at={user.lastSeenAt} none="never seen" />,
    },
    {
      id: 'actions',
      header: 'Actions',
      hiddenHeader: true,
      fixed: true,
      align: 'end',
      card: 'aside',
      cell: (member) => (
        <IconButton
          icon="trash"
          label={member.user.id === own ? 'Leave project…' : `Remove ${member.user.name}…`}
          disabled={!mayManage || member.managed || member.byGroup || member.direct === null}
          onClick={() => onRemove(member)}
        />
      ),
    },
  ]
}

type RoleCellProps = { member: Member; isFixed: boolean; onRole: (role: ProjectRole) => void }

/** The own role of a member, and the teams that give one. The highest applies. */
function RoleCell({ member, isFixed, onRole }: RoleCellProps) {
  const { user, role, direct, teams } = member
  return (
    <span className="grid justify-items-start gap-4 py-4">
      {direct === null ? (
        <span className="capitalize">{role}</span>
      ) : (
        <span className="grid w-[14ch]">
          <Select
            label={`Role of ${user.name}`}
            hideLabel
            options={roleOptions}
            value={direct}
            onValue={onRole}
            disabled={isFixed}
          />
        </span>
      )}
      {direct !== null && direct !== role && (
        <span className="text-12 text-text-2">
          In effect: <span className="font-medium">{role}</span>
        </span>
      )}
      {teams.map((team) => (
        <span key={team.key} className="text-12 text-text-3 [overflow-wrap:anywhere]">
          {team.role} by the team {team.name}
        </span>
      ))}
    </span>
  )
}
