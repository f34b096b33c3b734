import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type ChangeRequest,
  changeRequestQuery,
  type Decision,
  decideChangeRequest,
  waitingRequestsQuery,
} from '../../../api/change-requests.ts'
import { toProblem } from '../../../api/problem.ts'
import {
  cancelScheduledChange,
  pendingChangesQuery,
  type ScheduledChange,
} from '../../../api/scheduled-changes.ts'
import { useAccount, useMay } from '../../../shell/account.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DiffView } from '../../../ui/diff-view.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Async } from '../../../ui/states.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { Time, TimeAgo } from '../../../ui/time.tsx'
import { draftText } from './config-words.ts'
import { completed, type Draft, patched } from './draft.ts'
import { useTargeting } from './targeting-context.ts'

const stateTones = { open: 'warn', approved: 'ok', conflicted: 'bad' } as const
const stateWords = { open: 'Waits for approval', approved: 'Approved', conflicted: 'In conflict' } as const

/** What will change here once somebody agrees, or when its time has come. Nothing is shown where nothing waits. */
export function WaitingPanel({ saved }: { saved: Draft }) {
  const { place } = useTargeting()
  const requests = useQuery(waitingRequestsQuery(place))
  const changes = useQuery(pendingChangesQuery(place))
  const [shown, setShown] = useState<string>()
  const request = requests.data?.find(({ id }) => id === shown)
  const change = changes.data?.find(({ id }) => id === shown)
  if (!requests.data?.length && !changes.data?.length) return null

  return (
    <section
      aria-label="Waiting changes"
      className="grid gap-8 rounded-panel border border-line bg-surface p-12"
    >
      {(requests.data ?? []).map((one) => (
        <WaitingLine key={one.id} name="change request" reason={one.reason} onShow={() => setShown(one.id)}>
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
        <WaitingLine key={one.id} name="scheduled change" reason={one.reason} onShow={() => setShown(one.id)}>
          <Badge tone="accent">Scheduled</Badge>
          <span className="font-medium">
            For <Time at={one.at} />
          </span>
          <span className="text-text-2">by {one.author.name}</span>
        </WaitingLine>
      ))}
      {request && <RequestDialog request={request} onClose={() => setShown(undefined)} />}
      {change && <ScheduledDialog change={change} saved={saved} onClose={() => setShown(undefined)} />}
    </section>
  )
}

type WaitingLineProps = {
  name: string
  reason: string | null
  onShow: () => void
  children: React.ReactNode
}

function WaitingLine({ name, reason, onShow, children }: WaitingLineProps) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-8">
      {children}
      {reason && <span className="min-w-0 flex-1 basis-[20ch] truncate text-text-2">{reason}</span>}
      <span className="ml-auto">
        <Button size="small" onClick={onShow} aria-label={`Show the ${name}`}>
          Show
        </Button>
      </span>
    </div>
  )
}

/** What it would change, and what this person may do about it. */
function RequestDialog({ request, onClose }: { request: ChangeRequest; onClose: () => void }) {
  const { place } = useTargeting()
  const account = useAccount()
  const mayApprove = useMay('changes.approve')
  const mayApply = useMay('flags.change-protected')
  const found = useQuery(changeRequestQuery({ project: place.project, changeRequest: request.id }))
  const queryClient = useQueryClient()
  const deciding = useMutation({
    mutationFn: decideChangeRequest,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['projects', place.project] }),
  })
  const problem = deciding.error && toProblem(deciding.error)
  const isMine = request.author.id === account.user.id
  const decide = (decision: Decision) => deciding.mutate({ project: place.project, request, decision })

  return (
    <Dialog
      title={`Change request by ${request.author.name}`}
      description={request.reason ?? 'Without a reason.'}
      size="wide"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {isMine && <Button onClick={() => decide('withdraw')}>Withdraw</Button>}
          {!isMine && mayApprove && request.state !== 'conflicted' && (
            <Button onClick={() => decide('decline')}>Decline</Button>
          )}
          {!isMine && mayApprove && request.state === 'open' && (
            <Button look="primary" busy={deciding.isPending} onClick={() => decide('approve')}>
              Approve
            </Button>
          )}
          {mayApply && request.state === 'approved' && (
            <Button look="primary" busy={deciding.isPending} onClick={() => decide('apply')}>
              Apply now
            </Button>
          )}
        </>
      }
    >
      {problem && <Notice title={problem.title} detail={problem.detail} requestId={problem.requestId} />}
      {request.state === 'open' && isMine && (
        <Notice tone="info" title="Waits for a second person" detail="Nobody approves what is their own." />
      )}
      {request.state === 'conflicted' && (
        <Notice
          tone="warn"
          title="Somebody saved in between"
          detail="Withdraw it, and ask again for what is still wanted over what is saved now."
        />
      )}
      <Async of={found} isEmpty={() => false}>
        {({ base, proposed }) => (
          <DiffView before={draftText(completed(base))} after={draftText(completed(proposed))} />
        )}
      </Async>
    </Dialog>
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
              Call it off
            </Button>
          )}
        </>
      }
    >
      {problem && <Notice title={problem.title} detail={problem.detail} requestId={problem.requestId} />}
      <p>
        Saved by itself <Time at={change.at} />, over what is saved by then. If that were now:
      </p>
      <DiffView before={draftText(saved)} after={draftText(patched(saved, change.change))} />
    </Dialog>
  )
}

function isWaiting(state: string): state is keyof typeof stateWords {
  return Object.hasOwn(stateWords, state)
}
