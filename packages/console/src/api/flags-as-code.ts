import { queryOptions } from '@tanstack/react-query'
import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/flags-as-code'
import { request } from './client.ts'

export type CodeState = ReplyOf<typeof contract.getCodeState>
export type CodeKind = QueryOf<typeof contract.getCodeOrigin>['kind']

/** Where the project is managed in code, and its drift. */
export const codeStateQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'code'],
    queryFn: ({ signal }) => request(calls['flags-as-code'].getCodeState, { params: { project }, signal }),
  })

/** Where an entry is managed in code, and its drift. Asked again when entries of its kind were changed. */
export const codeOriginQuery = (project: string, kind: CodeKind, key: string) =>
  queryOptions({
    queryKey: ['projects', project, kind === 'rolloutTemplates' ? 'rollout-templates' : kind, key, 'code'],
    queryFn: ({ signal }) =>
      request(calls['flags-as-code'].getCodeOrigin, { params: { project }, query: { kind, key }, signal }),
  })
