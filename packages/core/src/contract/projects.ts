import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import {
  Id,
  Instant,
  Key,
  Name,
  Nothing,
  Nullable,
  Page,
  pageQuery,
  RoleKey,
  Strict,
  Version,
} from './parameters.ts'

/** The placeholder is after the host, so that an ID from telemetry cannot choose where the link goes. */
export const TraceLink = Type.String({
  maxLength: limits.traceLinkLength,
  pattern: '^https?://[^\\s\\u0000/?#@\\\\]+[/?#][^\\s\\u0000]*\\{traceId\\}[^\\s\\u0000]*$',
  description:
    'Address of a trace in another tool, with `{traceId}` after the host, such as `https://tempo.example/trace/{traceId}`.',
})

export const Project = Type.Object({
  id: Id,
  key: Key,
  name: Name,
  version: Version,
  createdAt: Instant,
  /** The caller's role. */
  role: RoleKey,
  managed: Type.Boolean(),
  own: Type.Boolean({ description: 'The project with the telemetry of the console itself.' }),
  traceLink: Nullable(TraceLink),
})

export const listProjects = call({
  method: 'GET',
  path: '/api/v1/projects',
  summary: 'List the projects you can see, by key.',
  permission: 'signed-in',
  query: Strict(pageQuery),
  reply: Page(Project),
})

export const createProject = call({
  method: 'POST',
  path: '/api/v1/projects',
  summary:
    'Create a project with the environments production, staging and development, each with a client key.',
  permission: 'projects.create',
  idempotent: true,
  versioned: true,
  status: 201,
  body: Strict({ key: Key, name: Name }),
  reply: Project,
  errors: ['already-exists', 'in-use'],
})

export const getProject = call({
  method: 'GET',
  path: '/api/v1/projects/:project',
  summary: 'Show one project.',
  permission: 'project.view',
  versioned: true,
  reply: Project,
})

export const updateProject = call({
  method: 'PATCH',
  path: '/api/v1/projects/:project',
  summary: 'Change the name or the link template of a project; omitted members stay unchanged.',
  permission: 'project.manage',
  versioned: true,
  body: Strict({ name: Type.Optional(Name), traceLink: Type.Optional(Nullable(TraceLink)) }),
  reply: Project,
  errors: ['managed'],
})

export const deleteProject = call({
  method: 'DELETE',
  path: '/api/v1/projects/:project',
  summary: 'Delete a project with everything in it. The key must be typed out.',
  permission: 'projects.delete',
  stepUp: true,
  status: 204,
  query: Strict({ confirm: Key }),
  reply: Nothing,
  errors: ['managed'],
})

export const projectCalls = { listProjects, createProject, getProject, updateProject, deleteProject }
