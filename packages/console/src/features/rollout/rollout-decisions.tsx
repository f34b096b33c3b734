import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import { approveRolloutStart, type RolloutDetail } from '../../api/rollouts.ts'
import { useAccount, useMay } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { ReviewDialog } from '../../ui/overlay/review-dialog.tsx'
import { Approvals } from '../approvals/approvals.tsx'
import { RolloutActions } from './rollout-actions.tsx'
import { startRefusal } from './start-refusal.ts'

/** The actions on a rollout; on a draft that needs approval, what is missing and the button to approve it. */
export function RolloutDecisions({ rollout }: { rollout: RolloutDetail }) {
  const { approval, env, draftedBy } = rollout
  const { user } = useAccount()
  const mayApprove = useMay('changes.approve', env)
  const isMine = draftedBy === user.id
  if (approval === null) return <RolloutActions rollout={rollout} />
  const refused = startRefusal(rollout, { isMine, mayApprove })
  const isMissing = approval.missing.approvals > 0 || approval.missing.owner
  const hasApproved = approval.approvals.some(({ id }) => id === user.id)
  return (
    <>
      <Approvals of={approval} authorId={draftedBy} isOpen isVersioned={false} />
      <div className="flex flex-wrap gap-8 print:hidden">
        {mayApprove && !isMine && !hasApproved && isMissing && <ApproveButton rollout={rollout} />}
        <RolloutActions rollout={rollout} startRefused={refused} />
      </div>
      {refused && <p className="text-pretty text-12 text-text-3 print:hidden">{refused}</p>}
    </>
  )
}

function ApproveButton({ rollout }: { rollout: RolloutDetail }) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const [open, setOpen] = useState(false)
  const [idempotencyKey, setKey] = useState(newIdempotencyKey)
  const approving = useMutation({
    mutationFn: approveRolloutStart,
    onSuccess: () => setOpen(false),
    // Also after a refusal: the draft may have changed.
    onSettled: () => {
      setKey(newIdempotencyKey())
      return queryClient.invalidateQueries({ queryKey: ['projects', project] })
    },
  })
  return (
    <>
      <Button look="primary" icon="check" onClick={() => setOpen(true)}>
        Approve
      </Button>
      {open && (
        <ReviewDialog
          title={`Approve the rollout of ${rollout.flag}`}
          consequence="You approve this draft. Nothing changes until it starts. A change of the draft voids the approval."
          verb="Approve"
          diff={null}
          reason={{ required: false, maxLength: limits.descriptionLength }}
          cancel="Cancel"
          busy={approving.isPending}
          problem={approving.error ? toProblem(approving.error) : null}
          onConfirm={(comment) =>
            approving.mutate({ project, rollout: rollout.id, turn: rollout.turn, comment, idempotencyKey })
          }
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
