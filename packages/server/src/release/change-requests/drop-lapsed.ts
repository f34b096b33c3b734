// Approvals count only while their members may still approve in the environment.

import type { Approval } from '@telltale/core/changes/approvals'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { findMemberLapse } from './author.ts'
import type { PlacedRequest } from './queries.ts'

interface Given {
  env: string
  approvals: readonly Approval[]
}

/** Drops approvals of members who may no longer approve. Looks up each member once per environment. */
export function createLapsedFilter(db: Queryable, project: { id: string }) {
  const known = new Map<string, boolean>()

  async function counts(approval: Approval, env: string): Promise<boolean> {
    const key = `${env} ${approval.id}`
    const found = known.get(key)
    if (found !== undefined) return found
    const right = { project, environment: { key: env }, permission: 'changes.approve' } as const
    const isValid = (await findMemberLapse(db, approval, right)) === undefined
    known.set(key, isValid)
    return isValid
  }

  return async ({ env, approvals }: Given): Promise<Approval[]> => {
    const kept: Approval[] = []
    for (const approval of approvals) if (await counts(approval, env)) kept.push(approval)
    return kept
  }
}

type LapsedFilter = ReturnType<typeof createLapsedFilter>

/** Without lapsed approvals, until it is applied. */
export async function dropLapsed(
  db: Queryable,
  project: { id: string },
  placed: PlacedRequest,
): Promise<PlacedRequest> {
  return withoutLapsed(createLapsedFilter(db, project), placed)
}

/** The same for a list. */
export async function dropLapsedOfAll(
  db: Queryable,
  project: { id: string },
  all: readonly PlacedRequest[],
): Promise<PlacedRequest[]> {
  const filter = createLapsedFilter(db, project)
  const counted: PlacedRequest[] = []
  for (const placed of all) counted.push(await withoutLapsed(filter, placed))
  return counted
}

async function withoutLapsed(filter: LapsedFilter, placed: PlacedRequest): Promise<PlacedRequest> {
  const { request, env } = placed
  if (request.state !== 'open' && request.state !== 'approved') return placed
  return { ...placed, request: { ...request, approvals: await filter({ env, ...request }) } }
}
