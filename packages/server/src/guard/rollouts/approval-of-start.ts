// The start of a rollout needs the approvals that its environment asks for, like a change request. They are of the
// draft as it was read: each change of the draft is another turn.

import type { Approval } from '@telltale/core/changes/approvals'
import type { Approvals } from '@telltale/core/contract/change-requests'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { type Draft, readApproval } from '../../release/change-requests/read-approval.ts'
import { refuseUnapproved, toApprovals } from '../../release/change-requests/to-approvals.ts'
import type { RolloutRow } from './queries.ts'

/** What the start of a draft takes; null where changes need no approval, and after the start. */
export async function approvalOfStart(
  db: Queryable,
  project: { id: string },
  row: RolloutRow,
): Promise<Approvals | null> {
  const found = row.state === 'draft' ? await readApproval(db, project, draftOfRollout(row)) : undefined
  if (found === undefined) return null
  const { rule, proposed, ownerTeams } = found
  return { ...toApprovals(rule, proposed), owners: [...proposed.owners], ownerTeams }
}

interface Start {
  project: { id: string }
  row: RolloutRow
  /** Who starts it; undefined for a token that may not approve. */
  approver: { id: string; name: string } | undefined
}

/**
 * The approvals with that of the member who starts it, unless it is their own draft: starting says that they agree.
 * Throws `wrong-state` if more are missing.
 */
export async function approveByStart(
  { db, now }: { db: Queryable; now: Date },
  { project, row, approver }: Start,
): Promise<Approval[]> {
  const isMore = approver !== undefined && !isGivenBy(approver.id, row)
  const own = isMore ? [{ ...approver, version: row.turn, at: now.toISOString() }] : []
  const given = [...row.approvals, ...own]
  const found = await readApproval(db, project, draftOfRollout({ ...row, approvals: given }))
  if (found === undefined) return row.approvals
  const { approvals, missing } = toApprovals(found.rule, found.proposed)
  refuseUnapproved(missing)
  return approvals.map(({ asOwner: _asOwner, ...one }) => one)
}

export function isGivenBy(userId: string, { approvals, turn }: RolloutRow): boolean {
  return approvals.some(({ id, version }) => id === userId && version === turn)
}

export function draftOfRollout({ draftedBy, turn, ...row }: RolloutRow): Draft {
  return { ...row, authorId: draftedBy, version: turn }
}
