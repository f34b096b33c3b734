import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/telltales'
import { request } from './client.ts'

export type FlagTelltale = ReplyOf<typeof contract.listTelltales>['items'][number]

export type GuardedTelltale = Extract<FlagTelltale, { kind: 'guarded' }>
export type UnguardedTelltale = Extract<FlagTelltale, { kind: 'unguarded' }>

/** As often as the guard evaluates. */
const again = 10_000

/** Of every flag with a current or past guard or a judged split; without an environment, of all environments. */
export const telltalesQuery = ({ project, env }: { project: string; env?: string | undefined }) =>
  queryOptions({
    queryKey: ['projects', project, 'telltales', env],
    queryFn: async ({ signal }) =>
      (await request(calls.telltales.listTelltales, { params: { project }, query: { env }, signal })).items,
    refetchInterval: again,
  })
