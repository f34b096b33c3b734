import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import {
  removeTeamMember,
  type TeamMember,
  teamMembersQuery,
  teamsKey,
  type WholeTeam,
} from '../../../api/teams.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { FilterBar } from '../../../ui/filter/filter-bar.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { ListSection } from '../../../ui/table/list-section.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { countOf } from '../../../ui/text/measure-text.ts'
import { TimeAgo } from '../../../ui/text/time.tsx'
import { UserCell } from '../../../ui/user-cell.tsx'
import { AddMember } from './add-member.tsx'
import { changeRefusal } from './change-refusal.ts'

export function TeamMembers({ team }: { team: WholeTeam }) {
  const { q, add: isAdding = false } = useSearch({ from: '/admin/teams/$team' })
  const navigate = useNavigate({ from: '/admin/teams/$team' })
  const members = useInfiniteQuery(teamMembersQuery(team.key, q))
  const [leaving, setLeaving] = useState<TeamMember>()
  const setAdding = (on: boolean) =>
    void navigate({ search: (now) => ({ ...now, add: on || undefined }), replace: !on })
  const find = (text: string) =>
    void navigate({ search: (now) => ({ ...now, q: text || undefined }), resetScroll: false })
  const refused = changeRefusal(team)
  const addButton = (
    <Button icon="plus" disabled={refused !== undefined} title={refused} onClick={() => setAdding(true)}>
      Add member…
    </Button>
  )

  return (
    <ListSection title="Members" note={countOf(team.members, 'member')} actions={addButton}>
      <FilterBar label="Filter by name or e-mail" text={q ?? ''} onText={find} />
      <Async
        of={members}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={
          q === undefined ? (
            <Empty title="No members yet" action={addButton} />
          ) : (
            <Empty
              title="No matching members"
              action={<Button onClick={() => find('')}>Clear the filter</Button>}
            />
          )
        }
      >
        {({ pages }) => (
          <DataTable
            label="Members"
            rows={pages.flatMap(({ items }) => items)}
            rowId={({ user }) => user.id}
            columns={memberColumns({ refused, onRemove: setLeaving })}
            more={members}
            sorted
          />
        )}
      </Async>
      {isAdding && refused === undefined && <AddMember team={team} onClose={() => setAdding(false)} />}
      {leaving && <Removal team={team} member={leaving} onClose={() => setLeaving(undefined)} />}
    </ListSection>
  )
}

interface MemberColumnsOptions {
  /** Why no member can be removed. */
  refused: string | undefined
  onRemove: (member: TeamMember) => void
}

function memberColumns({ refused, onRemove }: MemberColumnsOptions): readonly Column<TeamMember>[] {
  return [
    {
      id: 'member',
      header: 'Member',
      fixed: true,
      card: 'title',
      cell: ({ user }) => (
        <UserCell user={user}>{user.disabledAt && <Badge tone="warn">Disabled</Badge>}</UserCell>
      ),
    },
    { id: 'since', header: 'Joined', cell: ({ since }) => <TimeAgo at={since} none="" /> },
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
          label={`Remove ${member.user.name}…`}
          disabled={refused !== undefined}
          title={refused}
          onClick={() => onRemove(member)}
        />
      ),
    },
  ]
}

type RemovalProps = { team: WholeTeam; member: TeamMember; onClose: () => void }

function Removal({ team, member, onClose }: RemovalProps) {
  const queryClient = useQueryClient()
  const removal = useMutation({
    mutationFn: removeTeamMember,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: teamsKey })
      onClose()
      showToast({ text: `${member.user.name} removed.` })
    },
  })
  return (
    <ConfirmDialog
      title={`Remove ${member.user.name} from ${team.name}`}
      consequence="They lose the roles of the team immediately, and so do their tokens. The account stays."
      verb="Remove member"
      busy={removal.isPending}
      problem={removal.error && toProblem(removal.error)}
      onConfirm={() => removal.mutate({ team: team.key, user: member.user.id })}
      onClose={onClose}
    />
  )
}
