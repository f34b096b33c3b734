import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { membersQuery } from '../../api/members.ts'
import { useScope } from '../../shell/scope-context.ts'
import { SectionScreen } from '../../shell/section-screen.tsx'
import { AuditList } from './audit-list.tsx'

export function ProjectAuditScreen() {
  const { project } = useScope()
  const search = useSearch({ from: '/p/$project/settings/audit' })
  const navigate = useNavigate({ from: '/p/$project/settings/audit' })
  const members = useInfiniteQuery(membersQuery(project))
  const people = members.data?.pages.flatMap(({ items }) => items.map(({ user }) => user)) ?? []

  return (
    <SectionScreen of="settings" title="Audit log">
      <AuditList
        project={project}
        search={search}
        onSearch={(change) => void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })}
        people={people}
      />
    </SectionScreen>
  )
}
