import { infiniteQueryOptions } from '@tanstack/react-query'
import type * as contract from '@telltale/core/contract/blast-radius'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { endpoint, request } from './client.ts'

export type BlastRadiusPart = ReplyOf<typeof contract.previewBlastRadius>
export type TargetingChange = BodyOf<typeof contract.previewBlastRadius>['change']

const previewCall = endpoint<typeof contract.previewBlastRadius>(
  'POST',
  '/api/v1/projects/:project/environments/:env/blast-radius',
)

/** Part after part of the people of the last days. */
export const blastRadiusQuery = (place: { project: string; env: string }, change: TargetingChange) =>
  infiniteQueryOptions({
    queryKey: ['projects', place.project, 'blast-radius', place.env, change],
    queryFn: ({ pageParam, signal }) =>
      request(previewCall, {
        params: place,
        body: { change, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (part) => part.next,
    staleTime: 0,
    gcTime: 0,
  })
