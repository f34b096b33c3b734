import type { User } from '../../api/users.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/overlay/menu.tsx'
import type { Column } from '../../ui/table/column.ts'
import { Badge } from '../../ui/tag.tsx'
import { Time, TimeAgo } from '../../ui/text/time.tsx'
import { UserCell } from '../../ui/user-cell.tsx'
import type { UserDialogKind } from './user-dialog.tsx'

interface UserColumnsOptions {
  own: string
  onOpen: (kind: UserDialogKind, user: User) => void
}

export function userColumns({ own, onOpen }: UserColumnsOptions): readonly Column<User>[] {
  return [
    {
      id: 'user',
      header: 'User',
      fixed: true,
      card: 'title',
      cell: (user) => (
        <UserCell user={user}>
          {user.id === own && <Badge>You</Badge>}
          {user.managed && <Badge>Managed</Badge>}
        </UserCell>
      ),
    },
    { id: 'role', header: 'Role', cell: ({ role }) => <span className="capitalize">{role}</span> },
    {
      id: 'state',
      header: 'State',
      cell: ({ disabledAt }) =>
        disabledAt === null ? <Badge tone="ok">Active</Badge> : <Badge tone="warn">Disabled</Badge>,
    },
    {
      id: 'seen',
      header: 'Last seen',
      cell: ({ lastSeenAt }) => <TimeAgo at={lastSeenAt} none="never seen" />,
    },
    {
      id: 'created',
      header: 'Since',
      hideBelow: 'full',
      card: 'none',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      hiddenHeader: true,
      fixed: true,
      align: 'end',
      card: 'aside',
      cell: (user) => <UserMenu user={user} onOpen={onOpen} />,
    },
  ]
}

function UserMenu({ user, onOpen }: { user: User; onOpen: UserColumnsOptions['onOpen'] }) {
  return (
    <Menu align="end" trigger={<IconButton icon="more" label={`Actions of ${user.name}`} />}>
      {user.secondFactor && (
        <MenuItem icon="lock" onSelect={() => onOpen('factor', user)}>
          Reset second factor…
        </MenuItem>
      )}
      <MenuItem icon="out" onSelect={() => onOpen('sessions', user)}>
        End sessions…
      </MenuItem>
      <MenuItem icon="key" disabled={user.managed} onSelect={() => onOpen('password', user)}>
        Password link…
      </MenuItem>
      <MenuItem
        icon="people"
        disabled={user.managed}
        onSelect={() => onOpen(user.role === 'owner' ? 'member' : 'owner', user)}
      >
        {user.role === 'owner' ? 'Make a member…' : 'Make an owner…'}
      </MenuItem>
      <MenuItem
        icon="lock"
        disabled={user.managed}
        onSelect={() => onOpen(user.disabledAt === null ? 'disable' : 'enable', user)}
      >
        {user.disabledAt === null ? 'Disable…' : 'Enable…'}
      </MenuItem>
      <MenuLine />
      <MenuItem icon="trash" danger disabled={user.managed} onSelect={() => onOpen('delete', user)}>
        Delete…
      </MenuItem>
    </Menu>
  )
}
