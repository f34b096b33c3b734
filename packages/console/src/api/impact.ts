import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/impact'
import { request } from './client.ts'
import type { ConfigRef } from './flag-configs.ts'

export type Impact = ReplyOf<typeof contract.getFlagImpact>
export type ImpactSplit = Impact['splits'][number]
export type Comparison = NonNullable<Impact['compared']>['comparisons'][number]
export type ImpactMetric = Comparison['metrics'][number]
export type ImpactHistory = ReplyOf<typeof contract.getFlagImpactHistory>
export type ImpactSlices = ReplyOf<typeof contract.getFlagImpactSlices>
export type GapEvidence = ReplyOf<typeof contract.getFlagImpactEvidence>
export type GapExplanation = GapEvidence['explanations'][number]
export type SliceField = QueryOf<typeof contract.getFlagImpactSlices>['by']

/** The compared variations. The server chooses omitted ones. */
type SplitChoice = {
  [Name in keyof QueryOf<typeof contract.getFlagImpact>]: string | undefined
}
export type MetricChoice = SplitChoice & { treatment: string; metric: string }

/** The statistics are valid at any time, so polling often is safe. */
const again = 20_000
const seldom = 60_000

const keyOf = ({ project, env, flag }: ConfigRef) => [
  'projects',
  project,
  'environments',
  env,
  'telemetry',
  'impact',
  flag,
]

export const impactQuery = (place: ConfigRef, choice: SplitChoice) =>
  queryOptions({
    queryKey: [...keyOf(place), choice],
    queryFn: ({ signal }) =>
      request(calls.impact.getFlagImpact, { params: { ...place }, query: choice, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: again,
  })

export const impactHistoryQuery = (place: ConfigRef, choice: MetricChoice) =>
  queryOptions({
    queryKey: [...keyOf(place), 'history', choice],
    queryFn: ({ signal }) =>
      request(calls.impact.getFlagImpactHistory, { params: { ...place }, query: choice, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: seldom,
  })

export const impactSlicesQuery = (place: ConfigRef, choice: MetricChoice & { by: SliceField }) =>
  queryOptions({
    queryKey: [...keyOf(place), 'slices', choice],
    queryFn: ({ signal }) =>
      request(calls.impact.getFlagImpactSlices, { params: { ...place }, query: choice, signal }),
    placeholderData: keepPreviousData,
    staleTime: seldom,
  })

export const impactEvidenceQuery = (place: ConfigRef, choice: MetricChoice) =>
  queryOptions({
    queryKey: [...keyOf(place), 'evidence', choice],
    queryFn: ({ signal }) =>
      request(calls.impact.getFlagImpactEvidence, { params: { ...place }, query: choice, signal }),
    placeholderData: keepPreviousData,
    staleTime: seldom,
  })
