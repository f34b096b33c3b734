import { Problem } from '@telltale/core/errors'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { authorshipOfMember, refuseLapsed } from './author.ts'
import type { PlacedRequest } from './queries.ts'

/** Without the approvals of members who may no longer approve in this environment, until it is applied. */
export async function dropLapsed(
  { db, now }: { db: Queryable; now: Date },
  project: { id: string },
  placed: PlacedRequest,
): Promise<PlacedRequest> {
  if (placed.request.state !== 'open' && placed.request.state !== 'approved') return placed
  const right = { project, environment: { key: placed.env }, permission: 'changes.approve', now } as const
  const approvals: typeof placed.request.approvals = []
  for (const approval of placed.request.approvals) {
    try {
      await refuseLapsed(db, authorshipOfMember(approval.id, approval.name), right)
      approvals.push(approval)
    } catch (error) {
      // The approval does not count; the request says how many are missing.
      if (!(error instanceof Problem)) throw error
    }
  }
  return { ...placed, request: { ...placed.request, approvals } }
}
