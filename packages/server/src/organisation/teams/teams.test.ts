import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { findMentionable } from '../../notify/comments/queries.ts'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { teamMembers } from '../../platform/engines/postgres/team-schema.ts'
import { findPeople } from '../members/queries.ts'

let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  await telltale.project('docs')
})

afterAll(() => telltale[Symbol.asyncDispose]())

const as = (person: { headers: Record<string, string> }) => (method: string, path: string, body?: unknown) =>
  telltale.request(method, `/api/v1${path}`, { as: person, ...(body !== undefined && { body }) })

const createTeam = async (key: string) => {
  const created = await as(owner)('POST', '/teams', { key, name: `Team ${key}` })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
}

async function teamOf(key: string, roles: Record<string, string>, ...members: SomePerson[]) {
  await createTeam(key)
  for (const [project, role] of Object.entries(roles)) {
    expect((await as(owner)('PUT', `/projects/${project}/teams/${key}`, { role })).status).toBe(200)
  }
  for (const { id } of members) {
    expect((await as(owner)('PUT', `/teams/${key}/members/${id}`)).status).toBe(204)
  }
}

const actionsOf = async (query: string) => {
  const { body } = await as(owner)('GET', `/audit?${query}`)
  return body.items.map((entry: { action: string; project: string | null }) => [entry.action, entry.project])
}

test('a team gives its role in every project, and the highest of all roles applies', async () => {
  const ada = await telltale.person({ in: { shop: 'viewer' } })
  await teamOf('payments', { shop: 'editor', docs: 'viewer' }, ada)
  await teamOf('leads', { shop: 'maintainer' }, ada)

  const projects = (await as(ada)('GET', '/projects')).body.items
  expect(projects.map(({ key, role }: { key: string; role: string }) => [key, role])).toEqual([
    ['docs', 'viewer'],
    ['shop', 'maintainer'],
  ])
  expect((await as(ada)('GET', '/projects/shop')).body.role).toBe('maintainer')

  const [listed] = (await as(owner)('GET', `/projects/shop/members?search=${ada.email}`)).body.items
  expect(listed).toMatchObject({
    ...{ user: { id: ada.id }, role: 'maintainer', direct: 'viewer' },
    teams: [
      { key: 'leads', name: 'Team leads', role: 'maintainer' },
      { key: 'payments', name: 'Team payments', role: 'editor' },
    ],
  })
  const { body } = await as(owner)('GET', '/teams/payments')
  expect(body).toMatchObject({
    ...{ key: 'payments', members: 1, projects: 2, managed: false },
    roles: [
      { project: { key: 'docs' }, role: 'viewer' },
      { project: { key: 'shop' }, role: 'editor' },
    ],
  })
  // A role by teams is not one that the project could change or end for this member alone.
  for (const answer of [
    await as(owner)('PATCH', `/projects/docs/members/${ada.id}`, { role: 'admin' }),
    await as(owner)('DELETE', `/projects/docs/members/${ada.id}`),
  ]) {
    expect(answer.body).toMatchObject({ type: '/errors/wrong-state' })
    expect(answer.body.detail).toContain('payments')
  }
})

test('someone who is a member only by a team can be mentioned, assigned and asked, and have tokens', async () => {
  const kim = await telltale.person()
  await teamOf('reviewers', { shop: 'maintainer' }, kim)
  const { db } = telltale.running.services
  const { id: projectId } = (await as(owner)('GET', '/projects/shop')).body
  expect([...(await findPeople(db, projectId, [kim.id]))]).toEqual([kim.id])
  expect((await findMentionable(db, projectId)).map(({ id }) => id)).toContain(kim.id)
  const token = await telltale.token(kim, { role: 'maintainer', project: 'shop' })
  expect((await as(token)('GET', '/projects/shop/audit')).status).toBe(200)
  const tooMuch = await as(kim)('POST', '/account/tokens', { name: 'x', project: 'shop', role: 'admin' })
  expect(tooMuch.body).toMatchObject({
    type: '/errors/forbidden',
    detail: expect.stringContaining('maintainer'),
  })
})

test('what a team gave ends with the membership, the role and the team', async () => {
  const lin = await telltale.person()
  await teamOf('ops', { docs: 'admin' }, lin)
  const token = await telltale.token(lin, { role: 'admin', project: 'docs' })
  const seen = async () => [
    (await as(lin)('GET', '/projects/docs')).status,
    (await as(token)('GET', '/projects/docs')).status,
  ]
  expect(await seen()).toEqual([200, 200])

  expect((await as(owner)('DELETE', `/teams/ops/members/${lin.id}`)).status).toBe(204)
  expect(await seen()).toEqual([404, 404])
  expect((await as(owner)('DELETE', `/teams/ops/members/${lin.id}`)).status).toBe(404)
  await as(owner)('PUT', `/teams/ops/members/${lin.id}`)
  expect(await seen()).toEqual([200, 200])
  expect((await as(owner)('DELETE', '/projects/docs/teams/ops')).status).toBe(204)
  expect(await seen()).toEqual([404, 404])
  await as(owner)('PUT', '/projects/docs/teams/ops', { role: 'viewer' })
  expect(await seen()).toEqual([200, 200])
  expect((await as(owner)('DELETE', '/teams/ops')).status).toBe(204)
  expect(await seen()).toEqual([404, 404])

  expect(await actionsOf('entity=team&limit=4')).toEqual([
    ['team.delete', null],
    ['team.remove-role', 'docs'],
    ['team.set-role', 'docs'],
    ['team.remove-role', 'docs'],
  ])
})

test('admins of a project choose the roles of teams there, and nothing else of teams', async () => {
  const admin = await telltale.person({ in: { shop: 'admin' } })
  const viewer = await telltale.person({ in: { shop: 'viewer' } })
  await createTeam('design')
  const available = await as(admin)('GET', '/projects/shop/available-teams?search=desi')
  expect(available.body.items).toEqual([{ key: 'design', name: 'Team design', members: 0 }])

  expect((await as(admin)('PUT', '/projects/shop/teams/design', { role: 'editor' })).status).toBe(200)
  expect((await as(admin)('PUT', '/projects/shop/teams/design', { role: 'viewer' })).body.role).toBe('viewer')
  const shown = (await as(viewer)('GET', '/projects/shop/teams')).body.items
  expect(shown).toContainEqual(
    expect.objectContaining({ role: 'viewer', team: expect.objectContaining({ key: 'design', members: 0 }) }),
  )
  expect((await as(admin)('GET', '/projects/shop/available-teams?search=desi')).body.items).toEqual([])
  expect((await as(admin)('PUT', `/teams/design/members/${viewer.id}`)).status).toBe(403)
  expect((await as(admin)('GET', '/teams')).status).toBe(403)
  expect((await as(admin)('PUT', '/projects/docs/teams/design', { role: 'viewer' })).status).toBe(404)
  expect((await as(admin)('PUT', '/projects/shop/teams/unknown', { role: 'viewer' })).status).toBe(404)
})

test('keys are unique, and names can change', async () => {
  await createTeam('growth')
  expect((await as(owner)('POST', '/teams', { key: 'growth', name: 'x' })).body.type).toBe(
    '/errors/already-exists',
  )
  const renamed = await as(owner)('PATCH', '/teams/growth', { name: 'Growth', description: 'Signups' })
  expect(renamed.body).toMatchObject({ key: 'growth', name: 'Growth', description: 'Signups' })
})

test('members beyond a page are listed page by page, once each', async () => {
  await createTeam('everyone')
  const { db } = telltale.running.services
  const { id: teamId } = (await as(owner)('GET', '/teams/everyone')).body
  const createdAt = telltale.running.services.clock()
  const rows = Array.from({ length: 450 }, (_, index) => ({
    ...{ id: newId(), email: `Crowd${index}@many.example`, name: `Crowd ${index}` },
    ...{ passwordHash: 'none', role: 'member' as const, createdAt },
  }))
  await db.insert(users).values(rows)
  await db.insert(teamMembers).values(rows.map(({ id }) => ({ teamId, userId: id, createdAt })))
  await as(owner)('PUT', '/projects/docs/teams/everyone', { role: 'viewer' })

  for (const path of ['/teams/everyone/members', '/projects/docs/members']) {
    const seen: string[] = []
    let cursor = ''
    do {
      const answer = await as(owner)('GET', `${path}?search=crowd&limit=${limits.pageSizeMaximum}${cursor}`)
      seen.push(...answer.body.items.map((item: { user: { email: string } }) => item.user.email))
      cursor = answer.body.next === null ? '' : `&cursor=${answer.body.next}`
    } while (cursor !== '')
    expect(seen).toHaveLength(rows.length)
    expect(new Set(seen).size).toBe(rows.length)
  }
})

test('a team has other roles in single environments, which add up with those of its members', async () => {
  const roles = (body: object) => as(owner)('PUT', '/projects/shop/teams/night-shift', body)
  const [mia, noa] = [await telltale.person(), await telltale.person({ in: { shop: 'editor' } })]
  await teamOf('night-shift', { shop: 'viewer' }, mia, noa)
  const environments = [{ env: 'staging', role: 'editor' }]
  expect((await roles({ role: 'viewer', environments })).body).toMatchObject({ role: 'viewer', environments })
  const keyIn = (person: SomePerson, env: string) =>
    as(person)('PUT', `/projects/shop/environments/${env}/flags/none/overrides/a`, { variation: 'on' })
  // Let in where the flag is looked for, and refused elsewhere.
  const mayChange = async (person: SomePerson) => [
    (await keyIn(person, 'staging')).status,
    (await keyIn(person, 'development')).status,
  ]
  expect(await mayChange(mia)).toEqual([404, 403])
  expect(await mayChange(noa)).toEqual([404, 404])
  const [shown] = (await as(owner)('GET', `/projects/shop/members?search=${mia.email}`)).body.items
  expect(shown.teams).toMatchObject([{ key: 'night-shift', environments }])

  // A role alone keeps them; an admin who is a viewer in production gives no more than that there.
  expect((await roles({ role: 'viewer' })).body.environments).toEqual(environments)
  const admin = await telltale.person({ in: { shop: 'admin' } })
  const limit = { environments: [{ env: 'production', role: 'viewer' }] }
  await as(owner)('PATCH', `/projects/shop/members/${admin.id}`, limit)
  const excess = { role: 'viewer', environments: [{ env: 'production', role: 'editor' }] }
  expect((await as(admin)('PUT', '/projects/shop/teams/night-shift', excess)).status).toBe(403)
  const unknown = await roles({
    role: 'viewer',
    environments: [...environments, { env: 'moon', role: 'editor' }],
  })
  expect(unknown.body.errors).toMatchObject([{ pointer: '/environments/1/env' }])
  const unknownRole = await roles({
    role: 'viewer',
    environments: [...environments, { env: 'production', role: 'none' }],
  })
  expect(unknownRole.body.errors).toMatchObject([{ pointer: '/environments/1/role' }])

  expect((await roles({ role: 'viewer', environments: [] })).body.environments).toEqual([])
  expect(await mayChange(mia)).toEqual([403, 403])
  const { body } = await as(owner)('GET', '/audit?entity=team&limit=1')
  expect(body.items[0].changes).toMatchObject([{ pointer: '/environments', before: { staging: 'editor' } }])

  const lost = async () => (await as(owner)('GET', '/audit?entity=team&limit=2')).body.items
  const removed = {
    action: 'team.remove-role',
    changes: [
      { pointer: '/role', before: 'viewer' },
      { pointer: '/environments', before: { staging: 'editor' } },
    ],
  }
  await roles({ role: 'viewer', environments })
  await as(owner)('DELETE', '/projects/shop/teams/night-shift')
  expect(await lost()).toContainEqual(expect.objectContaining(removed))
  await roles({ role: 'viewer', environments })
  await as(owner)('DELETE', '/teams/night-shift')
  expect(await lost()).toContainEqual(expect.objectContaining(removed))
})
