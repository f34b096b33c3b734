// Every operation of the contract × every role: allowed, or rejected and how. Generated from the table.

import { type Call, parameterNames } from '@telltale/core/contract/call'
import { callList } from '@telltale/core/contract/calls'
import {
  isAtLeast,
  isInstallationPermission,
  isProjectPermission,
  type ProjectRole,
  projectPermissions,
  projectRoles,
} from '@telltale/core/permissions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Credential, startTelltale, type Telltale } from '../../../../../test/start.ts'

/** Every kind of caller, with its role in the requested project. */
interface Visitor {
  name: string
  kind: 'anonymous' | 'person' | 'token'
  role: ProjectRole | 'owner' | 'none'
}

const visitors: Visitor[] = [
  { name: 'anonymous', kind: 'anonymous', role: 'none' },
  ...projectRoles.map((role): Visitor => ({ name: role, kind: 'person', role })),
  { name: 'owner', kind: 'person', role: 'owner' },
  { name: 'member of a foreign project', kind: 'person', role: 'none' },
  ...projectRoles.map((role): Visitor => ({ name: `token of ${role}`, kind: 'token', role })),
  { name: 'token of owner', kind: 'token', role: 'owner' },
  { name: 'token limited to a foreign project', kind: 'token', role: 'none' },
  { name: 'viewer token of an owner', kind: 'token', role: 'viewer' },
  { name: 'admin token of somebody who is now a viewer', kind: 'token', role: 'viewer' },
]

/** The contract's expectation: rejected with this status, or allowed. */
function expectation(call: Call, visitor: Visitor): number | 'let in' {
  const { permission } = call
  if (permission === 'anyone') return 'let in'
  if (visitor.kind === 'anonymous') return 401
  if (permission === 'signed-in') return 'let in'
  if (permission === 'person') return visitor.kind === 'person' ? 'let in' : 403
  if (isInstallationPermission(permission)) return visitor.role === 'owner' ? 'let in' : 403
  if (visitor.role === 'owner') return 'let in'
  if (visitor.role === 'none') return 404
  return isAtLeast(visitor.role, projectPermissions[permission].from) ? 'let in' : 403
}

let telltale: Telltale
const credentials = new Map<string, Credential>()

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true, settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  await telltale.project('ours')
  await telltale.project('theirs')
  await makeCredentials()
})

afterAll(() => telltale[Symbol.asyncDispose]())

async function makeCredentials(): Promise<void> {
  const owner = await telltale.person({ role: 'owner' })
  const stranger = await telltale.person({ in: { theirs: 'admin' } })
  for (const role of projectRoles) {
    const person = await telltale.person({ in: { ours: role } })
    credentials.set(role, person)
    credentials.set(`token of ${role}`, await telltale.token(person, { role, project: 'ours' }))
  }
  credentials.set('anonymous', { headers: {} })
  credentials.set('owner', owner)
  credentials.set('member of a foreign project', stranger)
  credentials.set('token of owner', await telltale.token(owner, { role: 'owner' }))
  credentials.set(
    'token limited to a foreign project',
    await telltale.token(owner, { role: 'admin', project: 'theirs' }),
  )
  credentials.set('viewer token of an owner', await telltale.token(owner, { role: 'viewer' }))
  credentials.set('admin token of somebody who is now a viewer', await demotedToken(owner))
}

async function demotedToken(owner: Credential): Promise<Credential> {
  const person = await telltale.person({ in: { ours: 'admin' } })
  const token = await telltale.token(person, { role: 'admin', project: 'ours' })
  await telltale.request('PATCH', `/api/v1/projects/ours/members/${person.id}`, {
    as: owner,
    body: { role: 'viewer' },
  })
  return token
}

describe.each(callList)('$word: $name', ({ call }) => {
  test.each(visitors)('$name', async (visitor) => {
    const reads = call.method === 'GET' && isFirstOrLast(call, visitor)
    const answer = await telltale.request(call.method, pathOf(call, reads ? {} : unknown), {
      ...(credentials.get(visitor.name) ? { as: credentials.get(visitor.name) as Credential } : {}),
      // Invalid for every caller, so that an allowed request changes nothing for the next one, and takes no time.
      ...(call.method === 'GET' ? {} : { body: unknown }),
    })

    const expected = expectation(call, visitor)
    if (expected !== 'let in') {
      expect(answer.status).toBe(expected)
      expect(answer.body.type).toBe(
        `/errors/${{ 401: 'unauthenticated', 403: 'forbidden', 404: 'not-found' }[expected]}`,
      )
      if (expected === 403) expect(answer.body.permission).toBe(call.permission)
      return
    }
    const passed = reads ? [200] : [400]
    // A release is named by a parameter of the query.
    const isNamed = !isOnlyAboutProject(call) || call.path.endsWith('/release')
    if (call.path.includes('/:') && isNamed) passed.push(404)
    expect(passed).toContain(answer.status)
    if (answer.status === 404) expect(answer.body.detail ?? '').not.toContain('project')
  })
})

const unknown = { 'no call takes this': 'at all' }

/** The owner and the lowest role that may: for them, the read itself works. */
function isFirstOrLast({ permission }: Call, { kind, role }: Visitor): boolean {
  if (kind !== 'person') return permission === 'anyone'
  return role === 'owner' || (isProjectPermission(permission) && role === projectPermissions[permission].from)
}

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
  page: '/',
  vital: 'LCP',
  by: 'browser',
  fields: 'browser',
  tab: unknownId,
  from: '0',
  line: '1',
  column: '1',
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
