// Every call of the contract × every class of caller: allowed, or rejected and how. Generated from the table. Which
// permissions a combination of roles has is proved in core, in `rights.test.ts`; here each call meets, for its own
// permission, the smallest role that has it, the largest that lacks it, tokens and roles in an environment.

import { type Call, parameterNames } from '@telltale/core/contract/call'
import { callList } from '@telltale/core/contract/calls'
import {
  isInstallationPermission,
  isProjectPermission,
  type ProjectPermission,
  projectRoles,
} from '@telltale/core/permissions'
import { allPermissions, firstRoleWith } from '@telltale/core/rights'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Credential, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { findProject } from '../../access/find-project.ts'
import {
  environmentRoles,
  projectRoles as ownRoles,
  teamEnvironmentRoles,
} from '../engines/postgres/role-schema.ts'
import { environments } from '../engines/postgres/schema.ts'
import { teamMembers, teamRoles, teams } from '../engines/postgres/team-schema.ts'

let telltale: Telltale
const credentials = new Map<string, Credential>()

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true, settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  await telltale.project('ours')
  await telltale.project('theirs')
  const owner = await telltale.person({ role: 'owner' })
  const stranger = await telltale.person({ in: { theirs: 'admin' } })
  credentials.set('owner', owner)
  credentials.set('stranger', stranger)
  credentials.set('token of owner', await telltale.token(owner, { role: 'owner' }))
  credentials.set('token of theirs', await telltale.token(owner, { role: 'admin', project: 'theirs' }))
  for (const role of projectRoles) credentials.set(role, await telltale.person({ in: { ours: role } }))
  await makeOwnRoles()
  for (const permission of allPermissions) await makeHolders(permission)
}, 120_000)

afterAll(() => telltale[Symbol.asyncDispose]())

const only = (permission: ProjectPermission) => `only-${permission}`
const without = (permission: ProjectPermission) => `without-${permission}`

async function makeOwnRoles(): Promise<void> {
  const { db } = telltale.running.services
  const project = await findProject(db, 'ours')
  if (project === undefined) throw new Error('there is no project')
  const roleOf = (key: string, permissions: ProjectPermission[]) => ({
    ...{ id: newId(), projectId: project.id, key, name: key, description: '', permissions },
    createdAt: new Date(),
  })
  await db.insert(ownRoles).values(
    allPermissions.flatMap((permission) => [
      roleOf(only(permission), [permission]),
      roleOf(
        without(permission),
        allPermissions.filter((one) => one !== permission),
      ),
    ]),
  )
}

/** Members and tokens that differ in one permission. */
async function makeHolders(permission: ProjectPermission): Promise<void> {
  const holder = await telltale.person({ in: { ours: only(permission) } })
  const lacking = await telltale.person({ in: { ours: without(permission) } })
  credentials.set(only(permission), holder)
  credentials.set(without(permission), lacking)
  const limited = { role: without(permission), project: 'ours' }
  credentials.set(`token ${without(permission)}`, await tokenOf('admin', limited))
  credentials.set(
    `token ${only(permission)}`,
    await telltale.token(holder, { role: only(permission), project: 'ours' }),
  )
  credentials.set(`there ${only(permission)}`, await memberIn('viewer', only(permission)))
  credentials.set(`there ${without(permission)}`, await memberByTeamIn('admin', without(permission)))
}

/** A member by a team with one role in the project and another one in production. */
async function memberByTeamIn(role: string, there: string): Promise<Credential> {
  const { db } = telltale.running.services
  const member = await telltale.person()
  const { projectId, environmentId } = await findProduction()
  const teamId = newId()
  const createdAt = new Date()
  await db
    .insert(teams)
    .values({ id: teamId, key: there, name: there, description: '', createdAt, managed: false })
  await db.insert(teamMembers).values({ teamId, userId: member.id, createdAt })
  await db.insert(teamRoles).values({ projectId, teamId, role, createdAt, managed: false })
  await db.insert(teamEnvironmentRoles).values({ projectId, teamId, environmentId, role: there })
  return member
}

/** A member with one role in the project and another one in production. */
async function memberIn(role: string, there: string): Promise<Credential> {
  const { db } = telltale.running.services
  const member = await telltale.person({ in: { ours: role } })
  const place = await findProduction()
  await db.insert(environmentRoles).values({ ...place, userId: member.id, role: there })
  return member
}

async function findProduction(): Promise<{ projectId: string; environmentId: string }> {
  const { db } = telltale.running.services
  const project = await findProject(db, 'ours')
  const found = await db.select().from(environments)
  const production = found.find(({ projectId, key }) => projectId === project?.id && key === 'production')
  if (project === undefined || production === undefined) throw new Error('there is no production')
  return { projectId: project.id, environmentId: production.id }
}

async function tokenOf(role: string, draft: { role: string; project: string }): Promise<Credential> {
  const owner = await telltale.person({ in: { ours: role } })
  return telltale.token(owner, draft)
}

type Outcome = 401 | 403 | 404 | 'let in'

interface Visit {
  as: string
  expected: Outcome
  /** The read itself must work, not only be allowed. */
  reads?: boolean
}

/** The visits of a call, with the contract's expectation for each. */
function visitsOf(call: Call): Visit[] {
  const { permission } = call
  const reads = call.method === 'GET'
  if (permission === 'anyone') return [{ as: 'anonymous', expected: 'let in', reads }]
  const always: Visit[] = [
    { as: 'anonymous', expected: 401 },
    { as: 'owner', expected: 'let in', reads: reads && !isProjectPermission(permission) },
    { as: 'token of owner', expected: permission === 'person' ? 403 : 'let in' },
  ]
  if (permission === 'signed-in' || permission === 'person')
    return [...always, { as: 'stranger', expected: 'let in' }]
  if (isInstallationPermission(permission))
    return [...always, { as: 'admin', expected: 403 }, { as: 'token of theirs', expected: 403 }]
  return isProjectPermission(permission) ? [...always, ...visitsInProject(call, permission)] : always
}

function visitsInProject(call: Call, permission: ProjectPermission): Visit[] {
  const lowest = firstRoleWith(permission)
  const below = projectRoles[projectRoles.indexOf(lowest) - 1]
  const isHere = parameterNames(call.path).includes('env')
  const refusable = permission !== 'project.view'
  const visits: (Visit | false)[] = [
    { as: 'stranger', expected: 404 },
    { as: 'token of theirs', expected: 404 },
    { as: lowest, expected: 'let in', reads: call.method === 'GET' },
    below !== undefined && { as: below, expected: 403 },
    { as: only(permission), expected: 'let in' },
    { as: `token ${only(permission)}`, expected: 'let in' },
    refusable && { as: without(permission), expected: 403 },
    refusable && { as: `token ${without(permission)}`, expected: 403 },
    refusable && { as: `there ${without(permission)}`, expected: isHere ? 403 : 'let in' },
    below !== undefined && {
      as: `there ${only(permission)}`,
      expected: isHere || call.environmentInBody ? 'let in' : 403,
    },
  ]
  return visits.filter((visit) => visit !== false)
}

test.each(callList)('$word: $name', async ({ call }) => {
  for (const { as, expected, reads = false } of visitsOf(call)) {
    const credential = credentials.get(as)
    const answer = await telltale.request(call.method, pathOf(call, reads ? {} : unknown), {
      ...(credential && { as: credential }),
      // Invalid for every caller, so that an allowed request changes nothing for the next one, and takes no time.
      ...(call.method === 'GET' ? {} : { body: unknown }),
    })
    if (expected !== 'let in') {
      expect(answer.status, as).toBe(expected)
      expect(answer.body.type).toBe(`/errors/${refusals[expected]}`)
      if (expected === 403) expect(answer.body.permission, as).toBe(call.permission)
      continue
    }
    const passed = reads ? [200] : [400]
    // A release is named by a parameter of the query.
    const isNamed = !isOnlyAboutProject(call) || call.path.endsWith('/release')
    if (call.path.includes('/:') && isNamed) passed.push(404)
    expect(passed, as).toContain(answer.status)
    if (answer.status === 404) expect(answer.body.detail ?? '').not.toContain('project')
  }
})

const refusals = { 401: 'unauthenticated', 403: 'forbidden', 404: 'not-found' } as const

const unknown = { 'no call takes this': 'at all' }

const unknownId = '01900000-0000-7000-8000-000000000000'

/** Existing parts of the project; for anything else an id that does not exist. */
function pathOf(call: Call, more: Record<string, string>): string {
  const values: Record<string, string> = { project: 'ours', env: 'production' }
  const path = parameterNames(call.path).reduce(
    (path, name) => path.replace(`:${name}`, values[name] ?? unknownId),
    call.path as string,
  )
  const required = (call.query?.required ?? []).map((name) => [name, needed[name] ?? 'x'])
  const query = new URLSearchParams([...required, ...Object.entries(more)])
  return query.size === 0 ? path : `${path}?${query}`
}

/** Values for required query parameters. */
const needed: Record<string, string> = {
  confirm: 'wrong',
  kind: 'flags',
  page: '/',
  vital: 'LCP',
  by: 'browser',
  fields: 'browser',
  tab: unknownId,
  from: '0',
  line: '1',
  column: '1',
  of: `session:${unknownId}`,
  aggregation: 'proportion',
  base: 'another version',
  steps: 'kind:view -> kind:error',
  step: '2',
  start: 'kind:view',
}

function isOnlyAboutProject(call: Call): boolean {
  return parameterNames(call.path).every((name) => name === 'project' || name === 'env')
}

test('every project permission is used, and every call requires an existing one', () => {
  for (const { call } of callList) {
    const { permission } = call
    const isKnown =
      ['anyone', 'signed-in', 'person'].includes(permission) ||
      isProjectPermission(permission) ||
      isInstallationPermission(permission)
    expect(isKnown, `${call.method} ${call.path}`).toBe(true)
    expect(isProjectPermission(permission), `${call.method} ${call.path}`).toBe(
      call.path.includes('/:project') && permission !== 'projects.delete',
    )
  }
})
