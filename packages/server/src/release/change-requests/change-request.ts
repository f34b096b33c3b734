import type { ChangeRequest, OpenedChangeRequest } from '@telltale/core/contract/change-requests'
import type { ChangeRequestAction } from '@telltale/core/states/change-request'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { PlacedRequest } from './queries.ts'

/** A change request as lists show it. */
export function toChangeRequest({ request, env, flag }: PlacedRequest): ChangeRequest {
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
    approvedBy:
      request.approvedByName === null ? null : { id: request.approvedById, name: request.approvedByName },
    appliedVersion: request.appliedVersion,
    version: request.version,
    createdAt: request.createdAt.toISOString(),
    updatedAt: request.updatedAt.toISOString(),
  }
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
  }
}

function audited(placed: PlacedRequest): object {
  const { state, flag, baseVersion, reason, scheduledFor, author, reviewers, approvedBy, appliedVersion } =
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
    approvedBy,
    appliedVersion,
  }
}
