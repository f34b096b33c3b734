// The only place where change requests change state: as the state table allows, with an entry in the history
// and in the audit log.

import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { type ChangeRequestAction, changeRequestAfter } from '@telltale/core/states/change-request'
import { eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { changeRequestDecisions, changeRequests } from '../../platform/engines/postgres/change-schema.ts'
import { requestChange } from './change-request.ts'
import { type ChangeRequestRow, countDecisions, type PlacedRequest } from './queries.ts'

interface Decision {
  project: { id: string; key: string }
  action: ChangeRequestAction
  /** One of several approvals: the state stays. */
  isPartial?: boolean
  set?: Partial<ChangeRequestRow>
  comment?: string | undefined
}

export interface Decided {
  after: PlacedRequest
  change: EntityChange
}

/** Throws `wrong-state`. */
export function refuseImpossible({ request }: PlacedRequest, action: ChangeRequestAction): void {
  if (changeRequestAfter(request.state, action) !== undefined) return
  throw problem('wrong-state', `The change request is ${request.state}.`)
}

/** Throws `wrong-state`, and `in-use` if a change request has too many events. The project must be locked. */
export async function decide(
  { db, now, actor }: ChangeContext,
  before: PlacedRequest,
  { project, action, isPartial = false, set = {}, comment }: Decision,
): Promise<Decided> {
  refuseImpossible(before, action)
  const { request } = before
  const state = isPartial ? request.state : (changeRequestAfter(request.state, action) ?? request.state)
  if (endless.has(action) && (await countDecisions(db, request.id)) >= limits.decisionsPerChangeRequest) {
    throw problem('in-use', 'This change request has too many events: open another one.')
  }

  const row = { ...request, ...set, state, version: request.version + 1, updatedAt: now }
  await db.update(changeRequests).set(row).where(eq(changeRequests.id, request.id))
  await db.insert(changeRequestDecisions).values({
    id: newId(),
    changeRequestId: request.id,
    at: now,
    action,
    actor,
    comment: comment ?? null,
    version: row.proposalVersion,
  })
  const after = { ...before, request: row }
  return { after, change: requestChange(action, project, { before, after, comment }) }
}

/** A changed proposal: approvals of the earlier one lapse. */
export function renewed({ request }: PlacedRequest): Pick<ChangeRequestRow, 'approvals' | 'proposalVersion'> {
  return { approvals: [], proposalVersion: request.version + 1 }
}

/** Actions that can be repeated; all others end in a final state. */
const endless: ReadonlySet<ChangeRequestAction> = new Set(['update', 'approve', 'rebase'])
