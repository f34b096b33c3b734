import { problem } from '@telltale/core/errors'
import { change } from '../../platform/engines/postgres/change.ts'
import { decide } from './decide.ts'
import { describeChangeRequest } from './describe-change-request.ts'
import type { Proposer } from './insert-change-request.ts'
import { refuseOwn } from './own.ts'
import { lockChangeRequest } from './queries.ts'

interface Approval {
  project: { id: string; key: string }
  id: string
  by: Proposer
  /** The version that the approver saw: a later change must be reviewed first. */
  version: number
  comment: string | undefined
}

/** A scheduled time in the past is cleared: a change approved too late is applied manually. */
export const approveChangeRequest = change(
  async (context, { project, id, by, version, comment }: Approval) => {
    const { db, now } = context
    const before = await lockChangeRequest(db, project.id, id)
    refuseOwn(before, by.id)
    if (version !== before.request.version) {
      throw problem('version-conflict', { current: await describeChangeRequest(db, before) })
    }
    const { scheduledFor } = before.request
    const set = {
      approvedById: by.id,
      approvedByName: by.name,
      scheduledFor: scheduledFor !== null && scheduledFor <= now ? null : scheduledFor,
    }
    const { after, change: entry } = await decide(context, before, {
      project,
      action: 'approve',
      set,
      comment,
    })
    return { reply: await describeChangeRequest(db, after), changes: [entry] }
  },
)
