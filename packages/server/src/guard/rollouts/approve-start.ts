import { isApproved, missingApprovals } from '@telltale/core/changes/approvals'
import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { readApproval } from '../../release/change-requests/read-approval.ts'
import { draftOfRollout, isGivenBy } from './approval-of-start.ts'
import { lockRollout, type RolloutRow } from './queries.ts'
import { toRollout } from './rollout.ts'
import { rolloutChange } from './store-turn.ts'

interface Approving {
  project: { id: string; key: string }
  id: string
  by: { id: string; name: string }
  /** The turn that the approver read. */
  turn: number
  comment: string | undefined
}

export const approveRolloutStart = change(
  async ({ db, now }, { project, id, by, turn, comment }: Approving) => {
    const before = await lockRollout(db, project.id, id)
    const { row } = before
    if (row.state !== 'draft') throw problem('wrong-state', `The rollout is ${row.state}.`)
    if (row.draftedBy === by.id)
      throw problem('forbidden', {
        detail: 'You cannot approve your own draft.',
        permission: 'changes.approve',
      })
    if (turn !== row.turn) throw problem('version-conflict', { current: await toRollout(db, before) })
    const found = await readApproval(db, project, draftOfRollout(row))
    if (found === undefined) throw problem('wrong-state', 'Changes in this environment need no approval.')
    const { rule, proposed } = found
    if (isApproved(missingApprovals(rule, proposed))) throw problem('wrong-state', 'The draft is approved.')
    if (isGivenBy(by.id, row)) throw problem('wrong-state', 'You have approved this draft already.')

    const updated: RolloutRow = {
      ...row,
      approvals: [...proposed.approvals, { ...by, version: turn, at: now.toISOString() }],
      updatedAt: now,
    }
    await db.update(rollouts).set(updated).where(eq(rollouts.id, id))
    const after = { ...before, row: updated }
    return {
      reply: await toRollout(db, after),
      changes: [rolloutChange('approve-start', { before, after, comment })],
    }
  },
)
