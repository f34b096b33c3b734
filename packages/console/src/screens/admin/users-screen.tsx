import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { User } from '../../api/users.ts'
import { usersQuery } from '../../api/users.ts'
import { useAccount } from '../../shell/account.ts'
import { OwnersOnly } from '../../shell/owners-only.tsx'
import { SectionScreen } from '../../shell/section-screen.tsx'
import { Button } from '../../ui/button.tsx'
import { FilterBar } from '../../ui/filter/filter-bar.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { userColumns } from './user-columns.tsx'
import { UserDialog, type UserDialogKind } from './user-dialog.tsx'

export function UsersScreen() {
  return (
    <SectionScreen
      of="admin"
      title="Users"
      lead="Everyone with an account on this installation. New users are invited to a project. Owners have full access."
    >
      <OwnersOnly>
        <Users />
      </OwnersOnly>
    </SectionScreen>
  )
}

function Users() {
  const { q } = useSearch({ from: '/admin/users' })
  const navigate = useNavigate({ from: '/admin/users' })
  const users = useInfiniteQuery(usersQuery(q))
  const { user: own } = useAccount()
  const [opened, setOpened] = useState<{ kind: UserDialogKind; user: User }>()
  const find = (text: string) => void navigate({ search: { q: text || undefined } })

  return (
    <>
      <FilterBar label="Filter by name or e-mail" text={q ?? ''} onText={find} />
      <Async
        of={users}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={
          <Empty
            title="No matching users"
            action={<Button onClick={() => find('')}>Clear the filter</Button>}
          />
        }
      >
        {({ pages }) => (
          <DataTable
            label="Users"
            rows={pages.flatMap(({ items }) => items)}
            rowId={({ id }) => id}
            columns={userColumns({ own: own.id, onOpen: (kind, user) => setOpened({ kind, user }) })}
            more={users}
            sorted
          />
        )}
      </Async>
      {opened && <UserDialog {...opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}
