import { queryOptions } from '@tanstack/react-query'
import type * as contract from '@telltale/core/contract/aa-test'
import type { ReplyOf } from '@telltale/core/contract/call'
import { endpoint, request } from './client.ts'

export type AaTest = ReplyOf<typeof contract.getAaTest>
export type PresentRound = NonNullable<AaTest['present']>
export type AaTestMetric = PresentRound['metrics'][number]
export type AaTestRound = AaTest['past'][number]

const path = '/api/v1/projects/:project/environments/:env/aa-test'
const getAaTestCall = endpoint<typeof contract.getAaTest>('GET', path)
const restartAaTestCall = endpoint<typeof contract.restartAaTest>('POST', `${path}/restart`)

/** It is looked at every few minutes. */
const again = 60_000

export const aaTestQuery = (project: string, env: string) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'aa-test'],
    queryFn: ({ signal }) => request(getAaTestCall, { params: { project, env }, signal }),
    refetchInterval: again,
  })

export function restartAaTest(params: { project: string; env: string }) {
  return request(restartAaTestCall, { params })
}
