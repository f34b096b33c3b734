import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/quotas'
import { request } from './client.ts'

export type Quotas = ReplyOf<typeof contract.listQuotas>
export type Quota = Quotas['items'][number]
export type Sampling = Quotas['samplings'][number]
export type QuotaDraft = BodyOf<typeof contract.createQuota>

const refreshed = 15_000

/** Quotas with what is used of them, and the times with reduced data. */
export const quotasQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'quotas'],
    queryFn: ({ signal }) => request(calls.quotas.listQuotas, { params: { project }, signal }),
    refetchInterval: refreshed,
  })

/** When the data of an environment was reduced in a period; without bounds, in the last 30 days. */
export const samplingsQuery = (
  { project, env }: { project: string; env: string },
  period: { from?: string; to?: string },
) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'samplings', period],
    queryFn: ({ signal }) =>
      request(calls.quotas.listSamplings, { params: { project, env }, query: period, signal }),
    staleTime: 60_000,
  })

export function createQuota(requested: { project: string; draft: QuotaDraft; idempotencyKey: string }) {
  const { project, draft, idempotencyKey } = requested
  return request(calls.quotas.createQuota, { params: { project }, body: draft, idempotencyKey })
}

export function updateQuota({ project, quota, most }: { project: string; quota: string; most: number }) {
  return request(calls.quotas.updateQuota, { params: { project, quota }, body: { most } })
}

export function deleteQuota({ project, quota }: { project: string; quota: string }) {
  return request(calls.quotas.deleteQuota, { params: { project, quota } })
}

export function setSpikeProtection(requested: { project: string; env: string; enabled: boolean }) {
  const { project, env, enabled } = requested
  return request(calls.quotas.setSpikeProtection, { params: { project, env }, body: { enabled } })
}
