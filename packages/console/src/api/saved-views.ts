import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/saved-views'
import { request } from './client.ts'

export type SavedView = ReplyOf<typeof contract.listSavedViews>['items'][number]
export type ViewScreen = SavedView['screen']
export type ViewDraft = BodyOf<typeof contract.createSavedView>

interface ViewRef {
  project: string
  savedView: string
}

/** Shared views and those of the account. */
export const savedViewsQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'saved-views'],
    queryFn: async ({ signal }) =>
      (await request(calls['saved-views'].listSavedViews, { params: { project }, signal })).items,
    staleTime: 60_000,
  })

export function createSavedView({
  project,
  draft,
  idempotencyKey,
}: {
  project: string
  draft: ViewDraft
  idempotencyKey: string
}) {
  return request(calls['saved-views'].createSavedView, { params: { project }, body: draft, idempotencyKey })
}

export function updateSavedView({
  change,
  ...params
}: ViewRef & { change: BodyOf<typeof contract.updateSavedView> }) {
  return request(calls['saved-views'].updateSavedView, { params, body: change })
}

export function deleteSavedView(params: ViewRef) {
  return request(calls['saved-views'].deleteSavedView, { params })
}

export function markSavedView({
  marks,
  ...params
}: ViewRef & { marks: BodyOf<typeof contract.markSavedView> }) {
  return request(calls['saved-views'].markSavedView, { params, body: marks })
}
