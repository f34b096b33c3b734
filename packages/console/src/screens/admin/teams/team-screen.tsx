import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import { deleteTeam, teamQuery, teamsKey, type WholeTeam } from '../../../api/teams.ts'
import { OwnersOnly } from '../../../shell/owners-only.tsx'
import { SectionScreen } from '../../../shell/section-screen.tsx'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { ListSection } from '../../../ui/table/list-section.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { countOf } from '../../../ui/text/measure-text.ts'
import { changeRefusal } from './change-refusal.ts'
import { EditTeam } from './edit-team.tsx'
import { TeamMembers } from './team-members.tsx'

/** One team: its members, and its roles in projects. */
export function TeamScreen() {
  const { team: key } = useParams({ from: '/admin/teams/$team' })
  const found = useQuery(teamQuery(key))
  return (
    <SectionScreen
      of="admin"
      title={found.data?.name ?? 'Team'}
      lead={found.data?.description}
      crumbs={
        <>
          <Icon name="right" className="size-12 text-text-3" />
          <Link to="/admin/teams" search={{}} className="shrink-0">
            Teams
          </Link>
        </>
      }
      actions={found.data && <Actions team={found.data} />}
    >
      <OwnersOnly>
        <Async of={found}>
          {(team) => (
            <>
              <Origin team={team} />
              <TeamMembers team={team} />
              <TeamProjects team={team} />
            </>
          )}
        </Async>
      </OwnersOnly>
    </SectionScreen>
  )
}

/** Where the team is changed, if not here. */
function Origin({ team }: { team: WholeTeam }) {
  if (!team.managed && !team.scim) return null
  return (
    <p className="flex flex-wrap items-center gap-8 text-text-2">
      <Badge>{team.managed ? 'Managed' : 'SCIM'}</Badge>
      {changeRefusal(team) ??
        'A group of an identity provider. No SCIM token is left, so it can be changed here.'}
    </p>
  )
}

function Actions({ team }: { team: WholeTeam }) {
  const [opened, setOpened] = useState<'edit' | 'delete'>()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const removal = useMutation({
    mutationFn: deleteTeam,
    onSuccess: async () => {
      await navigate({ to: '/admin/teams', search: {}, replace: true })
      await queryClient.invalidateQueries({ queryKey: teamsKey })
      showToast({ text: `${team.name} was deleted.` })
    },
  })
  const close = () => setOpened(undefined)
  const refused = changeRefusal(team)
  const ends =
    team.roles.length === 0
      ? 'The accounts of its members stay.'
      : `Its ${countOf(team.members, 'member')} lose the roles that it gives in ${countOf(team.roles.length, 'project')}, immediately. Their accounts stay.`
  return (
    <>
      <Button icon="edit" disabled={refused !== undefined} title={refused} onClick={() => setOpened('edit')}>
        Edit…
      </Button>
      <Button
        icon="trash"
        look="danger"
        disabled={refused !== undefined}
        title={refused}
        onClick={() => setOpened('delete')}
      >
        Delete…
      </Button>
      {opened === 'edit' && <EditTeam team={team} onClose={close} />}
      {opened === 'delete' && (
        <ConfirmDialog
          title={`Delete the team ${team.name}`}
          consequence={ends}
          verb="Delete team"
          typed={team.key}
          busy={removal.isPending}
          problem={removal.error && toProblem(removal.error)}
          onConfirm={() => removal.mutate(team.key)}
          onClose={close}
        />
      )}
    </>
  )
}

function TeamProjects({ team }: { team: WholeTeam }) {
  return (
    <ListSection title="Projects">
      {team.roles.length === 0 ? (
        <Empty title="No role in any project">
          Give the team a role on the screen “Members and roles” of a project.
        </Empty>
      ) : (
        <DataTable
          label="Projects"
          rows={team.roles}
          rowId={({ project }) => project.key}
          columns={roleColumns}
          sorted
        />
      )}
    </ListSection>
  )
}

const roleColumns: readonly Column<WholeTeam['roles'][number]>[] = [
  {
    id: 'project',
    header: 'Project',
    fixed: true,
    card: 'title',
    cell: ({ project, managed }) => (
      <span className="flex min-w-0 flex-wrap items-center gap-x-8">
        <Link
          to="/p/$project/settings/members"
          params={{ project: project.key }}
          search={{}}
          className="font-medium [overflow-wrap:anywhere]"
        >
          {project.name}
        </Link>
        <code className="text-12 text-text-3">{project.key}</code>
        {managed && <Badge>Managed</Badge>}
      </span>
    ),
  },
  { id: 'role', header: 'Role', cell: ({ role }) => <span className="capitalize">{role}</span> },
]
