import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/holdouts'
import { request } from './client.ts'

export type Holdout = contract.Holdout
export type HoldoutResults = contract.HoldoutResults
type HoldoutDraft = BodyOf<typeof contract.createHoldout>

interface HoldoutRef {
  readonly project: string
  readonly holdout: string
}

const of = calls.holdouts
const again = 60_000

export const holdoutsKey = (project: string) => ['projects', project, 'holdouts']

/** Newest first. */
export const holdoutsQuery = ({ project, env }: { project: string; env: string }) =>
  queryOptions({
    queryKey: [...holdoutsKey(project), 'list', env],
    queryFn: async ({ signal }) =>
      (await request(of.listHoldouts, { params: { project }, query: { env }, signal })).items,
  })

export const holdoutQuery = ({ project, holdout }: HoldoutRef) =>
  queryOptions({
    queryKey: [...holdoutsKey(project), holdout],
    queryFn: ({ signal }) => request(of.getHoldout, { params: { project, holdout }, signal }),
  })

/** Again each minute while it runs. */
export const holdoutResultsQuery = ({ project, holdout }: HoldoutRef, isRunning: boolean) =>
  queryOptions({
    queryKey: [...holdoutsKey(project), holdout, 'results'],
    queryFn: ({ signal }) => request(of.getHoldoutResults, { params: { project, holdout }, signal }),
    refetchInterval: isRunning ? again : false,
  })

export const createHoldout = (requested: {
  place: { project: string; env: string }
  draft: HoldoutDraft
  idempotencyKey: string
}) => {
  const { place, draft, idempotencyKey } = requested
  return request(of.createHoldout, { params: place, body: draft, idempotencyKey })
}

export const updateHoldout = (params: HoldoutRef, body: BodyOf<typeof contract.updateHoldout>) =>
  request(of.updateHoldout, { params, body })

export const endHoldout = (params: HoldoutRef) => request(of.endHoldout, { params })

export const deleteHoldout = (params: HoldoutRef) => request(of.deleteHoldout, { params })
