import type { RolloutDetail } from '../../api/rollouts.ts'

interface Rights {
  isMine: boolean
  mayApprove: boolean
}

/** Why a draft cannot start yet: approvals are missing, also with that of the member who starts it. */
export function startRefusal(
  { approval }: Pick<RolloutDetail, 'approval'>,
  { isMine, mayApprove }: Rights,
): string | undefined {
  if (approval === null) return undefined
  const { missing } = approval
  const own = mayApprove && !isMine ? 1 : 0
  const isLast = missing.approvals <= own
  if (isLast && (own === 1 || !missing.owner)) return undefined
  if (isMine && missing.approvals > 0) return 'Other members must approve your draft before it can start.'
  return missing.approvals > own
    ? 'It needs more approvals before it can start.'
    : 'An owner of the flag must approve it before it can start.'
}
