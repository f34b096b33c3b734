import { infiniteQueryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/code-references'
import { request } from './client.ts'

type Reply = ReplyOf<typeof contract.listCodeReferences>
export type CodeReference = Reply['items'][number]
export type CodeUpload = Reply['uploads'][number]

export const codeReferencesQuery = (project: string, flag: string) =>
  infiniteQueryOptions({
    queryKey: ['projects', project, 'flags', flag, 'code-references'],
    queryFn: ({ pageParam, signal }) =>
      request(calls['code-references'].listCodeReferences, {
        params: { project, flag },
        query: { cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  })
