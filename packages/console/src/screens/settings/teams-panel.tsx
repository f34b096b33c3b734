import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery } from '../../api/accounts.ts'
import type { Environment } from '../../api/environments.ts'
import { membersQuery } from '../../api/members.ts'
import { toProblem } from '../../api/problem.ts'
import { type Role, rolesQuery } from '../../api/roles.ts'
import { type ProjectTeam, projectTeamsQuery, removeTeamRole, setTeamRole } from '../../api/teams.ts'
import { roleOptions } from '../../features/roles/role-names.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/form/select.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { Async } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { ListSection } from '../../ui/table/list-section.tsx'
import { Badge } from '../../ui/tag.tsx'
import { countOf } from '../../ui/text/measure-text.ts'
import { AddTeam } from './add-team.tsx'
import { EnvironmentRolesCell } from './environment-roles-cell.tsx'
import { RolesDialog } from './roles-dialog.tsx'

type TeamsPanelProps = { project: string; environments: readonly Environment[]; mayManage: boolean }

/** The teams with a role in the project. */
export function TeamsPanel({ project, environments, mayManage }: TeamsPanelProps) {
  const teams = useQuery(projectTeamsQuery(project))
  const roles = useQuery(rolesQuery(project)).data ?? []
  const [isAdding, setAdding] = useState(false)
  const [editing, setEditing] = useState<ProjectTeam>()
  const [leaving, setLeaving] = useState<ProjectTeam>()
  const refresh = useRefresh(project)
  const changing = useMutation({ mutationFn: setTeamRole, onSuccess: refresh })
  const problem = changing.error && toProblem(changing.error)

  async function change(before: ProjectTeam, { role = before.role, environments: there }: RoleDraft) {
    const { team } = before
    const place = { project, team: team.key }
    await changing.mutateAsync({ ...place, role, ...(there && { environments: there }) }).then(
      () => {
        setEditing(undefined)
        showToast({
          text: there ? `Roles of ${team.name} saved.` : `${team.name} is ${role} now.`,
          undo: () => changing.mutate({ ...place, role: before.role, environments: before.environments }),
        })
      },
      () => 'see the notice above the table',
    )
  }

  return (
    <ListSection
      title="Teams"
      actions={
        <Button icon="plus" disabled={!mayManage} onClick={() => setAdding(true)}>
          Add team…
        </Button>
      }
    >
      <ProblemNotice problem={editing ? null : problem} />
      <Async
        of={teams}
        isEmpty={({ items }) => items.length === 0}
        empty={
          <p className="text-text-2">
            No teams here. Owners create teams; a role for a team applies to all of its members.
          </p>
        }
      >
        {({ items }) => (
          <DataTable
            label="Teams"
            rows={items}
            rowId={({ team }) => team.key}
            columns={teamColumns({
              roles,
              mayManage,
              isChanging: changing.isPending,
              environments,
              onRole: (team, role) => void change(team, { role }),
              onEdit: (team) => {
                changing.reset()
                setEditing(team)
              },
              onRemove: setLeaving,
            })}
            sorted
          />
        )}
      </Async>
      {isAdding && mayManage && (
        <AddTeam project={project} onAdded={refresh} onClose={() => setAdding(false)} />
      )}
      {editing && (
        <RolesDialog
          name={editing.team.name}
          given={editing.role}
          there={editing.environments}
          roles={roles}
          environments={environments}
          busy={changing.isPending}
          problem={problem}
          onSave={(draft) => void change(editing, draft)}
          onClose={() => setEditing(undefined)}
        />
      )}
      {leaving && (
        <Removal
          project={project}
          leaving={leaving}
          onRemoved={refresh}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </ListSection>
  )
}

/** Roles of teams are roles of members, and maybe of the own account. */
function useRefresh(project: string) {
  const queryClient = useQueryClient()
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: projectTeamsQuery(project).queryKey }),
      queryClient.invalidateQueries({ queryKey: membersQuery(project).queryKey }),
      queryClient.invalidateQueries({ queryKey: accountQuery.queryKey, exact: true }),
    ])
  }
}

type RoleDraft = { role?: string; environments?: ProjectTeam['environments'] }

interface TeamColumnsOptions {
  roles: readonly Role[]
  mayManage: boolean
  isChanging: boolean
  environments: readonly Environment[]
  onRole: (team: ProjectTeam, role: string) => void
  onEdit: (team: ProjectTeam) => void
  onRemove: (team: ProjectTeam) => void
}

function teamColumns(options: TeamColumnsOptions): readonly Column<ProjectTeam>[] {
  const { mayManage, isChanging, roles, environments, onRole, onEdit, onRemove } = options
  return [
    {
      id: 'team',
      header: 'Team',
      fixed: true,
      card: 'title',
      cell: ({ team, managed }) => (
        <span className="grid min-w-0 py-4">
          <span className="flex min-w-0 flex-wrap items-center gap-x-8">
            <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{team.name}</span>
            {managed && <Badge>Managed</Badge>}
            {team.scim && <Badge>SCIM</Badge>}
          </span>
          <span className="text-text-3 [overflow-wrap:anywhere]">
            <code>{team.key}</code>, {countOf(team.members, 'member')}
          </span>
        </span>
      ),
    },
    {
      id: 'role',
      header: 'Role',
      cell: (row) => (
        <span className="grid w-[14ch]">
          <Select
            label={`Role of ${row.team.name}`}
            hideLabel
            options={roleOptions(roles, row.role)}
            value={row.role}
            onValue={(role) => onRole(row, role)}
            disabled={!mayManage || row.managed || isChanging}
          />
        </span>
      ),
    },
    {
      id: 'environments',
      header: 'In environments',
      cell: (row) => (
        <EnvironmentRolesCell
          name={row.team.name}
          there={row.environments}
          {...{ roles, environments }}
          isFixed={!mayManage || row.managed}
          onEdit={() => onEdit(row)}
        />
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      hiddenHeader: true,
      fixed: true,
      align: 'end',
      card: 'aside',
      cell: (row) => (
        <IconButton
          icon="trash"
          label={`Remove ${row.team.name}…`}
          disabled={!mayManage || row.managed}
          onClick={() => onRemove(row)}
        />
      ),
    },
  ]
}

type RemovalProps = {
  project: string
  leaving: ProjectTeam
  onRemoved: () => Promise<void>
  onClose: () => void
}

function Removal({ project, leaving: { team }, onRemoved, onClose }: RemovalProps) {
  const removal = useMutation({
    mutationFn: removeTeamRole,
    onSuccess: async () => {
      await onRemoved()
      onClose()
      showToast({ text: `${team.name} removed.` })
    },
  })
  return (
    <ConfirmDialog
      title={`Remove the team ${team.name}`}
      consequence="Its members lose access to the project, and so do their tokens, unless they have another role here. The team is kept."
      verb="Remove team"
      busy={removal.isPending}
      problem={removal.error && toProblem(removal.error)}
      onConfirm={() => removal.mutate({ project, team: team.key })}
      onClose={onClose}
    />
  )
}
