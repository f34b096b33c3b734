import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/intake'
import { request } from './client.ts'

export type Outcome = ReplyOf<typeof contract.listOutcomes>['outcomes'][number]
export type QuarantineGroup = ReplyOf<typeof contract.listQuarantine>['items'][number]

export interface EnvironmentRef {
  project: string
  env: string
}

const intakeKey = ({ project, env }: EnvironmentRef) => ['projects', project, 'environments', env, 'intake']

/** `range` identifies the period, `bounds` resolves it at request time. */
export const outcomesQuery = (
  place: EnvironmentRef,
  { range, bounds }: { range: string; bounds: () => { from: number; to: number } },
) =>
  queryOptions({
    queryKey: [...intakeKey(place), 'outcomes', range],
    queryFn: ({ signal }) => {
      const { from, to } = bounds()
      const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
      return request(calls.intake.listOutcomes, { params: { ...place }, query, signal })
    },
  })

export const quarantineQuery = (place: EnvironmentRef) =>
  queryOptions({
    queryKey: [...intakeKey(place), 'quarantine'],
    queryFn: ({ signal }) => request(calls.intake.listQuarantine, { params: { ...place }, signal }),
  })

type Choice = EnvironmentRef & { groups: string[] }

export function retryQuarantine({ groups, ...place }: Choice) {
  return request(calls.intake.retryQuarantine, { params: place, body: { groups } })
}

export function discardQuarantine({ groups, ...place }: Choice) {
  return request(calls.intake.discardQuarantine, { params: place, body: { groups } })
}
