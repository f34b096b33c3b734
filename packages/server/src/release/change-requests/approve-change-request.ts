import { isApproved } from '@telltale/core/changes/approvals'
import { problem } from '@telltale/core/errors'
import { change } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { missingOf } from './change-request.ts'
import { decide, refuseImpossible } from './decide.ts'
import { describeChangeRequest } from './describe-change-request.ts'
import { dropLapsed } from './drop-lapsed.ts'
import type { Proposer } from './insert-change-request.ts'
import { refuseOwn } from './own.ts'
import { getChangeRequest, isInTeams, lockChangeRequest, type PlacedRequest } from './queries.ts'

interface Approving {
  project: { id: string; key: string }
  id: string
  by: Proposer
  /** The version that the approver saw: a later change of the proposal must be reviewed first. */
  version: number
  comment: string | undefined
}

/** A scheduled time in the past is cleared: a change approved too late is applied manually. */
export const approveChangeRequest = change(
  async (context, { project, id, by, version, comment }: Approving) => {
    const { db, now } = context
    const before = await lockChangeRequest(db, project.id, id)
    refuseOwn(before, by.id)
    const { request } = before
    // Approvals by others in between change nothing that the approver read.
    if (version < request.proposalVersion || version > request.version) {
      throw problem('version-conflict', { current: await describeChangeRequest(db, before) })
    }
    refuseImpossible(before, 'approve')
    const counted = await dropLapsed(db, project, before)
    refuseNeedless(counted, by)
    const { scheduledFor } = request
    const approval = { ...by, version: request.proposalVersion, at: now.toISOString() }
    const set = {
      approvals: [...counted.request.approvals, approval],
      scheduledFor: scheduledFor !== null && scheduledFor <= now ? null : scheduledFor,
    }
    const isPartial = !isApproved(
      missingOf({ ...before, teams: await teamsWith(db, before, by), request: { ...request, ...set } }),
    )
    const decision = { project, action: 'approve' as const, isPartial, set, comment }
    const { change: entry } = await decide(context, before, decision)
    const after = await getChangeRequest(db, project.id, id)
    return { reply: await describeChangeRequest(db, after), changes: [entry] }
  },
)

/** The approver may own the flag by a team. */
async function teamsWith(db: Queryable, { teams, ownerTeams }: PlacedRequest, { id }: Proposer) {
  const isOwner = await isInTeams(db, id, ownerTeams)
  return isOwner ? { ...teams, approvers: [...teams.approvers, id] } : teams
}

/** Throws `wrong-state`. */
function refuseNeedless(placed: PlacedRequest, { id }: Proposer): void {
  const { request } = placed
  if (request.state === 'approved' && isApproved(missingOf(placed)))
    throw problem('wrong-state', 'The change request is approved.')
  const isDone = request.approvals.some((one) => one.id === id && one.version === request.proposalVersion)
  if (isDone) throw problem('wrong-state', 'You have approved this proposal already.')
}
