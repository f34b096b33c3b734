import { infiniteQueryOptions } from '@tanstack/react-query'
import type * as contract from '@telltale/core/contract/blast-radius'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import { request } from './client.ts'

export type BlastRadiusPart = ReplyOf<typeof contract.previewBlastRadius>
export type TargetingChange = BodyOf<typeof contract.previewBlastRadius>['change']

/** Counts the users of the last days batch by batch. */
export const blastRadiusQuery = (place: { project: string; env: string }, change: TargetingChange) =>
  infiniteQueryOptions({
    queryKey: ['projects', place.project, 'blast-radius', place.env, change],
    queryFn: ({ pageParam, signal }) =>
      request(calls['blast-radius'].previewBlastRadius, {
        params: place,
        body: { change, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (part) => part.next,
    staleTime: 0,
    gcTime: 0,
  })
