import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/members'
import { limits } from '@telltale/core/limits'
import type { ProjectRole } from '@telltale/core/permissions'
import { endpoint, request } from './client.ts'

export type Member = ReplyOf<typeof contract.listMembers>['items'][number]

const listMembers = endpoint<typeof contract.listMembers>('GET', '/api/v1/projects/:project/members')
const updateMemberCall = endpoint<typeof contract.updateMember>(
  'PATCH',
  '/api/v1/projects/:project/members/:user',
)
const removeMemberCall = endpoint<typeof contract.removeMember>(
  'DELETE',
  '/api/v1/projects/:project/members/:user',
)

/** The members of a project, by e-mail. */
export const membersQuery = (project: string) =>
  infiniteQueryOptions({
    queryKey: ['projects', project, 'members'],
    queryFn: ({ pageParam, signal }) =>
      request(listMembers, { params: { project }, query: { cursor: pageParam, limit: 200 }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  })

/** Everybody in a project, for lists to choose from. */
export const everyMemberQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'members', 'every'],
    queryFn: async ({ signal }) => {
      const found: Member[] = []
      let cursor: string | undefined
      do {
        const query = { cursor, limit: limits.pageSizeMaximum }
        const page = await request(listMembers, { params: { project }, query, signal })
        found.push(...page.items)
        cursor = page.next ?? undefined
      } while (cursor !== undefined && found.length < limits.membersPerProject)
      return found
    },
    staleTime: 60_000,
  })

export function changeRole({ project, user, role }: { project: string; user: string; role: ProjectRole }) {
  return request(updateMemberCall, { params: { project, user }, body: { role } })
}

export function removeMember({ project, user }: { project: string; user: string }) {
  return request(removeMemberCall, { params: { project, user } })
}
