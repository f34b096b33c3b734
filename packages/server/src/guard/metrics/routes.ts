import type { Calls } from '@telltale/core/contract/calls'
import { builtInMetrics } from '@telltale/core/guard/built-in-metrics'
import type { Handlers } from '../../access/route.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import { createMetric } from './create-metric.ts'
import { deleteMetric } from './delete-metric.ts'
import { toBuiltInMetric, toMetric } from './metric.ts'
import { previewMetric } from './preview-metric.ts'
import { findMetricLimits, findMetrics, isBuiltIn } from './queries.ts'
import { setMetricLimit } from './set-metric-limit.ts'
import { updateMetric } from './update-metric.ts'

export const metricRoutes: Handlers<Calls['metrics'], Services> = {
  listMetrics: async ({ db }, { project }) => {
    const own = await findMetrics(db, project.row.id)
    const accepted = await findMetricLimits(db, project.row.id)
    const builtIn = builtInMetrics.map((one) => toBuiltInMetric(one, accepted.get(one.key)))
    return { items: [...builtIn, ...own.map(toMetric)] }
  },
  createMetric: ({ db }, { project, origin, body }) =>
    createMetric(db, origin, { project: project.row, draft: body }),
  updateMetric: ({ db }, { project, params: { metric: key }, origin, body: draft, ifMatch }) => {
    const update = isBuiltIn(key) ? setMetricLimit : updateMetric
    return update(db, origin, { project: project.row, key, draft, ifMatch })
  },
  deleteMetric: ({ db }, { project, params, origin }) =>
    deleteMetric(db, origin, { project: project.row, key: params.metric }),
  previewMetric: async (services, { project, params, query }) => {
    const environment = await getEnvironment(services.db, { projectId: project.row.id, key: params.env })
    return previewMetric(services, { environment, query, now: services.clock() })
  },
}
