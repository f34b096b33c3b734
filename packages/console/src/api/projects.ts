import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/projects'
import { request } from './client.ts'

export type Project = ReplyOf<typeof contract.getProject>
export type ProjectDraft = BodyOf<typeof contract.createProject>
export type ProjectChange = BodyOf<typeof contract.updateProject>

export const projectsQuery = infiniteQueryOptions({
  queryKey: ['projects'],
  queryFn: ({ pageParam, signal }) =>
    request(calls.projects.listProjects, { query: { cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next,
})

export const projectQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project],
    queryFn: ({ signal }) => request(calls.projects.getProject, { params: { project }, signal }),
  })

export function createProject({ draft, idempotencyKey }: { draft: ProjectDraft; idempotencyKey: string }) {
  return request(calls.projects.createProject, { body: draft, idempotencyKey })
}

export function updateProject(requested: { project: string; change: ProjectChange; ifMatch: number }) {
  const { project, change, ifMatch } = requested
  return request(calls.projects.updateProject, { params: { project }, body: change, ifMatch })
}

export function deleteProject(project: string) {
  return request(calls.projects.deleteProject, { params: { project }, query: { confirm: project } })
}
