import type { Missing } from '@telltale/core/changes/approvals'
import type { ChangeRequest, OpenedChangeRequest } from '@telltale/core/contract/change-requests'
import type { ChangeRequestAction } from '@telltale/core/states/change-request'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { PlacedRequest } from './queries.ts'
import { toApprovals } from './to-approvals.ts'

/** A change request as lists show it. */
export function toChangeRequest(placed: PlacedRequest): ChangeRequest {
  const { request, env, flag } = placed
  const { approvals, missing } = approvalsOf(placed)
  return {
    id: request.id,
    env,
    flag,
    state: request.state,
    baseVersion: request.baseVersion,
    reason: request.reason,
    scheduledFor: request.scheduledFor?.toISOString() ?? null,
    author: { id: request.authorId, name: request.authorName },
    reviewers: request.reviewers,
    approvals,
    missing,
    proposalVersion: request.proposalVersion,
    appliedVersion: request.appliedVersion,
    version: request.version,
    createdAt: request.createdAt.toISOString(),
    updatedAt: request.updatedAt.toISOString(),
  }
}

/** What is missing until it can be applied, by the rules of the environment now. */
export function missingOf(placed: PlacedRequest): Missing {
  return approvalsOf(placed).missing
}

function approvalsOf({ request, owners, teams, needed, byOwner }: PlacedRequest) {
  const { authorId, approvals, proposalVersion: version } = request
  return toApprovals({ needed, byOwner }, { authorId, approvals, version, owners, teams })
}

/** The response of a save that opened a change request instead. */
export function toOpened(project: { key: string }, placed: PlacedRequest): OpenedChangeRequest {
  const changeRequest = toChangeRequest(placed)
  return {
    changeRequest,
    address: `/api/v1/projects/${project.key}/change-requests/${changeRequest.id}`,
  }
}

export function requestChange(
  action: ChangeRequestAction | 'open',
  project: { id: string; key: string },
  { before, after, comment }: { before?: PlacedRequest; after: PlacedRequest; comment?: string | undefined },
): EntityChange {
  const { request, env, flag } = after
  return {
    action: `change-request.${action}`,
    entity: { kind: 'change-request', id: request.id, name: flag },
    project,
    environment: { id: request.environmentId, key: env },
    ...(before === undefined ? {} : { before: audited(before) }),
    after: audited(after),
    ...(comment === undefined ? {} : { reason: comment }),
    ...(action === 'open' && missingOf(after).owner && { news: wantsOwner(after) }),
  }
}

/** The notice says whose approval is wanted; owners find it in their inbox. */
function wantsOwner({ request, env, flag, owners, ownerTeams }: PlacedRequest) {
  return {
    summary: `${request.authorName} asks the owners of ${flag} to approve a change in ${env}`,
    data: {
      approvalWanted: owners.filter((id) => id !== request.authorId),
      approvalWantedByTeams: ownerTeams,
    },
  }
}

function audited(placed: PlacedRequest): object {
  const { state, flag, baseVersion, reason, scheduledFor, author, reviewers, approvals, appliedVersion } =
    toChangeRequest(placed)
  return {
    state,
    flag,
    baseVersion,
    proposed: placed.request.proposed,
    reason,
    scheduledFor,
    author,
    reviewers,
    approvals: approvals.map(({ name, version }) => ({ name, version })),
    appliedVersion,
  }
}
