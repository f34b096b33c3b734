import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { type Decision, type DescribedChangeRequest, decideChangeRequest } from '../../api/change-requests.ts'
import { toProblem } from '../../api/problem.ts'
import { useAccount, useMay } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type OfferedDecision, offeredDecisions } from './offered-decisions.ts'

const words: Record<Decision, { button: string; consequence: string }> = {
  approve: {
    button: 'Approve',
    consequence: 'You agree to what you have read here. It is applied by hand, or at its time.',
  },
  decline: { button: 'Decline', consequence: 'Nothing changes, and it cannot be opened again.' },
  withdraw: { button: 'Withdraw', consequence: 'Nothing changes, and it cannot be opened again.' },
  apply: { button: 'Apply now', consequence: 'It becomes the next version, and reaches users at once.' },
  rebase: {
    button: 'Lay over what is saved',
    consequence: 'Both changes are kept. It has to be approved again.',
  },
}

/** What can be done in this state: what somebody may not do is off, and says why. */
export function DecisionButtons({ request }: { request: DescribedChangeRequest }) {
  const account = useAccount()
  const mayApprove = useMay('changes.approve')
  const mayApply = useMay('flags.change-protected')
  const [asked, setAsked] = useState<Decision>()
  const isMine = request.author.id === account.user.id
  const offered = offeredDecisions(request, { isMine, mayApprove, mayApply })
  const reasons = [...new Set(offered.flatMap(({ refused }) => refused ?? []))]

  return (
    <>
      {offered.length > 0 && (
        <div className="grid gap-8">
          <div className="flex flex-wrap gap-8">
            {offered.map((one) => (
              <DecisionButton key={one.decision} offered={one} onAsk={setAsked} />
            ))}
          </div>
          {reasons.map((reason) => (
            <p key={reason} className="text-text-2">
              {reason}
            </p>
          ))}
        </div>
      )}
      {asked && <DecisionDialog request={request} decision={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

type DecisionButtonProps = { offered: OfferedDecision; onAsk: (decision: Decision) => void }

function DecisionButton({ offered: { decision, refused }, onAsk }: DecisionButtonProps) {
  return (
    <Button
      look={['approve', 'apply', 'rebase'].includes(decision) ? 'primary' : 'normal'}
      disabled={refused !== undefined}
      title={refused}
      onClick={() => onAsk(decision)}
    >
      {words[decision].button}
    </Button>
  )
}

type DecisionDialogProps = { request: DescribedChangeRequest; decision: Decision; onClose: () => void }

function DecisionDialog({ request, decision, onClose }: DecisionDialogProps) {
  const { project } = useScope()
  const [comment, setComment] = useState('')
  const queryClient = useQueryClient()
  const deciding = useMutation({
    mutationFn: decideChangeRequest,
    onSuccess: onClose,
    // Also after a refusal: somebody else was probably faster.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['projects', project] }),
  })
  const problem = deciding.error && toProblem(deciding.error)
  const { button, consequence } = words[decision]

  return (
    <Dialog
      title={`${button}: ${request.flag} in ${request.env}`}
      onClose={onClose}
      onSubmit={() =>
        !deciding.isPending &&
        deciding.mutate({ project, request, decision, comment: comment.trim() || undefined })
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={deciding.isPending}>
            {button}
          </Button>
        </>
      }
    >
      {problem && <Notice title={problem.title} detail={problem.detail} requestId={problem.requestId} />}
      <p className="text-text-2">{consequence}</p>
      <TextArea
        label="Comment (optional)"
        hint="Stands in its history."
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
        maxLength={limits.descriptionLength}
        rows={2}
        autoFocus
      />
    </Dialog>
  )
}
