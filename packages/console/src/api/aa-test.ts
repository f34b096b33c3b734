import { queryOptions } from '@tanstack/react-query'
import type * as contract from '@telltale/core/contract/aa-test'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import { request } from './client.ts'

export type AaTest = ReplyOf<typeof contract.getAaTest>
export type PresentRound = NonNullable<AaTest['present']>
export type AaTestMetric = PresentRound['metrics'][number]
export type AaTestRound = AaTest['past'][number]

/** The server updates the result every few minutes. */
const again = 60_000

export const aaTestQuery = (project: string, env: string) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'aa-test'],
    queryFn: ({ signal }) => request(calls['aa-test'].getAaTest, { params: { project, env }, signal }),
    refetchInterval: again,
  })

export function restartAaTest(params: { project: string; env: string }) {
  return request(calls['aa-test'].restartAaTest, { params })
}
