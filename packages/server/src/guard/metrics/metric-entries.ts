// Custom metrics as entries of flags as code.

import type { CodeMetric } from '@telltale/core/contract/code-document'
import { problem } from '@telltale/core/errors'
import { usualCapQuantile, usualQuantile } from '@telltale/core/guard/built-in-metrics'
import type { EntryKind } from '../../release/flags-as-code/entry-kinds.ts'
import { createMetric, usualCap, usualLimit } from './create-metric.ts'
import { deleteMetric } from './delete-metric.ts'
import { isTotal } from './metric.ts'
import { findMetrics, isBuiltIn } from './queries.ts'
import { readMetricFilter } from './read-metric-filter.ts'
import { updateMetric } from './update-metric.ts'

export const metricEntries: EntryKind<CodeMetric> = {
  read: async (db, projectId) => {
    const entries = (await findMetrics(db, projectId)).map((row): [string, CodeMetric] => {
      const { key, name, event, filter, aggregation, quantile, better, unit, cap, defaultLimit: limit } = row
      const given = quantile === null ? {} : { quantile }
      return [key, complete({ name, event, filter, aggregation, ...given, better, unit, cap, limit })]
    })
    return { entries: new Map(entries), leftOut: [] }
  },
  complete,
  compact: ({ filter, quantile, unit, cap, limit, ...metric }) => ({
    ...metric,
    ...(filter !== '' && { filter }),
    ...(quantile !== usualQuantileOf(metric) && { quantile }),
    ...(unit !== '' && { unit }),
    ...(cap !== usualCap && { cap }),
    ...(limit !== usualLimit && { limit }),
  }),
  check: async (_db, { key }) => {
    if (isBuiltIn(key)) throw problem('invalid-request', `"${key}" is built in.`)
  },
  write: async (context, { project, key, after }) => {
    if (after === undefined) return (await deleteMetric.verb(context, { project, key })).changes
    const existing = await findMetrics(context.db, project.id)
    const done = existing.some((one) => one.key === key)
      ? await updateMetric.verb(context, { project, key, draft: after, ifMatch: undefined })
      : await createMetric.verb(context, { project, draft: { key, ...after } })
    return done.changes
  },
}

function complete(metric: CodeMetric): CodeMetric {
  const {
    name,
    event,
    filter = '',
    aggregation,
    better,
    unit = '',
    cap = usualCap,
    limit = usualLimit,
  } = metric
  const usual = usualQuantileOf(metric)
  const quantile = usual === undefined ? undefined : (metric.quantile ?? usual)
  return {
    name,
    event,
    filter: readMetricFilter(filter),
    aggregation,
    ...(quantile !== undefined && { quantile }),
    better,
    unit,
    cap,
    limit,
  }
}

/** Undefined where no percentile applies. */
function usualQuantileOf({ aggregation }: Pick<CodeMetric, 'aggregation'>): number | undefined {
  if (aggregation === 'quantile') return usualQuantile
  return isTotal(aggregation) ? usualCapQuantile : undefined
}
