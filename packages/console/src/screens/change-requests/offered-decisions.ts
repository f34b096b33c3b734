import type { Decision, DescribedChangeRequest } from '../../api/change-requests.ts'

export interface OfferedDecision {
  readonly decision: Decision | 'change'
  /** Why the account may not. */
  readonly refused?: string
}

interface Rights {
  readonly isMine: boolean
  readonly mayApprove: boolean
  readonly mayApply: boolean
  /** The account has approved the proposal as it is now. */
  readonly hasApproved?: boolean
}

const ownRefusal = 'You cannot approve or decline your own change request. Ask another maintainer or admin.'
const approvalRefusal = 'Approving and declining require the role maintainer or admin.'
const applyRefusal = 'Applying requires the role maintainer or admin.'
const againRefusal = 'You have approved this proposal. Other members have not yet.'
const lacksRefusal = 'It now needs more approvals.'

/** The actions the state allows. Author-only actions are not shown to other members. */
export function offeredDecisions(
  request: Pick<DescribedChangeRequest, 'state'> & Partial<Pick<DescribedChangeRequest, 'missing'>>,
  { isMine, mayApprove, mayApply, hasApproved = false }: Rights,
): OfferedDecision[] {
  const { state } = request
  if (state !== 'open' && state !== 'approved' && state !== 'conflicted') return []
  const byOthers = refusedWhen(isMine ? ownRefusal : mayApprove ? undefined : approvalRefusal)
  const again = refusedWhen(byOthers.refused ?? (hasApproved ? againRefusal : undefined))
  const lacks = request.missing !== undefined && (request.missing.approvals > 0 || request.missing.owner)
  return [
    ...(state === 'open' || (state === 'approved' && lacks)
      ? [{ decision: 'approve' as const, ...again }]
      : []),
    ...(state === 'approved'
      ? [
          {
            decision: 'apply' as const,
            ...refusedWhen(mayApply ? (lacks ? lacksRefusal : undefined) : applyRefusal),
          },
        ]
      : []),
    ...(state === 'conflicted' && isMine ? [{ decision: 'rebase' as const }] : []),
    ...(state !== 'conflicted' && isMine ? [{ decision: 'change' as const }] : []),
    ...(isMine && state !== 'open' ? [] : [{ decision: 'decline' as const, ...byOthers }]),
    ...(isMine ? [{ decision: 'withdraw' as const }] : []),
  ]
}

function refusedWhen(refused: string | undefined): { refused?: string } {
  return refused === undefined ? {} : { refused }
}
