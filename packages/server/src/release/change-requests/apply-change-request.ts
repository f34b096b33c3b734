import { type ChangeContext, type Changed, change } from '../../platform/engines/postgres/change.ts'
import { refuseArchived, resolveConfigRef } from '../flags/config-ref.ts'
import type { ReviewConfig } from '../flags/policy.ts'
import { writeConfig } from '../flags/write-config.ts'
import { missingOf } from './change-request.ts'
import { decide, refuseImpossible } from './decide.ts'
import { describeChangeRequest } from './describe-change-request.ts'
import { dropLapsed } from './drop-lapsed.ts'
import { lockChangeRequest, type PlacedRequest } from './queries.ts'
import { refuseUnapproved } from './to-approvals.ts'

interface Application {
  review: ReviewConfig
  project: { id: string; key: string }
  id: string
  comment: string | undefined
  endsEvidenceOf?: readonly string[] | undefined
}

export const applyChangeRequest = change(async (context, { project, id, ...how }: Application) => {
  const locked = await lockChangeRequest(context.db, project.id, id)
  const before = await dropLapsed(context.db, project, locked)
  const { reply, changes } = await applyApproved(context, before, { project, ...how })
  return { reply: await describeChangeRequest(context.db, reply), changes }
})

/**
 * Saves an approved change. The project must be locked. Throws `wrong-state` if it is not approved, or no
 * longer.
 */
export async function applyApproved(
  context: ChangeContext,
  before: PlacedRequest,
  { review, project, comment, endsEvidenceOf }: Omit<Application, 'id'>,
): Promise<Changed<PlacedRequest>> {
  refuseImpossible(before, 'apply')
  // The environment, the owners of the flag or the rights of approvers may have changed since the approval.
  refuseUnapproved(missingOf(before))
  const { request } = before
  const place = await resolveConfigRef(context.db, { project, env: before.env, flag: before.flag })
  refuseArchived(place.flag)
  const saved = await writeConfig(context, {
    review,
    project,
    ...place,
    from: request.baseVersion,
    draft: request.proposed,
    reason: request.reason ?? undefined,
    endsEvidenceOf,
    changeRequest: {
      id: request.id,
      author: request.authorName,
      approvedBy: request.approvals.map(({ name }) => name).join(', '),
    },
  })
  const set = { appliedVersion: saved.reply.version }
  const decided = await decide(context, before, { project, action: 'apply', set, comment })
  return { reply: decided.after, changes: [...saved.changes, decided.change] }
}
