import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Invitation,
  type IssuedInvitation,
  invitationsQuery,
  renewInvitation,
  revokeInvitation,
} from '../../api/invitations.ts'
import { toProblem } from '../../api/problem.ts'
import { IconButton } from '../../ui/button.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Menu, MenuItem } from '../../ui/overlay/menu.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { Async } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { ListSection } from '../../ui/table/list-section.tsx'
import { Badge } from '../../ui/tag.tsx'
import { Time } from '../../ui/text/time.tsx'
import { InvitationLink } from './invitation-link.tsx'

/** The invitations and their state. */
export function InvitationsPanel({ project }: { project: string }) {
  const invitations = useInfiniteQuery(invitationsQuery(project))
  const [issued, setIssued] = useState<IssuedInvitation>()
  const queryClient = useQueryClient()
  const read = () => queryClient.invalidateQueries({ queryKey: invitationsQuery(project).queryKey })
  const renewal = useMutation({
    mutationFn: renewInvitation,
    onSuccess: async (next) => {
      setIssued(next)
      await read()
    },
  })
  const revocation = useMutation({
    mutationFn: revokeInvitation,
    onSuccess: async ({ email }) => {
      showToast({ text: `Invitation of ${email} revoked.` })
      await read()
    },
  })
  const error = renewal.error ?? revocation.error
  const problem = error && toProblem(error)
  const isBusy = renewal.isPending || revocation.isPending

  return (
    <ListSection title="Invitations">
      <ProblemNotice problem={problem} />
      <Async
        of={invitations}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={<p className="text-text-3">No invitations yet.</p>}
      >
        {({ pages }) => (
          <DataTable
            label="Invitations"
            rows={pages.flatMap(({ items }) => items)}
            rowId={({ id }) => id}
            columns={columns({
              isBusy,
              onRenew: ({ id }) => {
                revocation.reset()
                renewal.mutate({ project, invitation: id })
              },
              onRevoke: ({ id }) => {
                renewal.reset()
                revocation.mutate({ project, invitation: id })
              },
            })}
            more={invitations}
            tall={false}
            sorted
          />
        )}
      </Async>
      {issued && <InvitationLink issued={issued} onClose={() => setIssued(undefined)} />}
    </ListSection>
  )
}

const tones = { pending: 'accent', accepted: 'ok', expired: 'warn', revoked: 'plain' } as const
const words = { pending: 'Pending', accepted: 'Accepted', expired: 'Expired', revoked: 'Revoked' }

interface ColumnsOptions {
  isBusy: boolean
  onRenew: (invitation: Invitation) => void
  onRevoke: (invitation: Invitation) => void
}

function columns({ isBusy, onRenew, onRevoke }: ColumnsOptions): readonly Column<Invitation>[] {
  return [
    {
      id: 'email',
      header: 'E-mail',
      fixed: true,
      card: 'title',
      cell: ({ email }) => <span className="[overflow-wrap:anywhere]">{email}</span>,
    },
    { id: 'role', header: 'Role', cell: ({ role }) => <span className="capitalize">{role}</span> },
    {
      id: 'state',
      header: 'State',
      cell: ({ state }) => <Badge tone={tones[state]}>{words[state]}</Badge>,
    },
    { id: 'created', header: 'Invited', card: 'none', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'expires',
      header: 'Expires',
      card: 'none',
      cell: ({ state, expiresAt }) => (state === 'pending' ? <Time at={expiresAt} /> : null),
    },
    {
      id: 'actions',
      header: 'Actions',
      hiddenHeader: true,
      fixed: true,
      align: 'end',
      card: 'aside',
      cell: (invitation) =>
        invitation.state === 'accepted' ? null : (
          <Menu align="end" trigger={<IconButton icon="more" label={`Actions of ${invitation.email}`} />}>
            <MenuItem
              icon="link"
              disabled={isBusy || invitation.state === 'revoked'}
              onSelect={() => onRenew(invitation)}
            >
              New link
            </MenuItem>
            <MenuItem
              icon="trash"
              danger
              disabled={isBusy || invitation.state !== 'pending'}
              onSelect={() => onRevoke(invitation)}
            >
              Revoke
            </MenuItem>
          </Menu>
        ),
    },
  ]
}
