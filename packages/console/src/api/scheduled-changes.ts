import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type { OpenedChangeRequest } from '@telltale/core/contract/change-requests'
import type { ConfigPatch } from '@telltale/core/contract/flag-config'
import type * as contract from '@telltale/core/contract/scheduled-changes'
import { request } from './client.ts'
import { type ConfigRef, configKey } from './flag-configs.ts'

export type ScheduledChange = ReplyOf<typeof contract.getScheduledChange>

export type ScheduleOutcome =
  | { readonly kind: 'scheduled'; readonly scheduled: ScheduledChange }
  | { readonly kind: 'proposed'; readonly opened: OpenedChangeRequest }

interface ScheduledChangeFilter {
  readonly state?: ScheduledChange['state'] | undefined
  readonly env?: string | undefined
  readonly flag?: string | undefined
  readonly author?: string | undefined
}

/** Scheduled changes of a project, newest first. */
export const scheduledChangesQuery = (project: string, filter: ScheduledChangeFilter) =>
  infiniteQueryOptions({
    queryKey: ['projects', project, 'scheduled-changes', filter],
    queryFn: ({ pageParam, signal }) =>
      request(calls['scheduled-changes'].listScheduledChanges, {
        params: { project },
        query: { ...filter, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

export const scheduledChangeQuery = (params: { project: string; scheduledChange: string }) =>
  queryOptions({
    queryKey: ['projects', params.project, 'scheduled-changes', params.scheduledChange],
    queryFn: ({ signal }) => request(calls['scheduled-changes'].getScheduledChange, { params, signal }),
  })

/** Pending scheduled changes of one configuration. */
export const pendingChangesQuery = (place: ConfigRef) =>
  queryOptions({
    queryKey: [...configKey(place), 'scheduled-changes'],
    queryFn: async ({ signal }) => {
      const { project, env, flag } = place
      const query = { env, flag, state: 'pending' } as const
      return (
        await request(calls['scheduled-changes'].listScheduledChanges, { params: { project }, query, signal })
      ).items
    },
  })

export async function scheduleChange(requested: {
  place: ConfigRef
  at: string
  change: ConfigPatch
  reason: string
  idempotencyKey: string
}): Promise<ScheduleOutcome> {
  const { place, at, change, reason, idempotencyKey } = requested
  const reply = await request(calls['scheduled-changes'].createScheduledChange, {
    params: { ...place },
    body: { at, change, ...(reason === '' ? {} : { reason }) },
    idempotencyKey,
  })
  return 'changeRequest' in reply
    ? { kind: 'proposed', opened: reply }
    : { kind: 'scheduled', scheduled: reply }
}

export function cancelScheduledChange(requested: { project: string; change: ScheduledChange }) {
  const { project, change } = requested
  return request(calls['scheduled-changes'].cancelScheduledChange, {
    params: { project, scheduledChange: change.id },
    ifMatch: change.version,
  })
}

export function moveScheduledChange(requested: { project: string; change: ScheduledChange; at: string }) {
  const { project, change, at } = requested
  return request(calls['scheduled-changes'].updateScheduledChange, {
    params: { project, scheduledChange: change.id },
    body: { at },
    ifMatch: change.version,
  })
}
