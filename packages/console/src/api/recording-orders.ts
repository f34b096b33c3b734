import { queryOptions } from '@tanstack/react-query'
import { calls } from '@telltale/core/contract/calls'
import type { RecordingOrders, RecordingSubject } from '@telltale/core/contract/recording-orders'
import { request } from './client.ts'

export type { RecordingOrders, RecordingSubject }
export type RecordingOrder = RecordingSubject['orders'][number]
export type RecordingPart = RecordingSubject['parts'][number]

/** The server plans them again every half a minute. */
const again = 60_000

export const recordingOrdersQuery = (project: string, env: string) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'recording-orders'],
    queryFn: ({ signal }) =>
      request(calls.recordingOrders.listRecordingOrders, { params: { project, env }, signal }),
    refetchInterval: again,
  })
