import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/members'
import { limits } from '@telltale/core/limits'
import { request } from './client.ts'

export type Member = ReplyOf<typeof contract.listMembers>['items'][number]

export type RolesDraft = BodyOf<typeof contract.updateMember>

/** The members of a project, by e-mail; with a text, those whose name or address contains it. */
export const membersQuery = (project: string, search?: string) =>
  infiniteQueryOptions({
    queryKey: ['projects', project, 'members', ...(search === undefined ? [] : [{ search }])],
    queryFn: ({ pageParam, signal }) =>
      request(calls.members.listMembers, {
        params: { project },
        query: { cursor: pageParam, limit: 200, search },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  })

/** All members of a project, for selection lists. */
export const everyMemberQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'members', 'every'],
    queryFn: async ({ signal }) => {
      const found: Member[] = []
      let cursor: string | undefined
      do {
        const query = { cursor, limit: limits.pageSizeMaximum }
        const page = await request(calls.members.listMembers, { params: { project }, query, signal })
        found.push(...page.items)
        cursor = page.next ?? undefined
      } while (cursor !== undefined && found.length < limits.membersPerProject)
      return found
    },
    staleTime: 60_000,
  })

/** Changes the role in the project, or replaces the roles in single environments. */
export function changeRoles({ project, user, draft }: { project: string; user: string; draft: RolesDraft }) {
  return request(calls.members.updateMember, { params: { project, user }, body: draft })
}

export function removeMember({ project, user }: { project: string; user: string }) {
  return request(calls.members.removeMember, { params: { project, user } })
}
