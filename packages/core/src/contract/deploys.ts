// Deploys: when a version of the application went out in an environment. They are marks on charts.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { period } from './measured.ts'
import { Id, Instant, InstantParameter, Nothing, Nullable, Strict } from './parameters.ts'

const noNull = '^[^\\u0000]*$'
const Text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: noNull, description })

const Commit = Type.Object(
  {
    id: Text(64, 'Such as the hash of Git.'),
    message: Type.String({ maxLength: 500, pattern: noNull, description: 'Its first line is enough.' }),
    author: Type.Optional(Text(limits.nameLength, 'Name or e-mail address.')),
  },
  { additionalProperties: false },
)

export const Deploy = Type.Object({
  id: Id,
  version: Type.String(),
  at: Instant,
  author: Nullable(Type.String()),
  link: Nullable(Type.String()),
  commits: Type.Array(Commit),
  reportedBy: Type.String({ description: 'The member or token that reported it.' }),
})

export const createDeploy = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/deploys',
  summary: 'Report a deploy. Reporting the same version and time again changes nothing.',
  permission: 'deploys.manage',
  body: Strict({
    version: Text(200, 'The version that the application reports.'),
    at: Type.Optional(InstantParameter),
    author: Type.Optional(Text(limits.nameLength, 'Who deployed it. Default: no author.')),
    link: Type.Optional(
      Type.String({
        maxLength: 2_000,
        pattern: '^https?://[^\\s\\u0000]+$',
        description: 'A page about it, such as the run of the pipeline.',
      }),
    ),
    commits: Type.Optional(Type.Array(Commit, { maxItems: limits.deployCommits })),
  }),
  status: 201,
  reply: Deploy,
})

export const listDeploys = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/deploys',
  summary: 'List the deploys of an environment in a period, oldest first: marks on charts.',
  permission: 'project.view',
  query: Strict({
    from: Type.Optional(InstantParameter),
    to: Type.Optional(InstantParameter),
    version: Type.Optional(Text(200, 'Deploys of this version only.')),
  }),
  reply: Type.Object({
    ...period,
    deploys: Type.Array(Deploy, { description: `At most ${limits.deploysListed}, the newest of them.` }),
    /** There are more than listed. */
    more: Type.Boolean(),
  }),
})

export const deleteDeploy = call({
  method: 'DELETE',
  path: '/api/v1/projects/:project/environments/:env/deploys/:deploy',
  summary: 'Delete a deploy.',
  permission: 'deploys.manage',
  status: 204,
  reply: Nothing,
})

export const deployCalls = { createDeploy, listDeploys, deleteDeploy }
