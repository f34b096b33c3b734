import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { auditEntries } from '../../platform/engines/postgres/audit-schema.ts'
import { memberships } from '../../platform/engines/postgres/schema.ts'

let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner' })
})

afterAll(() => telltale[Symbol.asyncDispose]())

const at = (project: string, rest = '') => `/api/v1/projects/${project}/members${rest}`

async function emailsOf(project: string, query = '') {
  const { body } = await telltale.request('GET', at(project, query), { as: owner })
  return { emails: body.items.map((item: { user: { email: string } }) => item.user.email), next: body.next }
}

test('an existing account is added by e-mail, in any case, and sees the project', async () => {
  await telltale.project('shop')
  const ada = await telltale.person({ email: 'ada@shop.example' })
  expect((await telltale.request('GET', '/api/v1/projects/shop', { as: ada })).status).toBe(404)

  const added = await telltale.request('POST', at('shop'), {
    as: owner,
    body: { email: 'Ada@Shop.example', role: 'editor' },
  })
  expect(added.status).toBe(201)
  expect(added.body).toMatchObject({
    user: { id: ada.id, email: 'ada@shop.example', disabledAt: null },
    role: 'editor',
    managed: false,
  })
  expect((await telltale.request('GET', '/api/v1/projects/shop', { as: ada })).body.role).toBe('editor')

  const audit = await telltale.request('GET', '/api/v1/projects/shop/audit?entity=member', { as: owner })
  expect(audit.body.items).toMatchObject([
    {
      action: 'member.create',
      entity: { kind: 'member', id: ada.id, name: 'ada@shop.example' },
      project: 'shop',
      changes: [{ pointer: '/role', after: 'editor' }],
    },
  ])
})

test('an unknown address is invited, and a member is not added twice', async () => {
  await telltale.project('strict')
  const grace = await telltale.person({ in: { strict: 'viewer' } })

  const unknown = await telltale.request('POST', at('strict'), {
    as: owner,
    body: { email: 'nobody@shop.example', role: 'editor' },
  })
  expect(unknown.status).toBe(404)
  expect(unknown.body.detail).toContain('Invite')

  const twice = await telltale.request('POST', at('strict'), {
    as: owner,
    body: { email: grace.email, role: 'admin' },
  })
  expect(twice.body.type).toBe('/errors/already-exists')
  expect((await telltale.request('GET', '/api/v1/projects/strict', { as: grace })).body.role).toBe('viewer')
})

test('members are listed by e-mail, page by page', async () => {
  await telltale.project('crowd')
  for (const name of ['carol', 'Alice', 'bob', 'dave', 'Erin'])
    await telltale.person({ in: { crowd: 'viewer' }, email: `${name}@crowd.example` })

  const first = await emailsOf('crowd', '?limit=2')
  const second = await emailsOf('crowd', `?limit=2&cursor=${first.next}`)
  const third = await emailsOf('crowd', `?limit=2&cursor=${second.next}`)

  expect([first.emails, second.emails, third.emails]).toEqual([
    ['Alice@crowd.example', 'bob@crowd.example'],
    ['carol@crowd.example', 'dave@crowd.example'],
    ['Erin@crowd.example'],
  ])
  expect(third.next).toBeNull()
})

test('a new role applies immediately; setting the same role leaves no trace', async () => {
  await telltale.project('roles')
  const lin = await telltale.person({ in: { roles: 'viewer' } })
  const setRole = (role: string) =>
    telltale.request('PATCH', at('roles', `/${lin.id}`), { as: owner, body: { role } })

  expect((await setRole('admin')).body.role).toBe('admin')
  expect((await setRole('admin')).status).toBe(200)
  expect((await telltale.request('GET', '/api/v1/projects/roles', { as: lin })).body.role).toBe('admin')

  const audit = await telltale.request('GET', `/api/v1/audit?entityId=${lin.id}`, { as: owner })
  expect(audit.body.items.map((entry: { changes: unknown }) => entry.changes)).toEqual([
    [{ pointer: '/role', before: 'viewer', after: 'admin' }],
  ])
})

test('a removed member no longer sees the project, and neither do their tokens', async () => {
  await telltale.project('left')
  const kim = await telltale.person({ in: { left: 'admin' } })
  const token = await telltale.token(kim, { role: 'admin', project: 'left' })
  expect((await telltale.request('GET', at('left'), { as: token })).status).toBe(200)

  const removal = await telltale.request('DELETE', at('left', `/${kim.id}`), { as: owner })
  expect(removal.status).toBe(204)
  expect((await telltale.request('GET', at('left'), { as: kim })).status).toBe(404)
  expect((await telltale.request('GET', at('left'), { as: token })).status).toBe(404)
  expect((await telltale.request('DELETE', at('left', `/${kim.id}`), { as: owner })).status).toBe(404)
  expect((await telltale.request('GET', '/api/v1/account', { as: kim })).status).toBe(200)
})

test('a membership from the setup file is only changed there', async () => {
  await telltale.project('declared')
  const sam = await telltale.person({ in: { declared: 'viewer' } })
  const { db } = telltale.running.services
  await db.update(memberships).set({ managed: true }).where(eq(memberships.userId, sam.id))

  const path = at('declared', `/${sam.id}`)
  const change = await telltale.request('PATCH', path, { as: owner, body: { role: 'admin' } })
  const removal = await telltale.request('DELETE', path, { as: owner })

  expect([change.body.type, removal.body.type]).toEqual(['/errors/managed', '/errors/managed'])
  const [kept] = await db.select().from(memberships).where(eq(memberships.userId, sam.id))
  expect(kept).toMatchObject({ role: 'viewer', managed: true })
  const noted = and(eq(auditEntries.entityKind, 'member'), eq(auditEntries.entityId, sam.id))
  expect(await db.$count(auditEntries, noted)).toBe(0)
})

test('a non-member is not found', async () => {
  await telltale.project('apart')
  const stranger = await telltale.person()
  const path = at('apart', `/${stranger.id}`)

  expect((await telltale.request('PATCH', path, { as: owner, body: { role: 'admin' } })).status).toBe(404)
  expect((await telltale.request('DELETE', path, { as: owner })).status).toBe(404)
  expect((await telltale.request('DELETE', at('apart', '/not-an-id'), { as: owner })).status).toBe(404)
})
