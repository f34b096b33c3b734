import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { type Decision, type DescribedChangeRequest, decideChangeRequest } from '../../api/change-requests.ts'
import { toProblem } from '../../api/problem.ts'
import { endingEvidence } from '../../features/rollout/ending-evidence.ts'
import { useAccount, useMay } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'
import { useEnvironmentName } from './environment-name.tsx'
import { FaultsNotice } from './faults-notice.tsx'
import { type OfferedDecision, offeredDecisions } from './offered-decisions.ts'
import { ProposalDialog } from './proposal-dialog.tsx'
import { RebaseDialog } from './rebase-dialog.tsx'
import { useChanging } from './use-changing.ts'

type DialogDecision = OfferedDecision['decision']

const words: Record<Decision, { button: string; consequence: string }> = {
  approve: {
    button: 'Approve',
    consequence: 'You approve this proposal. It is applied manually, or at the scheduled time.',
  },
  decline: { button: 'Decline', consequence: 'Nothing changes. It cannot be reopened.' },
  withdraw: { button: 'Withdraw', consequence: 'Nothing changes. It cannot be reopened.' },
  apply: { button: 'Apply now', consequence: 'It becomes the next version and reaches users immediately.' },
  rebase: {
    button: 'Rebase',
    consequence: 'Keeps both changes. It must be approved again.',
  },
}

/** The actions possible in this state. Actions that are not permitted are disabled, with the reason. */
export function DecisionButtons({ request }: { request: DescribedChangeRequest }) {
  const account = useAccount()
  const mayApprove = useMay('changes.approve', request.env)
  const mayApply = useMay('flags.change-protected', request.env)
  const [requested, setRequested] = useState<DialogDecision>()
  const isMine = request.author.id === account.user.id
  const hasApproved = request.approvals.some(({ id }) => id === account.user.id)
  const offered = offeredDecisions(request, { isMine, mayApprove, mayApply, hasApproved })
  const reasons = [...new Set(offered.flatMap(({ refused }) => refused ?? []))]

  return (
    <>
      {offered.length > 0 && (
        <div className="grid gap-8">
          <div className="flex flex-wrap gap-8">
            {offered.map((one) => (
              <DecisionButton key={one.decision} offered={one} onAsk={setRequested} />
            ))}
          </div>
          {reasons.map((reason) => (
            <p key={reason} className="text-text-2">
              {reason}
            </p>
          ))}
        </div>
      )}
      {requested && (
        <RequestedDialog request={request} requested={requested} onClose={() => setRequested(undefined)} />
      )}
    </>
  )
}

type DecisionButtonProps = { offered: OfferedDecision; onAsk: (requested: DialogDecision) => void }

function DecisionButton({ offered: { decision, refused }, onAsk }: DecisionButtonProps) {
  return (
    <Button
      look={['approve', 'apply', 'rebase'].includes(decision) ? 'primary' : 'normal'}
      disabled={refused !== undefined}
      title={refused}
      onClick={() => onAsk(decision)}
    >
      {decision === 'change' ? 'Change proposal' : words[decision].button}
    </Button>
  )
}

type RequestedDialogProps = {
  request: DescribedChangeRequest
  requested: DialogDecision
  onClose: () => void
}

function RequestedDialog({ requested, ...props }: RequestedDialogProps) {
  if (requested === 'change') return <ProposalDialog {...props} />
  if (requested === 'rebase' && props.request.overlaps.length > 0) return <RebaseDialog {...props} />
  return <DecisionDialog {...props} decision={requested} />
}

type DecisionDialogProps = { request: DescribedChangeRequest; decision: Decision; onClose: () => void }

function DecisionDialog({ request, decision, onClose }: DecisionDialogProps) {
  const { project } = useScope()
  const envName = useEnvironmentName(request.env)
  const [comment, setComment] = useState('')
  const deciding = useChanging(endingEvidence(decideChangeRequest), onClose)
  const { button, consequence } = words[decision]

  return (
    <Dialog
      title={`${button}: ${request.flag} in ${envName}`}
      onClose={onClose}
      onSubmit={() =>
        !deciding.isPending &&
        deciding.mutate({ project, request, decision, comment: comment.trim() || undefined })
      }
      footer={<FormButtons verb={button} busy={deciding.isPending} onCancel={onClose} />}
    >
      <FaultsNotice problem={deciding.error && toProblem(deciding.error)} />
      <p className="text-text-2">{consequence}</p>
      <TextArea
        label="Comment (optional)"
        hint="Shown in the history."
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
        maxLength={limits.descriptionLength}
        rows={2}
        autoFocus
      />
    </Dialog>
  )
}
