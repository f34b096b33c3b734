import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/retention'
import { request } from './client.ts'

export type Nights = ReplyOf<typeof contract.getRetention>
export type Night = Nights['nights'][number]
export type RetentionPreview = ReplyOf<typeof contract.previewRetention>
export type Storage = ReplyOf<typeof contract.getStorage>
export type RetentionDays = Partial<Record<RetentionPreview['kinds'][number]['kind'], number>>

interface EnvironmentRef {
  project: string
  env: string
}

export const nightsQuery = ({ project, env }: EnvironmentRef) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'retention'],
    queryFn: ({ signal }) => request(calls.retention.getRetention, { params: { project, env }, signal }),
  })

/** Never cached: the preview depends on the data that is stored now. */
export const previewQuery = ({ project, env }: EnvironmentRef, days: RetentionDays) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'retention', 'preview', days],
    queryFn: ({ signal }) =>
      request(calls.retention.previewRetention, { params: { project, env }, query: days, signal }),
    staleTime: 0,
    gcTime: 0,
  })

export const storageQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'storage'],
    queryFn: ({ signal }) => request(calls.retention.getStorage, { params: { project }, signal }),
    staleTime: 60_000,
  })

export function setBudget({ project, bytes }: { project: string; bytes: number | null }) {
  return request(calls.retention.setBudget, { params: { project }, body: { bytes } })
}
