import type { Calls } from '@telltale/core/contract/calls'
import { limits } from '@telltale/core/limits'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { getEnvironment } from '../environments/queries.ts'
import { createQuota, deleteQuota, updateQuota } from './change-quotas.ts'
import { findSamplings } from './queries.ts'
import { setSpikeProtection } from './set-spike-protection.ts'
import { showQuotas, toSampling } from './show-quotas.ts'

const usualPeriod = 30 * 86_400_000

export const quotaRoutes: Handlers<Calls['quotas'], Services> = {
  listQuotas: ({ db, clock }, { project }) => showQuotas(db, project.row.id, clock()),
  createQuota: ({ db }, { project, origin, body }) =>
    createQuota(db, origin, { project: project.row, draft: body }),
  updateQuota: ({ db }, { project, origin, params, body }) =>
    updateQuota(db, origin, { project: project.row, id: params.quota, most: body.most }),
  deleteQuota: ({ db }, { project, origin, params }) =>
    deleteQuota(db, origin, { project: project.row, id: params.quota }),
  setSpikeProtection: ({ db }, { project, origin, params, body }) =>
    setSpikeProtection(db, origin, { project: project.row, env: params.env, enabled: body.enabled }),
  listSamplings: async ({ db, clock }, { project, params, query }) => {
    const { id } = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    const to = query.to === undefined ? clock() : new Date(query.to)
    const from = query.from === undefined ? new Date(to.getTime() - usualPeriod) : new Date(query.from)
    const wanted = { projectId: project.row.id, environmentId: id, from, to, count: limits.samplingsShown }
    return { items: (await findSamplings(db, wanted)).map(toSampling) }
  },
}
