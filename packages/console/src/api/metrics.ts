import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { BodyOf, QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/metrics'
import { request } from './client.ts'

export type Metric = ReplyOf<typeof contract.listMetrics>['items'][number]
export type MetricDraft = BodyOf<typeof contract.createMetric>
export type MeasuredMetric = QueryOf<typeof contract.previewMetric>
export type MetricPreview = ReplyOf<typeof contract.previewMetric>
type MetricChange = BodyOf<typeof contract.updateMetric>

export const metricsKey = (project: string) => ['projects', project, 'metrics']

/** Built-in metrics first, then the project's own by key. */
export const metricsQuery = (project: string) =>
  queryOptions({
    queryKey: metricsKey(project),
    queryFn: async ({ signal }) =>
      (await request(calls.metrics.listMetrics, { params: { project }, signal })).items,
  })

/** Values of the metric over the last days. Keeps the previous result while the parameters change. */
export const metricPreviewQuery = (of: { project: string; env: string }, query: MeasuredMetric) =>
  queryOptions({
    queryKey: ['projects', of.project, 'environments', of.env, 'metric-preview', query],
    queryFn: ({ signal }) => request(calls.metrics.previewMetric, { params: of, query, signal }),
    placeholderData: keepPreviousData,
  })

export function createMetric(requested: { project: string; draft: MetricDraft; idempotencyKey: string }) {
  const { project, draft, idempotencyKey } = requested
  return request(calls.metrics.createMetric, { params: { project }, body: draft, idempotencyKey })
}

export function updateMetric(requested: { project: string; metric: Metric; change: MetricChange }) {
  const { project, metric, change } = requested
  return request(calls.metrics.updateMetric, {
    params: { project, metric: metric.key },
    body: change,
    ifMatch: metric.version,
  })
}

export function deleteMetric({ project, metric }: { project: string; metric: string }) {
  return request(calls.metrics.deleteMetric, { params: { project, metric } })
}
