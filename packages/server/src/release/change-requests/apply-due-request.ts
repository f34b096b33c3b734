import { isApproved } from '@telltale/core/changes/approvals'
import { change } from '../../platform/engines/postgres/change.ts'
import type { ReviewConfig } from '../flags/policy.ts'
import { applyApproved } from './apply-change-request.ts'
import { authorshipOfMember, findMemberLapse, refuseLapsed } from './author.ts'
import { missingOf } from './change-request.ts'
import { decide } from './decide.ts'
import { dropLapsed } from './drop-lapsed.ts'
import { lockChangeRequest } from './queries.ts'

interface DueRef {
  project: { id: string; key: string }
  id: string
  /** The version that was due: a request changed, withdrawn or applied since is ignored. */
  version: number
}

interface Due extends DueRef {
  review: ReviewConfig
}

/**
 * Saves a scheduled change request if its author and enough of its approvers still have the permissions. Throws the
 * reason otherwise.
 */
export const applyDueRequest = change(async (context, { review, project, id, version }: Due) => {
  const { db, now } = context
  const locked = await lockChangeRequest(db, project.id, id)
  if (locked.request.version !== version) return { reply: null, changes: [] }
  const { authorId, authorName, approvals } = locked.request
  const place = { project, environment: { key: locked.env }, now }
  await refuseLapsed(db, authorshipOfMember(authorId, authorName), { ...place, permission: 'flags.change' })
  const before = await dropLapsed(db, project, locked)
  // The reason, if those that are left are not enough.
  if (!isApproved(missingOf(before)))
    for (const approval of approvals) {
      const lapse = await findMemberLapse(db, approval, { ...place, permission: 'changes.approve' })
      if (lapse !== undefined) throw lapse
    }
  const { changes } = await applyApproved(context, before, { review, project, comment: undefined })
  return { reply: null, changes }
})

/** Records why a change could not be saved at its time, and leaves it to be applied manually. */
export const missDueRequest = change(
  async (context, { project, id, version, failure }: DueRef & { failure: string }) => {
    const before = await lockChangeRequest(context.db, project.id, id)
    if (before.request.version !== version) return { reply: null, changes: [] }
    const missed = { project, action: 'miss', set: { scheduledFor: null }, comment: failure } as const
    const { change: entry } = await decide(context, before, missed)
    return { reply: null, changes: [entry] }
  },
)
