// The requests that the documentation of Okta and of Microsoft Entra ID shows, in their order, and what they must not do.

import { eq, ne } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTail } from '../../../../../test/intake/open-tail.ts'
import { type Answer, type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { teams } from '../../platform/engines/postgres/team-schema.ts'

let telltale: Telltale
let owner: SomePerson
let token: string

beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner', email: 'owner@shop.example' })
  await telltale.project('shop')
  // The one who made the project.
  const { db } = telltale.running.services
  await db.delete(users).where(ne(users.id, owner.id))
})
afterAll(() => telltale[Symbol.asyncDispose]())

const manage = (method: string, path: string, body?: unknown) =>
  telltale.request(method, `/api/v1${path}`, { as: owner, ...(body !== undefined && { body }) })

async function newToken() {
  const created = await manage('POST', '/scim-tokens', { name: 'Okta' })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  return created.body
}

beforeEach(async () => {
  const { items } = (await manage('GET', '/scim-tokens')).body
  for (const { id } of items) await manage('DELETE', `/scim-tokens/${id}`)
  token = (await newToken()).value
  const { db } = telltale.running.services
  await db.delete(teams)
  await db.delete(users).where(eq(users.role, 'member'))
})

function scim(method: string, path: string, body?: unknown): Promise<Answer> {
  return telltale.request(method, `/scim/v2${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    ...(body !== undefined && { body }),
  })
}

const find = (resource: string, filter: string, more = '') =>
  scim('GET', `/${resource}?filter=${encodeURIComponent(filter)}${more}`)
const patch = (...Operations: unknown[]) => ({
  ...{ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations },
})
const userOf = (userName: string, more: object = {}) => ({
  ...{ schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName, active: true, ...more },
})

async function create(userName: string, more?: object): Promise<string> {
  const created = await scim('POST', '/Users', userOf(userName, more))
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  return created.body.id
}

const refused = ({ status, body, headers }: Answer, expected: object) => {
  expect(headers.get('content-type')).toContain('application/scim+json')
  expect({ ...body, http: status }).toMatchObject({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    ...expected,
    http: Number(body.status),
  })
}

test('the requests of Okta: find, create, change, deactivate, activate; groups with members', async () => {
  const page = '&startIndex=1&count=100'
  const none = await find('Users', 'userName eq "ada@shop.example"', page)
  expect(none.body).toMatchObject({ totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] })
  const created = await scim('POST', '/Users', {
    ...userOf('ada@shop.example', {
      name: { givenName: 'Ada', familyName: 'Park' },
      displayName: 'Ada Park',
    }),
    ...{ emails: [{ primary: true, value: 'ada@shop.example', type: 'work' }], externalId: '00u1' },
    ...{ locale: 'en-US', groups: [], password: 'it is never kept' },
  })
  expect(created.status).toBe(201)
  const { id } = created.body
  expect(created.headers.get('location')).toBe(created.body.meta.location)
  expect(created.body).toMatchObject({
    ...{ userName: 'ada@shop.example', externalId: '00u1', active: true, displayName: 'Ada Park' },
    ...{ name: { givenName: 'Ada', familyName: 'Park' }, groups: [] },
    emails: [{ value: 'ada@shop.example', type: 'work', primary: true }],
  })
  expect((await scim('GET', `/Users/${id}`)).body).toEqual(created.body)
  expect((await find('Users', 'userName eq "ADA@shop.example"', page)).body.Resources).toEqual([created.body])

  const replaced = await scim('PUT', `/Users/${id}`, {
    ...created.body,
    ...{ displayName: 'Ada Lovelace', name: { givenName: 'Ada', familyName: 'Lovelace' } },
  })
  expect(replaced.body).toMatchObject({ id, displayName: 'Ada Lovelace', externalId: '00u1' })
  expect((await manage('GET', `/users/${id}`)).body).toMatchObject({ name: 'Ada Lovelace', role: 'member' })

  const group = await scim('POST', '/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    ...{ displayName: 'Payments & Refunds', members: [{ value: id, display: 'ada@shop.example' }] },
  })
  expect(group.status).toBe(201)
  const groups = `/Groups/${group.body.id}`
  const ref = expect.stringContaining(`/scim/v2/Users/${id}`)
  expect(group.body.members).toEqual([{ value: id, display: 'Ada Lovelace', type: 'User', $ref: ref }])
  await manage('PUT', '/projects/shop/teams/payments-refunds', { role: 'editor' })
  expect((await manage('GET', '/projects/shop/members')).body.items).toMatchObject([
    { user: { id }, role: 'editor', direct: null, teams: [{ key: 'payments-refunds' }] },
  ])
  const renamed = { op: 'replace', value: { id: group.body.id, displayName: 'Payments' } }
  expect((await scim('PATCH', groups, patch(renamed))).status).toBe(204)
  const other = await create('kim@shop.example')
  const exchange = patch(
    { op: 'remove', path: `members[value eq "${id}"]` },
    { op: 'add', path: 'members', value: [{ value: other, display: 'kim@shop.example' }] },
  )
  expect((await scim('PATCH', groups, exchange)).status).toBe(204)
  expect((await scim('GET', groups)).body).toMatchObject({
    displayName: 'Payments',
    members: [{ value: other }],
  })
  expect((await scim('PUT', groups, { displayName: 'Payments', members: [{ value: id }] })).status).toBe(200)
  expect((await scim('GET', `/Users/${id}`)).body.groups).toMatchObject([{ display: 'Payments' }])
  expect((await scim('GET', `/Users/${other}`)).body.groups).toEqual([])

  const off = await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active: false } }))
  expect(off.body).toMatchObject({ id, active: false })
  const on = await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active: true } }))
  expect(on.body).toMatchObject({ id, active: true })
  expect((await scim('DELETE', groups)).status).toBe(204)
  expect((await manage('GET', '/projects/shop/members')).body.items).toEqual([])
})

test('the requests of Entra: test of the connection, users, texts for booleans, groups without members', async () => {
  const test = await find('Users', 'userName eq "b7e7e1a5-2d61-4a1b-9b6c-d7a25e5c3c53"')
  expect([test.status, test.body.totalResults]).toEqual([200, 0])
  const id = await create('grace@shop.example', {
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
    ],
    ...{ externalId: 'grace', meta: { resourceType: 'User' }, roles: [] },
    emails: [{ primary: true, type: 'work', value: 'grace@shop.example' }],
    name: { formatted: 'Grace Hopper', familyName: 'Hopper', givenName: 'Grace' },
  })
  expect((await find('Users', 'externalId eq "grace"')).body.Resources[0].id).toBe(id)
  const changed = await scim(
    'PATCH',
    `/Users/${id}`,
    patch(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'grace.h@shop.example' },
      { op: 'Replace', path: 'name.familyName', value: 'Murray' },
      {
        op: 'Add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'IT',
      },
    ),
  )
  expect(changed.body).toMatchObject({
    ...{ userName: 'grace@shop.example', name: { familyName: 'Murray' } },
    emails: [{ value: 'grace.h@shop.example' }],
  })
  expect(
    (await find('Users', 'emails[type eq "work"].value eq "grace.h@shop.example"')).body.totalResults,
  ).toBe(1)
  expect((await find('Users', 'userName eq "grace.h@shop.example"')).body.totalResults).toBe(0)
  await scim('PATCH', `/Users/${id}`, patch({ op: 'Replace', path: 'userName', value: 'gh@shop.example' }))
  expect((await find('Users', 'userName eq "gh@shop.example"')).body.totalResults).toBe(1)

  const created = await scim('POST', '/Groups', {
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:Group',
      'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
    ],
    ...{ externalId: '8aa1a0c0', displayName: 'On-call', meta: { resourceType: 'Group' } },
  })
  const group = `/Groups/${created.body.id}`
  const found = await find('Groups', 'displayName eq "on-call"', '&excludedAttributes=members')
  expect(found.body.Resources[0]).toMatchObject({ id: created.body.id, externalId: '8aa1a0c0' })
  expect(found.body.Resources[0]).not.toHaveProperty('members')
  const member = [{ $ref: null, value: id }]
  expect((await scim('PATCH', group, patch({ op: 'Add', path: 'members', value: member }))).status).toBe(204)
  const isIn = `id eq "${created.body.id}" and members.value eq "${id}"`
  expect((await find('Groups', isIn)).body.totalResults).toBe(1)
  expect((await scim('PATCH', group, patch({ op: 'Remove', path: 'members', value: member }))).status).toBe(
    204,
  )
  expect((await find('Groups', isIn)).body.totalResults).toBe(0)
  expect(
    (await scim('PATCH', group, patch({ op: 'Replace', path: 'displayName', value: '24/7' }))).status,
  ).toBe(204)

  const off = await scim('PATCH', `/Users/${id}`, patch({ op: 'Replace', path: 'active', value: 'False' }))
  expect(off.body.active).toBe(false)
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
  refused(await scim('GET', `/Users/${id}`), { status: '404' })
  expect((await scim('DELETE', group)).status).toBe(204)
})

describe('a deactivated user', () => {
  test('loses sessions, tokens and rights at once, keeps the rest, and gets it back', async () => {
    const person = await telltale.person({ in: { shop: 'editor' } })
    const api = await telltale.token(person, { role: 'editor', project: 'shop' })
    const seen = async () => [
      (await telltale.request('GET', '/api/v1/projects/shop', { as: person })).status,
      (await telltale.request('GET', '/api/v1/projects/shop', { as: api })).status,
    ]
    expect(await seen()).toEqual([200, 200])
    const set = (active: boolean) =>
      scim('PATCH', `/Users/${person.id}`, patch({ op: 'replace', value: { active } }))
    expect((await set(false)).body.active).toBe(false)
    expect(await seen()).toEqual([401, 401])
    const { items } = (await manage('GET', '/projects/shop/members')).body
    expect(items).toMatchObject([{ user: { id: person.id, disabledAt: expect.any(String) }, role: 'editor' }])
    expect((await set(true)).body.active).toBe(true)
    // The session has ended; the token was only refused.
    expect(await seen()).toEqual([401, 200])
    const audit = (await manage('GET', `/audit?entity=user&entityId=${person.id}`)).body.items
    expect(audit).toMatchObject([
      { action: 'user.update', actor: { kind: 'token', name: 'Okta (SCIM)' } },
      { action: 'user.update', changes: [{ pointer: '/disabled', before: false, after: true }] },
    ])
  })

  test('is cut off from open streams within a second, by session and by token', { retry: 2 }, async () => {
    const person = await telltale.person({ in: { shop: 'viewer' } })
    const api = await telltale.token(person, { role: 'viewer', project: 'shop' })
    const tails = [await openTail(telltale.url, person), await openTail(telltale.url, api)]
    expect(tails.map(({ status }) => status)).toEqual([200, 200])
    const ended = Promise.all(tails.map((tail) => tail.ended.then(() => performance.now())))
    await scim('PATCH', `/Users/${person.id}`, patch({ op: 'replace', value: { active: false } }))
    const from = performance.now()
    expect(Math.max(...(await ended)) - from).toBeLessThan(1_000)
  })

  test('may be created as one, and the audit log says so', async () => {
    const made = await scim('POST', '/Users', userOf('later@shop.example', { active: false }))
    expect(made.body).toMatchObject({ active: false })
    const audit = (await manage('GET', `/audit?entity=user&entityId=${made.body.id}`)).body.items
    expect(audit).toMatchObject([
      { action: 'user.update', changes: [{ pointer: '/disabled', before: false, after: true }] },
      { action: 'user.create' },
    ])
  })

  test('is never the last owner, and the address of owners is not for SCIM to change', async () => {
    const off = patch({ op: 'replace', path: 'active', value: false })
    refused(await scim('PATCH', `/Users/${owner.id}`, off), { status: '400', scimType: 'mutability' })
    refused(await scim('DELETE', `/Users/${owner.id}`), { status: '400', scimType: 'mutability' })
    const address = patch({ op: 'replace', path: 'userName', value: 'evil@evil.example' })
    refused(await scim('PATCH', `/Users/${owner.id}`, address), { status: '400', scimType: 'mutability' })
    expect((await manage('GET', `/users/${owner.id}`)).body).toMatchObject({
      ...{ email: 'owner@shop.example', role: 'owner', disabledAt: null },
    })
  })
})

test('bad requests are refused as SCIM says, and change nothing', async () => {
  const id = await create('ada@shop.example')
  const before = (await scim('GET', `/Users/${id}`)).body
  refused(await scim('POST', '/Users', userOf('ADA@shop.example')), { status: '409', scimType: 'uniqueness' })
  refused(await scim('POST', '/Users', userOf('no address')), { status: '400', scimType: 'invalidValue' })
  refused(await scim('POST', '/Users', '{"userName": '), { status: '400', scimType: 'invalidSyntax' })
  refused(await scim('POST', '/Users', '[]'), { status: '400', scimType: 'invalidSyntax' })
  refused(await scim('PATCH', `/Users/${id}`, {}), { status: '400', scimType: 'invalidSyntax' })
  const second = [
    { op: 'replace', value: { displayName: 'A' } },
    { op: 'add', path: '[', value: 1 },
  ]
  refused(await scim('PATCH', `/Users/${id}`, patch(...second)), { status: '400', scimType: 'invalidPath' })
  refused(await find('Users', 'userName eq'), { status: '400', scimType: 'invalidFilter' })
  refused(await find('Users', 'password eq "x"'), { status: '400', scimType: 'invalidFilter' })
  refused(await scim('GET', '/Users/not-an-id'), { status: '404' })
  refused(await scim('GET', '/Bulk'), { status: '404' })
  refused(await scim('POST', '/Users', 'x'.repeat(5_000_000)), { status: '413' })
  const group = (await scim('POST', '/Groups', { displayName: 'A', members: [{ value: id }] })).body.id
  const members = [{ value: id }, { value: '01900000-0000-7000-8000-000000000000' }]
  const replace = patch({ op: 'replace', path: 'members', value: members })
  refused(await scim('PATCH', `/Groups/${group}`, replace), { status: '400', scimType: 'invalidValue' })
  refused(await scim('POST', '/Groups', { displayName: 'a' }), { status: '409', scimType: 'uniqueness' })
  expect((await scim('GET', `/Groups/${group}`)).body.members).toHaveLength(1)
  const { groups: _before, ...kept } = before
  expect((await scim('GET', `/Users/${id}`)).body).toMatchObject(kept)
})

test('lists have pages', async () => {
  for (const name of ['a', 'b', 'c']) await create(`${name}@page.example`)
  const names = async (query: string) => {
    const { body } = await scim(
      'GET',
      `/Users?filter=${encodeURIComponent('userName co "@page.example"')}&${query}`,
    )
    return [
      body.totalResults,
      body.itemsPerPage,
      body.Resources.map((one: { userName: string }) => one.userName),
    ]
  }
  expect(await names('startIndex=1&count=2')).toEqual([3, 2, ['a@page.example', 'b@page.example']])
  expect(await names('startIndex=3&count=2')).toEqual([3, 1, ['c@page.example']])
  expect(await names('count=0')).toEqual([3, 0, []])
  expect((await scim('GET', '/Users?attributes=userName')).body.Resources[0]).toEqual({
    ...{ schemas: expect.any(Array), id: expect.any(String), userName: expect.any(String) },
  })
})

test('a token works for SCIM only, is shown once, and ends when it is revoked', async () => {
  const { token: shown, value } = await newToken()
  const elsewhere = await telltale.request('GET', '/api/v1/users', {
    headers: { authorization: `Bearer ${value}` },
  })
  expect(elsewhere.status).toBe(401)
  const ownerToken = await telltale.token(owner, { role: 'owner' })
  refused(await telltale.request('GET', '/scim/v2/Users', { as: ownerToken }), { status: '401' })
  refused(await telltale.request('GET', '/scim/v2/Users', { as: owner }), { status: '401' })
  token = value
  expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({ patch: { supported: true } })
  expect((await scim('GET', '/ResourceTypes')).body.totalResults).toBe(2)
  const schema = '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User'
  expect((await scim('GET', schema)).body).toMatchObject({ name: 'User' })
  await find('Users', 'nonsense')

  const listed = async () => (await manage('GET', '/scim-tokens')).body
  await expect
    .poll(async () => (await listed()).items.find(({ id }: { id: string }) => id === shown.id).requests)
    .toHaveLength(4)
  const { items, address } = await listed()
  expect(address).toBe(`${telltale.url}/scim/v2`)
  expect(items[0].requests[0]).toMatchObject({
    ...{ method: 'GET', resource: 'Users', status: 400, detail: expect.any(String) },
  })
  expect(JSON.stringify(items)).not.toContain(value)
  await manage('DELETE', `/scim-tokens/${shown.id}`)
  refused(await scim('GET', '/Users'), { status: '401' })
})

test('groups take over waiting teams, and cannot be edited by hand', async () => {
  await manage('POST', '/teams', { key: 'pay', name: 'Payments' })
  await manage('PUT', '/projects/shop/teams/pay', { role: 'viewer' })
  const id = await create('ada@shop.example')
  await scim('POST', '/Groups', { displayName: 'payments', members: [{ value: id }] })
  expect((await manage('GET', '/teams/pay')).body).toMatchObject({ scim: true, members: 1 })
  expect((await manage('GET', '/projects/shop/members')).body.items).toMatchObject([{ user: { id } }])
  for (const answer of [
    await manage('PATCH', '/teams/pay', { name: 'Mine' }),
    await manage('DELETE', `/teams/pay/members/${id}`),
    await manage('DELETE', '/teams/pay'),
  ]) {
    expect(answer.body).toMatchObject({
      type: '/errors/wrong-state',
      detail: expect.stringContaining('SCIM'),
    })
  }
  expect((await manage('PUT', '/projects/shop/teams/pay', { role: 'editor' })).status).toBe(200)
  for (const { id } of (await manage('GET', '/scim-tokens')).body.items)
    await manage('DELETE', `/scim-tokens/${id}`)
  expect((await manage('DELETE', '/teams/pay')).status).toBe(204)
})
