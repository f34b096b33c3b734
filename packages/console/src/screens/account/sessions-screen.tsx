import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { browserText } from '@telltale/core/browser-text'
import { endOtherSessions, endSession, type LoginSession, sessionsQuery } from '../../api/accounts.ts'
import { toProblem } from '../../api/problem.ts'
import { leave } from '../../shell/account-menu.tsx'
import { SectionScreen } from '../../shell/section-screen.tsx'
import { Button } from '../../ui/button.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { Async } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Badge } from '../../ui/tag.tsx'
import { Time, TimeAgo } from '../../ui/text/time.tsx'

export function SessionsScreen() {
  const sessions = useQuery(sessionsQuery)
  const queryClient = useQueryClient()
  const refresh = async (text: string) => {
    await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    showToast({ text })
  }
  const ending = useMutation({ mutationFn: endSession, onSuccess: () => refresh('Session ended.') })
  const endingOthers = useMutation({
    mutationFn: endOtherSessions,
    onSuccess: () => refresh('All other sessions ended.'),
  })
  const error = ending.error ?? endingOthers.error
  const problem = error && toProblem(error)
  const hasOthers = sessions.data?.items.some(({ current }) => !current) === true

  return (
    <SectionScreen
      of="account"
      title="Signed in"
      lead="Where you are signed in. If you don't recognise a session, end it and change your password."
      actions={
        hasOthers && (
          <Button busy={endingOthers.isPending} onClick={() => endingOthers.mutate()}>
            End all others
          </Button>
        )
      }
    >
      <ProblemNotice problem={problem} />
      <Async of={sessions}>
        {({ items }) => (
          <DataTable
            label="Signed-in sessions"
            rows={items}
            rowId={({ id }) => id}
            columns={columns({
              isBusy: ending.isPending,
              onEnd: ({ id, current }) => (current ? void leave() : ending.mutate(id)),
            })}
            sorted
          />
        )}
      </Async>
    </SectionScreen>
  )
}

interface ColumnsOptions {
  isBusy: boolean
  onEnd: (session: LoginSession) => void
}

function columns({ isBusy, onEnd }: ColumnsOptions): readonly Column<LoginSession>[] {
  return [
    {
      id: 'browser',
      header: 'Browser',
      fixed: true,
      card: 'title',
      cell: ({ userAgent, current }) => (
        <span className="flex min-w-0 flex-wrap items-center gap-x-8">
          <span className="font-medium" title={userAgent}>
            {browserText(userAgent)}
          </span>
          {current && <Badge tone="ok">This session</Badge>}
        </span>
      ),
    },
    {
      id: 'address',
      header: 'Address',
      cell: ({ address }) => (address === '' ? <span className="text-text-3">unknown</span> : address),
    },
    { id: 'used', header: 'Last used', cell: ({ lastUsedAt }) => <TimeAgo at={lastUsedAt} /> },
    { id: 'created', header: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'expires',
      header: 'Expires',
      hideBelow: 'full',
      card: 'none',
      cell: ({ expiresAt }) => <Time at={expiresAt} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      hiddenHeader: true,
      fixed: true,
      align: 'end',
      card: 'aside',
      cell: (session) => (
        <Button
          size="small"
          look={session.current ? 'normal' : 'danger'}
          disabled={isBusy}
          onClick={() => onEnd(session)}
          aria-label={
            session.current ? 'Sign out here' : `End the session of ${browserText(session.userAgent)}`
          }
        >
          {session.current ? 'Sign out' : 'End'}
        </Button>
      ),
    },
  ]
}
