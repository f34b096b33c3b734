import type { Calls } from '@telltale/core/contract/calls'
import { builtInMetrics } from '@telltale/core/guard/built-in-metrics'
import type { Handlers } from '../http/route.ts'
import { createMetric } from './create-metric.ts'
import { deleteMetric } from './delete-metric.ts'
import { toBuiltInMetric, toMetric } from './metric.ts'
import { findMetrics } from './queries.ts'
import { updateMetric } from './update-metric.ts'

export const metricRoutes: Handlers<Calls['metrics']> = {
  listMetrics: async ({ db }, { project }) => {
    const own = await findMetrics(db, project.row.id)
    return { items: [...builtInMetrics.map(toBuiltInMetric), ...own.map(toMetric)] }
  },
  createMetric: ({ db }, { project, origin, body }) =>
    createMetric(db, origin, { project: project.row, draft: body }),
  updateMetric: ({ db }, { project, params, origin, body, ifMatch }) =>
    updateMetric(db, origin, { project: project.row, key: params.metric, draft: body, ifMatch }),
  deleteMetric: ({ db }, { project, params, origin }) =>
    deleteMetric(db, origin, { project: project.row, key: params.metric }),
}
