import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/canary'
import { endpoint, request } from './client.ts'

export type Canary = ReplyOf<typeof contract.getCanary>
export type PresentDraw = NonNullable<Canary['present']>
export type CanaryMetric = PresentDraw['metrics'][number]
export type CanaryDraw = Canary['past'][number]

const path = '/api/v1/projects/:project/environments/:env/canary'
const getCanaryCall = endpoint<typeof contract.getCanary>('GET', path)
const beginCanaryCall = endpoint<typeof contract.beginCanary>('POST', `${path}/begin`)

/** It is looked at every few minutes. */
const again = 60_000

export const canaryQuery = (project: string, env: string) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'canary'],
    queryFn: ({ signal }) => request(getCanaryCall, { params: { project, env }, signal }),
    refetchInterval: again,
  })

export function beginCanary(params: { project: string; env: string }) {
  return request(beginCanaryCall, { params })
}
