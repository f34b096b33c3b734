import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/projects'
import { endpoint, request } from './client.ts'

export type Project = ReplyOf<typeof contract.getProject>
export type ProjectDraft = BodyOf<typeof contract.createProject>

const listProjects = endpoint<typeof contract.listProjects>('GET', '/api/v1/projects')
const getProject = endpoint<typeof contract.getProject>('GET', '/api/v1/projects/:project')
const createProjectCall = endpoint<typeof contract.createProject>('POST', '/api/v1/projects')
const updateProjectCall = endpoint<typeof contract.updateProject>('PATCH', '/api/v1/projects/:project')
const deleteProjectCall = endpoint<typeof contract.deleteProject>('DELETE', '/api/v1/projects/:project')

export const projectsQuery = infiniteQueryOptions({
  queryKey: ['projects'],
  queryFn: ({ pageParam, signal }) => request(listProjects, { query: { cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next,
})

export const projectQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project],
    queryFn: ({ signal }) => request(getProject, { params: { project }, signal }),
  })

export function createProject({ draft, idempotencyKey }: { draft: ProjectDraft; idempotencyKey: string }) {
  return request(createProjectCall, { body: draft, idempotencyKey })
}

export function renameProject(asked: { project: string; name: string; ifMatch: number }) {
  const { project, name, ifMatch } = asked
  return request(updateProjectCall, { params: { project }, body: { name }, ifMatch })
}

export function deleteProject(project: string) {
  return request(deleteProjectCall, { params: { project }, query: { confirm: project } })
}
