import { isDeepStrictEqual } from 'node:util'
import type { updateMetric as updateMetricCall } from '@telltale/core/contract/metrics'
import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import type { Static } from 'typebox'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { metrics } from '../../platform/engines/postgres/metric-schema.ts'
import { auditedMetric, toMetric } from './metric.ts'
import { getOwnMetric, type MetricRow } from './queries.ts'
import { readMetricFilter } from './read-metric-filter.ts'

export interface MetricUpdate {
  project: { id: string; key: string }
  key: string
  draft: Static<typeof updateMetricCall.body>
  ifMatch: number | undefined
}

/** Changes a metric; fields missing from the draft keep their values. */
export const updateMetric = change(async ({ db }, { project, key, draft, ifMatch }: MetricUpdate) => {
  await lockProject(db, project.id)
  const before = await getOwnMetric(db, project.id, key)
  if (ifMatch !== undefined && ifMatch !== before.version) {
    throw problem('version-conflict', { current: toMetric(before) })
  }
  const { limit, filter, ...members } = draft
  const isOther = draft.aggregation !== undefined && draft.aggregation !== before.aggregation
  const merged: MetricRow = {
    ...before,
    // The percentile of values is not that at which totals are capped.
    ...(isOther && { quantile: null }),
    ...members,
    filter: filter === undefined ? before.filter : readMetricFilter(filter),
    defaultLimit: limit ?? before.defaultLimit,
  }
  if (isDeepStrictEqual(merged, before)) return { reply: toMetric(before), changes: [] }

  const after = { ...merged, version: before.version + 1 }
  await db.update(metrics).set(after).where(eq(metrics.id, before.id))
  return {
    reply: toMetric(after),
    changes: [
      {
        action: 'metric.update',
        entity: { kind: 'metric', id: before.id, name: before.key },
        project,
        before: auditedMetric(before),
        after: auditedMetric(after),
      },
    ],
  }
})
