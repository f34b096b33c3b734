import type { createMetric as createMetricCall } from '@telltale/core/contract/metrics'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { Static } from 'typebox'
import { v7 as newId } from 'uuid'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { metrics } from '../../platform/engines/postgres/metric-schema.ts'
import { auditedMetric, toMetric } from './metric.ts'
import { findMetrics, isBuiltIn, type MetricRow } from './queries.ts'
import { readMetricFilter } from './read-metric-filter.ts'

interface MetricCreation {
  project: { id: string; key: string }
  draft: Static<typeof createMetricCall.body>
}

/** Metrics that should be high may fall by 5 %, others may rise by 5 %. */
export const usualLimit = 0.05
/** Maximum of a count in one session. */
export const usualCap = 50

export const createMetric = change(async ({ db, now }, { project, draft }: MetricCreation) => {
  await lockProject(db, project.id)
  const existing = await findMetrics(db, project.id)
  if (isBuiltIn(draft.key) || existing.some(({ key }) => key === draft.key)) {
    throw problem('already-exists', `The metric "${draft.key}" already exists in the project.`)
  }
  if (existing.length >= limits.metricsPerProject) {
    throw problem('in-use', `A project has at most ${limits.metricsPerProject} custom metrics.`)
  }

  const row: MetricRow = {
    id: newId(),
    projectId: project.id,
    key: draft.key,
    name: draft.name,
    event: draft.event,
    filter: readMetricFilter(draft.filter ?? ''),
    quantile: draft.quantile ?? null,
    aggregation: draft.aggregation,
    better: draft.better,
    unit: draft.unit ?? '',
    cap: draft.cap ?? usualCap,
    defaultLimit: draft.limit ?? usualLimit,
    version: 1,
    createdAt: now,
  }
  await db.insert(metrics).values(row)
  return {
    reply: toMetric(row),
    changes: [
      {
        action: 'metric.create',
        entity: { kind: 'metric', id: row.id, name: row.key },
        project,
        after: auditedMetric(row),
      },
    ],
  }
})
