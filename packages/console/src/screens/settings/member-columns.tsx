import type { Environment } from '../../api/environments.ts'
import type { Member } from '../../api/members.ts'
import type { Role } from '../../api/roles.ts'
import { nameOfRole, roleOptions } from '../../features/roles/role-names.ts'
import { IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { Column } from '../../ui/table/column.ts'
import { Badge } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'
import { UserCell } from '../../ui/user-cell.tsx'
import { EnvironmentRolesCell, textOf } from './environment-roles-cell.tsx'

interface MemberColumnsOptions {
  /** The id of the current account. */
  own: string
  mayManage: boolean
  isChanging: boolean
  roles: readonly Role[]
  environments: readonly Environment[]
  onRole: (member: Member, role: string) => void
  /** Opens the roles in single environments. */
  onEdit: (member: Member) => void
  onRemove: (member: Member) => void
}

export function memberColumns(requested: MemberColumnsOptions): readonly Column<Member>[] {
  const { own, mayManage, isChanging, roles, environments, onRole, onEdit, onRemove } = requested
  return [
    {
      id: 'member',
      header: 'Member',
      // Long texts of roles would break the addresses.
      width: '30%',
      fixed: true,
      card: 'title',
      cell: ({ user, managed, byGroup }) => (
        <UserCell user={user}>
          {user.id === own && <Badge>You</Badge>}
          {user.disabledAt && <Badge tone="warn">Disabled</Badge>}
          {managed && <Badge>Managed</Badge>}
          {byGroup && <Badge>By group</Badge>}
        </UserCell>
      ),
    },
    {
      id: 'role',
      header: 'Role',
      cell: (member) => (
        <RoleCell
          member={member}
          {...{ roles, environments }}
          isFixed={!mayManage || member.managed || member.byGroup || isChanging}
          onRole={(role) => onRole(member, role)}
        />
      ),
    },
    {
      id: 'environments',
      header: 'In environments',
      cell: (member) => (
        <EnvironmentRolesCell
          name={member.user.name}
          there={member.environments}
          {...{ roles, environments }}
          isFixed={!mayManage || member.managed || member.direct === null}
          onEdit={() => onEdit(member)}
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

type RoleCellProps = {
  member: Member
  roles: readonly Role[]
  environments: readonly Environment[]
  isFixed: boolean
  onRole: (role: string) => void
}

/** The own role of a member, and the teams that give one. They apply together. */
function RoleCell({ member, roles, environments, isFixed, onRole }: RoleCellProps) {
  const { user, role, direct, teams } = member
  return (
    <span className="grid justify-items-start gap-4 py-4">
      {direct === null ? (
        <span>{nameOfRole(roles, role)}</span>
      ) : (
        <span className="grid w-[14ch]">
          <Select
            label={`Role of ${user.name}`}
            hideLabel
            options={roleOptions(roles, direct)}
            value={direct}
            onValue={onRole}
            disabled={isFixed}
          />
        </span>
      )}
      {direct !== null && direct !== role && (
        <span className="text-12 text-text-2">
          In effect: <span className="font-medium">{nameOfRole(roles, role)}</span>
        </span>
      )}
      {teams.map((team) => (
        <span key={team.key} className="text-12 text-text-3 [overflow-wrap:anywhere]">
          {nameOfRole(roles, team.role)} by the team {team.name}
          {team.environments.map((each) => `, ${textOf(each, { roles, environments })}`)}
        </span>
      ))}
    </span>
  )
}
