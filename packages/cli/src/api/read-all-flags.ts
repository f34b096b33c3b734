import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import { limits } from '@telltale/core/limits'
import { readPages } from './read-pages.ts'
import type { Server } from './server.ts'

type Flag = ReplyOf<typeof calls.flags.listFlags>['items'][number]

/** The flags of a project, without archived ones. */
export function readAllFlags(server: Server, project: string): Promise<Flag[]> {
  return readPages((cursor) =>
    server.request(calls.flags.listFlags, {
      params: { project },
      query: { limit: limits.pageSizeMaximum, cursor },
    }),
  )
}
