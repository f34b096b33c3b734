import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { waitingRequestsQuery } from '../../../api/change-requests.ts'
import { toProblem } from '../../../api/problem.ts'
import {
  cancelScheduledChange,
  pendingChangesQuery,
  type ScheduledChange,
} from '../../../api/scheduled-changes.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { ConfigDiff } from '../../../ui/diff/diff-view.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { Time, TimeAgo } from '../../../ui/text/time.tsx'
import { type Draft, patched } from './draft.ts'
import { useTargeting } from './targeting-context.ts'

const stateTones = { open: 'warn', approved: 'ok', conflicted: 'bad' } as const
const stateWords = { open: 'Waiting for approval', approved: 'Approved', conflicted: 'Conflict' } as const

/** Pending changes of this configuration: waiting for approval, or scheduled. Renders nothing when there are none. */
export function WaitingPanel({ saved }: { saved: Draft }) {
  const { place } = useTargeting()
  const requests = useQuery(waitingRequestsQuery(place))
  const changes = useQuery(pendingChangesQuery(place))
  const [shown, setShown] = useState<string>()
  const change = changes.data?.find(({ id }) => id === shown)
  if (!requests.data?.length && !changes.data?.length) return null

  return (
    <section
      aria-label="Pending changes"
      className="grid gap-8 rounded-panel border border-line bg-surface p-12"
    >
      {(requests.data ?? []).map((one) => (
        <WaitingLine
          key={one.id}
          reason={one.reason}
          action={
            <Link
              to="/p/$project/change-requests/$changeRequest"
              params={{ project: place.project, changeRequest: one.id }}
              className={buttonClass('normal', 'small')}
            >
              Open<span className="sr-only"> change request</span>
            </Link>
          }
        >
          <Badge tone={isWaiting(one.state) ? stateTones[one.state] : 'plain'}>
            {isWaiting(one.state) ? stateWords[one.state] : one.state}
          </Badge>
          <span className="font-medium">Change request by {one.author.name}</span>
          <span className="text-text-2">
            <TimeAgo at={one.createdAt} />
            {one.scheduledFor && (
              <>
                , for <Time at={one.scheduledFor} />
              </>
            )}
          </span>
        </WaitingLine>
      ))}
      {(changes.data ?? []).map((one) => (
        <WaitingLine
          key={one.id}
          reason={one.reason}
          action={
            <Button size="small" onClick={() => setShown(one.id)} aria-label="Show scheduled change">
              Show
            </Button>
          }
        >
          <Badge tone="accent">Scheduled</Badge>
          <span className="font-medium">
            For <Time at={one.at} />
          </span>
          <span className="text-text-2">by {one.author.name}</span>
        </WaitingLine>
      ))}
      {change && <ScheduledDialog change={change} saved={saved} onClose={() => setShown(undefined)} />}
    </section>
  )
}

type WaitingLineProps = { reason: string | null; action: ReactNode; children: ReactNode }

function WaitingLine({ reason, action, children }: WaitingLineProps) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-8">
      {children}
      {reason && <span className="min-w-0 flex-1 basis-[20ch] truncate text-text-2">{reason}</span>}
      <span className="ml-auto">{action}</span>
    </div>
  )
}

function ScheduledDialog(props: { change: ScheduledChange; saved: Draft; onClose: () => void }) {
  const { change, saved, onClose } = props
  const { place, readOnly } = useTargeting()
  const queryClient = useQueryClient()
  const cancelling = useMutation({
    mutationFn: cancelScheduledChange,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: pendingChangesQuery(place).queryKey }),
  })
  const problem = cancelling.error && toProblem(cancelling.error)
  return (
    <Dialog
      title={`Scheduled change by ${change.author.name}`}
      description={change.reason ?? 'Without a reason.'}
      size="wide"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {readOnly === undefined && (
            <Button
              look="danger"
              busy={cancelling.isPending}
              onClick={() => cancelling.mutate({ project: place.project, change })}
            >
              Cancel change
            </Button>
          )}
        </>
      }
    >
      <ProblemNotice problem={problem} />
      <p>
        Applied automatically <Time at={change.at} />, on top of the version saved then. Compared with the
        current version:
      </p>
      <ConfigDiff before={saved} after={patched(saved, change.change)} />
    </Dialog>
  )
}

function isWaiting(state: string): state is keyof typeof stateWords {
  return Object.hasOwn(stateWords, state)
}
