import type { Calls } from '@telltale/core/contract/calls'
import type { GivenConfig } from '@telltale/core/contract/flag-config'
import type { KnownCaller } from '../../access/caller.ts'
import type { Handlers } from '../../access/route.ts'
import { readNewestFirst } from '../../platform/http/newest-first.ts'
import type { Services } from '../../platform/services.ts'
import { draftOfGiven } from '../flags/given-config.ts'
import type { ReleasePolicy } from '../flags/policy.ts'
import { applyChangeRequest } from './apply-change-request.ts'
import { approveChangeRequest } from './approve-change-request.ts'
import { toChangeRequest } from './change-request.ts'
import { declineChangeRequest } from './decline-change-request.ts'
import { describeChangeRequest } from './describe-change-request.ts'
import { dropLapsed, dropLapsedOfAll } from './drop-lapsed.ts'
import type { Proposer } from './insert-change-request.ts'
import { openChangeRequest } from './open-change-request.ts'
import { findChangeRequests, getChangeRequest } from './queries.ts'
import { rebaseChangeRequest } from './rebase-change-request.ts'
import { updateChangeRequest } from './update-change-request.ts'
import { withdrawChangeRequest } from './withdraw-change-request.ts'

export const changeRequestRoutes: Handlers<Calls['change-requests'], Services & { policy: ReleasePolicy }> = {
  listChangeRequests: ({ db }, { project, query }) => {
    const { limit: _limit, cursor: _cursor, ...filter } = query
    return readNewestFirst(query, {
      find: async (before, count) => {
        const found = await findChangeRequests(db, { projectId: project.row.id, filter }, { before, count })
        const counted = await dropLapsedOfAll(db, project.row, found)
        return counted.map((placed) => ({ id: placed.request.id, placed }))
      },
      toItem: ({ placed }) => toChangeRequest(placed),
    })
  },
  openChangeRequest: ({ db }, { project, params, origin, caller, body }) =>
    openChangeRequest(db, origin, {
      place: { ...params, project: project.row },
      author: proposerOf(caller),
      draft: { ...body, config: draftOfGiven(body.config) },
    }),
  getChangeRequest: async ({ db }, { project, params }) => {
    const placed = await getChangeRequest(db, project.row.id, params.changeRequest)
    return describeChangeRequest(db, await dropLapsed(db, project.row, placed))
  },
  updateChangeRequest: ({ db }, { project, params, origin, caller, body, ifMatch }) =>
    updateChangeRequest(db, origin, {
      project: project.row,
      id: params.changeRequest,
      userId: caller.user.id,
      draft: withDraft(body),
      ifMatch,
    }),
  approveChangeRequest: ({ db }, { project, params, origin, caller, body }) =>
    approveChangeRequest(db, origin, {
      project: project.row,
      id: params.changeRequest,
      by: proposerOf(caller),
      version: body.version,
      comment: body.comment,
    }),
  declineChangeRequest: ({ db }, { project, params, origin, caller, body }) =>
    declineChangeRequest(db, origin, {
      project: project.row,
      id: params.changeRequest,
      userId: caller.user.id,
      comment: body.comment,
    }),
  withdrawChangeRequest: ({ db }, { project, params, origin, caller, body }) =>
    withdrawChangeRequest(db, origin, {
      project: project.row,
      id: params.changeRequest,
      userId: caller.user.id,
      comment: body.comment,
    }),
  applyChangeRequest: ({ db, policy }, { project, params, origin, body }) =>
    applyChangeRequest(db, origin, {
      review: policy.reviewConfig,
      project: project.row,
      id: params.changeRequest,
      comment: body.comment,
      endsEvidenceOf: body.endsEvidenceOf,
    }),
  rebaseChangeRequest: ({ db }, { project, params, origin, caller, body }) =>
    rebaseChangeRequest(db, origin, {
      project: project.row,
      id: params.changeRequest,
      userId: caller.user.id,
      config: body.config && draftOfGiven(body.config),
      comment: body.comment,
    }),
}

/** Absent fields stay absent. */
function withDraft<Body extends { config?: GivenConfig }>({ config, ...rest }: Body) {
  return { ...rest, ...(config === undefined ? {} : { config: draftOfGiven(config) }) }
}

function proposerOf({ user }: KnownCaller): Proposer {
  return { id: user.id, name: user.name }
}
