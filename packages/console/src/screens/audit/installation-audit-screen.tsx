import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { usersQuery } from '../../api/users.ts'
import { OwnersOnly } from '../../shell/owners-only.tsx'
import { SectionScreen } from '../../shell/section-screen.tsx'
import { AuditList } from './audit-list.tsx'

export function InstallationAuditScreen() {
  return (
    <SectionScreen of="admin" title="Audit log">
      <OwnersOnly>
        <Entries />
      </OwnersOnly>
    </SectionScreen>
  )
}

function Entries() {
  const search = useSearch({ from: '/admin/audit' })
  const navigate = useNavigate({ from: '/admin/audit' })
  const users = useInfiniteQuery(usersQuery(undefined))
  return (
    <AuditList
      project={undefined}
      search={search}
      onSearch={(change) => void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })}
      people={users.data?.pages.flatMap(({ items }) => items) ?? []}
    />
  )
}
