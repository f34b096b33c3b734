import {
  type ApprovalRule,
  isApproved,
  type Missing,
  missingApprovals,
  type Proposed,
  validApprovals,
} from '@telltale/core/changes/approvals'
import type { Approvals } from '@telltale/core/contract/change-requests'
import { problem } from '@telltale/core/errors'

/** Who approved a proposal, how many must, and what is missing. */
export function toApprovals(
  rule: ApprovalRule,
  proposed: Proposed,
): Pick<Approvals, 'approvals' | 'missing' | 'needed'> {
  const owners = new Set([...proposed.owners, ...proposed.teams.approvers])
  return {
    approvals: validApprovals(proposed).map((approval) => ({
      ...approval,
      asOwner: approval.id !== null && owners.has(approval.id),
    })),
    missing: missingApprovals(rule, proposed),
    needed: { approvals: rule.needed, owner: rule.byOwner },
  }
}

/** Throws `wrong-state`. */
export function refuseUnapproved(missing: Missing): void {
  if (isApproved(missing)) return
  const more = `${missing.approvals} more approval${missing.approvals === 1 ? '' : 's'}`
  throw problem(
    'wrong-state',
    `This now needs ${missing.owner ? 'the approval of an owner of the flag' : more}.`,
  )
}
