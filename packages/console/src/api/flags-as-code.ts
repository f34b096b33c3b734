import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/flags-as-code'
import { request } from './client.ts'

export type CodeState = ReplyOf<typeof contract.getCodeState>
export type CodeOrigin = NonNullable<ReplyOf<typeof contract.getCodeOrigin>['origin']>

/** Where the project is managed in code, and its drift. */
export const codeStateQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'code'],
    queryFn: ({ signal }) => request(calls['flags-as-code'].getCodeState, { params: { project }, signal }),
  })

/** Where a flag is managed in code. */
export const codeOriginQuery = (project: string, flag: string) =>
  queryOptions({
    queryKey: ['projects', project, 'flags', flag, 'code'],
    queryFn: ({ signal }) =>
      request(calls['flags-as-code'].getCodeOrigin, { params: { project, flag }, signal }),
  })
