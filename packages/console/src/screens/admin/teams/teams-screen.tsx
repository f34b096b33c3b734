import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type Team, teamsQuery } from '../../../api/teams.ts'
import { useMay } from '../../../shell/account.ts'
import { OwnersOnly } from '../../../shell/owners-only.tsx'
import { SectionScreen } from '../../../shell/section-screen.tsx'
import { useNewButton } from '../../../shell/use-new-button.tsx'
import { Button } from '../../../ui/button.tsx'
import { FilterBar } from '../../../ui/filter/filter-bar.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { countOf } from '../../../ui/text/measure-text.ts'
import { Time } from '../../../ui/text/time.tsx'
import { NewTeam } from './new-team.tsx'

export function TeamsScreen() {
  const { new: isNew = false } = useSearch({ from: '/admin/teams' })
  const navigate = useNavigate({ from: '/admin/teams' })
  const mayManage = useMay('installation.manage')
  const setNew = (on: boolean) =>
    void navigate({ search: (now) => ({ ...now, new: on || undefined }), replace: !on })
  const newButton = useNewButton({
    label: 'New team',
    mayCreate: mayManage,
    missing: 'owners create teams',
    create: () => setNew(true),
  })
  return (
    <SectionScreen
      of="admin"
      title="Teams"
      lead="A team is a group of users. Projects give teams a role, and every member of the team has it."
      actions={newButton}
    >
      <OwnersOnly>
        <Teams newButton={newButton} />
        {isNew && <NewTeam onClose={() => setNew(false)} />}
      </OwnersOnly>
    </SectionScreen>
  )
}

function Teams({ newButton }: { newButton: React.ReactNode }) {
  const { q } = useSearch({ from: '/admin/teams' })
  const navigate = useNavigate({ from: '/admin/teams' })
  const teams = useInfiniteQuery(teamsQuery(q))
  const find = (text: string) =>
    void navigate({ search: (now) => ({ ...now, q: text || undefined }), resetScroll: false })

  return (
    <>
      <FilterBar label="Filter by key or name" text={q ?? ''} onText={find} />
      <Async
        of={teams}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={
          q === undefined ? (
            <Empty title="No teams yet" action={newButton}>
              Create a team, add members, then give the team a role on the Members screen of a project.
            </Empty>
          ) : (
            <Empty
              title="No matching teams"
              action={<Button onClick={() => find('')}>Clear the filter</Button>}
            />
          )
        }
      >
        {({ pages }) => (
          <DataTable
            label="Teams"
            rows={pages.flatMap(({ items }) => items)}
            rowId={({ key }) => key}
            columns={teamColumns}
            onOpen={({ key }) => void navigate({ to: '/admin/teams/$team', params: { team: key } })}
            more={teams}
            sorted
          />
        )}
      </Async>
    </>
  )
}

const teamColumns: readonly Column<Team>[] = [
  {
    id: 'team',
    header: 'Team',
    fixed: true,
    card: 'title',
    cell: ({ key, name, description, managed, scim }) => (
      <span className="grid min-w-0 py-4">
        <span className="flex min-w-0 flex-wrap items-center gap-x-8">
          <Link
            to="/admin/teams/$team"
            params={{ team: key }}
            className="min-w-0 font-medium [overflow-wrap:anywhere]"
          >
            {name}
          </Link>
          <code className="text-12 text-text-3 [overflow-wrap:anywhere]">{key}</code>
          {managed && <Badge>Managed</Badge>}
          {scim && <Badge>SCIM</Badge>}
        </span>
        <span className="line-clamp-1 text-text-3 [overflow-wrap:anywhere]">{description}</span>
      </span>
    ),
  },
  {
    id: 'members',
    header: 'Members',
    align: 'end',
    card: 'none',
    cell: ({ members }) => members.toLocaleString('en'),
  },
  { id: 'projects', header: 'Projects', align: 'end', card: 'none', cell: ({ projects }) => projects },
  {
    id: 'size',
    header: 'Size',
    onlyInCard: true,
    cell: ({ members, projects }) => `${countOf(members, 'member')}, ${countOf(projects, 'project')}`,
  },
  {
    id: 'created',
    header: 'Since',
    hideBelow: 'full',
    card: 'none',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
]
