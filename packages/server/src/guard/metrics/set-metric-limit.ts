import { problem } from '@telltale/core/errors'
import { builtInMetrics } from '@telltale/core/guard/built-in-metrics'
import { and, eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { metricLimits } from '../../platform/engines/postgres/metric-schema.ts'
import { toBuiltInMetric } from './metric.ts'
import { findMetricLimits, type MetricLimitRow } from './queries.ts'
import type { MetricUpdate } from './update-metric.ts'

/** Sets the project's limit of a built-in metric; everything else of it is fixed. Null restores the default. */
export const setMetricLimit = change(async ({ db }, { project, key, draft, ifMatch }: MetricUpdate) => {
  await lockProject(db, project.id)
  const definition = builtInMetrics.find((metric) => metric.key === key)
  if (definition === undefined) throw problem('not-found', `There is no metric "${key}" here.`)
  const { limit, ...others } = draft
  if (limit === undefined || Object.keys(others).length > 0) {
    throw problem('built-in', `"${key}" is built in; only its limit can be changed.`)
  }
  const row = (await findMetricLimits(db, project.id)).get(key)
  const before = toBuiltInMetric(definition, row)
  if (ifMatch !== undefined && ifMatch !== before.version)
    throw problem('version-conflict', { current: before })
  const defaultLimit = limit ?? definition.limit
  if (defaultLimit === before.limit) return { reply: before, changes: [] }

  // The row is kept with the default limit, because a version must never be reused.
  const after: MetricLimitRow = { projectId: project.id, key, defaultLimit, version: before.version + 1 }
  if (row === undefined) await db.insert(metricLimits).values(after)
  else await db.update(metricLimits).set(after).where(isOf(after))
  return {
    reply: toBuiltInMetric(definition, after),
    changes: [
      {
        action: 'metric.update',
        entity: { kind: 'metric', id: `${project.id}/${key}`, name: key },
        project,
        before: { key, limit: before.limit },
        after: { key, limit: defaultLimit },
      },
    ],
  }
})

const isOf = ({ projectId, key }: MetricLimitRow) =>
  and(eq(metricLimits.projectId, projectId), eq(metricLimits.key, key))
