import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import type { BodyOf, QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/experiments'
import { request } from './client.ts'
import type { ConfigRef } from './flag-configs.ts'

export type Experiment = contract.Experiment
export type ExperimentResults = contract.ExperimentResults
export type ArmResult = ExperimentResults['arms'][number]
export type GoalResult = contract.GoalResult
export type ExperimentDraft = BodyOf<typeof contract.createExperiment>
export type ExperimentPlan = ReplyOf<typeof contract.planExperiment>
type PlanDraft = BodyOf<typeof contract.planExperiment>
type ExperimentChange = BodyOf<typeof contract.updateExperiment>
type Decision = BodyOf<typeof contract.endExperiment>
export type ExperimentFilter = {
  [Name in 'env' | 'flag' | 'state']?: QueryOf<typeof contract.listExperiments>[Name] | undefined
}

export interface ExperimentRef {
  readonly project: string
  readonly experiment: string
}

const of = calls.experiments
const again = 60_000

export const experimentsKey = (project: string) => ['projects', project, 'experiments']

/** Newest first. */
export const experimentsQuery = (project: string, filter: ExperimentFilter) =>
  queryOptions({
    queryKey: [...experimentsKey(project), 'list', filter],
    queryFn: async ({ signal }) =>
      (await request(of.listExperiments, { params: { project }, query: filter, signal })).items,
    placeholderData: keepPreviousData,
  })

export const experimentQuery = ({ project, experiment }: ExperimentRef) =>
  queryOptions({
    queryKey: [...experimentsKey(project), experiment],
    queryFn: ({ signal }) => request(of.getExperiment, { params: { project, experiment }, signal }),
  })

/** Again each minute while it runs. */
export const experimentResultsQuery = ({ project, experiment }: ExperimentRef, isRunning: boolean) =>
  queryOptions({
    queryKey: [...experimentsKey(project), experiment, 'results'],
    queryFn: ({ signal }) => request(of.getExperimentResults, { params: { project, experiment }, signal }),
    refetchInterval: isRunning ? again : false,
  })

/** What the site's traffic allows; undefined while the draft is incomplete. */
export const experimentPlanQuery = (place: ConfigRef, body: PlanDraft | undefined) =>
  queryOptions({
    queryKey: [...experimentsKey(place.project), 'plan', place.env, place.flag, body],
    queryFn: body
      ? ({ signal }) => request(of.planExperiment, { params: { ...place }, body, signal })
      : skipToken,
    placeholderData: keepPreviousData,
    staleTime: 5 * again,
    retry: false,
  })

export const createExperiment = (requested: {
  place: ConfigRef
  draft: ExperimentDraft
  idempotencyKey: string
}) => {
  const { place, draft, idempotencyKey } = requested
  return request(of.createExperiment, { params: { ...place }, body: draft, idempotencyKey })
}

export const updateExperiment = ({ change, ...params }: ExperimentRef & { change: ExperimentChange }) =>
  request(of.updateExperiment, { params, body: change })

export const startExperiment = (params: ExperimentRef) => request(of.startExperiment, { params })

export const endExperiment = ({ decision, ...params }: ExperimentRef & { decision: Decision }) =>
  request(of.endExperiment, { params, body: decision })

export const deleteExperiment = (params: ExperimentRef) => request(of.deleteExperiment, { params })
