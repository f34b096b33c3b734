import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson
let admin: SomePerson
const project = '/api/v1/projects/shop'

beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  admin = await telltale.person({ in: { shop: 'admin' } })
})
afterAll(() => telltale[Symbol.asyncDispose]())

const by = (as: SomePerson) => (method: string, path: string, body?: unknown) =>
  telltale.request(method, `${project}${path}`, { as, body })
const setRoles = (as: SomePerson, of: SomePerson, body: object) => by(as)('PATCH', `/members/${of.id}`, body)
const createRole = (key: string, permissions: string[]) =>
  by(owner)('POST', '/roles', { key, name: key, permissions })
const newFlag = (as: SomePerson, key: string) =>
  by(as)('POST', '/flags', { key, name: key, valueType: 'boolean', clientVisible: true })

const someErrors = {
  ...{ kind: 'measure', query: { kind: 'error', measure: 'count' }, window: '5m' },
  condition: { kind: 'threshold', is: 'above', value: 2 },
  ...{ minEvents: 0, forMinutes: 0, whenNoData: 'tell' },
}

test('a role is created, given, changed for everyone who has it, and deleted with a successor', async () => {
  const created = await createRole('captain', ['flags.change', 'rollouts.stop'])
  expect(created).toMatchObject({
    status: 201,
    body: { permissions: ['project.view', 'flags.change', 'rollouts.stop'], builtIn: false, version: 1 },
  })
  expect((await createRole('captain', [])).body.type).toBe('/errors/already-exists')
  expect((await createRole('owner', [])).body.type).toBe('/errors/already-exists')
  const kim = await telltale.person({ in: { shop: 'viewer' } })
  expect((await newFlag(kim, 'first')).status).toBe(403)
  expect((await setRoles(admin, kim, { role: 'captain' })).body.role).toBe('captain')
  expect((await newFlag(kim, 'first')).status).toBe(201)
  const account = await telltale.request('GET', '/api/v1/account', { as: kim })
  expect(account.body.projects[0]).toMatchObject({
    role: 'captain',
    permissions: ['project.view', 'flags.change', 'rollouts.stop'],
  })

  const narrowed = await by(admin)('PATCH', '/roles/captain', { permissions: ['rollouts.stop'] })
  expect(narrowed.body).toMatchObject({ permissions: ['project.view', 'rollouts.stop'], uses: 1, version: 2 })
  expect((await newFlag(kim, 'second')).body.permission).toBe('flags.change')

  const inUse = await by(admin)('DELETE', '/roles/captain')
  expect(inUse).toMatchObject({ status: 409, body: { detail: 'The role is given to 1 member.' } })
  expect((await by(admin)('DELETE', '/roles/captain?moveTo=editor')).status).toBe(204)
  expect((await newFlag(kim, 'second')).status).toBe(201)
  expect((await by(admin)('DELETE', '/roles/viewer')).body.type).toBe('/errors/wrong-state')
  const audit = await by(owner)('GET', '/audit?entity=role')
  expect(audit.body.items.map(({ action, reason }: Record<string, unknown>) => [action, reason])).toEqual([
    ['role.delete', '1 member moved to editor'],
    ['role.update', null],
    ['role.create', null],
  ])
})

test('a member cannot give permissions that they lack, in any way', async () => {
  await createRole('people', ['members.manage', 'flags.change'])
  await createRole('held', ['flags.change'])
  const manager = await telltale.person({ in: { shop: 'people' } })
  const other = await telltale.person({ in: { shop: 'held' } })
  const extra = await telltale.person()
  const invited = await by(owner)('POST', '/invitations', { email: 'late@shop.example', role: 'admin' })
  const refusals = await Promise.all([
    setRoles(manager, other, { role: 'editor' }),
    setRoles(manager, manager, { role: 'admin' }),
    setRoles(manager, other, { environments: [{ env: 'staging', role: 'editor' }] }),
    by(manager)('POST', '/members', { email: extra.email, role: 'editor' }),
    by(manager)('POST', '/invitations', { email: 'new@shop.example', role: 'viewer' }),
    by(manager)('POST', `/invitations/${invited.body.invitation.id}/renew`),
    by(manager)('POST', '/roles', { key: 'more', name: 'More', permissions: ['audit.view'] }),
    by(manager)('PATCH', '/roles/held', { permissions: ['flags.change', 'audit.view'] }),
    by(manager)('DELETE', '/roles/held?moveTo=editor'),
  ])
  for (const { status, body } of refusals) {
    expect([status, body.type]).toEqual([403, '/errors/forbidden'])
    expect(body.detail).toContain('You can only give permissions that you have')
  }
  // What was there before may stay, and what the manager has may be given.
  expect((await setRoles(manager, other, { role: 'people' })).status).toBe(200)
  expect((await by(manager)('PATCH', '/roles/held', { name: 'Held' })).status).toBe(200)
})

test('a token is limited by its own role and by its owner', async () => {
  await createRole('flagger', ['flags.change'])
  await createRole('watcher', ['alerts.change'])
  const lin = await telltale.person({ in: { shop: 'editor' } })
  const token = await telltale.token(lin, { role: 'flagger', project: 'shop' })
  const act = (path: string) => telltale.request('POST', `${project}${path}`, { as: token, body: {} })
  expect([(await act('/flags')).status, (await act('/alerts')).status]).toEqual([400, 403])
  await setRoles(admin, lin, { role: 'watcher' })
  expect([(await act('/flags')).status, (await act('/alerts')).status]).toEqual([403, 403])
  const everywhere = { name: 'All', role: 'flagger' }
  const refused = await telltale.request('POST', '/api/v1/account/tokens', { as: lin, body: everywhere })
  expect(refused.status).toBe(403)
})

test('the role in an environment decides there, also for what is named by its id', async () => {
  const mia = await telltale.person({ in: { shop: 'viewer' } })
  await newFlag(owner, 'checkout')
  const there = [{ env: 'staging', role: 'editor' }]
  expect((await setRoles(admin, mia, { environments: there })).body.environments).toEqual(there)
  const account = await telltale.request('GET', '/api/v1/account', { as: mia })
  expect(account.body.projects[0].environments).toMatchObject([{ env: 'staging' }])

  const saved = (env: string) =>
    by(mia)('PUT', `/environments/${env}/flags/checkout/config`, {
      ...{ enabled: true, offVariation: 'off', prerequisites: [], rules: [], version: 1 },
      fallthrough: { variation: 'on' },
    })
  expect([(await saved('staging')).status, (await saved('development')).status]).toEqual([200, 403])
  const scheduled = async (env: string) => {
    const at = new Date(Date.now() + 86_400_000).toISOString()
    const path = `/environments/${env}/flags/checkout/scheduled-changes`
    const made = await by(owner)('POST', path, { at, change: { enabled: false } })
    return `/scheduled-changes/${made.body.id}`
  }
  const cancel = async (env: string) => (await by(mia)('POST', `${await scheduled(env)}/cancel`)).status
  expect([await cancel('staging'), await cancel('development')]).toEqual([200, 403])
  const alert = (env: string) =>
    by(mia)('POST', '/alerts', { name: env, env, rule: someErrors, channels: [] })
  expect([(await alert('staging')).status, (await alert('development')).status]).toEqual([201, 403])
  expect((await newFlag(mia, 'own')).status).toBe(403)

  const everywhere = await telltale.person({ in: { shop: 'editor' } })
  await setRoles(admin, everywhere, { environments: [{ env: 'production', role: 'viewer' }] })
  const byCode = (env: string) => {
    const document = { alerts: { 'by code': { env, rule: someErrors } } }
    return by(everywhere)('POST', '/code/apply', { document })
  }
  expect([(await byCode('development')).status, (await byCode('production')).status]).toEqual([200, 403])

  await setRoles(admin, mia, { role: 'admin', environments: [{ env: 'production', role: 'viewer' }] })
  const keys = (env: string) => by(mia)('POST', `/environments/${env}/keys`, { kind: 'client', label: 'x' })
  expect([(await keys('staging')).status, (await keys('production')).status]).toEqual([201, 403])
  // Nor may an admin who is a viewer in production make others more than that there.
  const noa = await telltale.person({ in: { shop: 'viewer' } })
  const given = await setRoles(mia, noa, { role: 'editor' })
  expect(given).toMatchObject({ status: 403, body: { permission: 'flags.change' } })
  const elsewhere = { role: 'editor', environments: [{ env: 'production', role: 'viewer' }] }
  expect((await setRoles(mia, noa, elsewhere)).status).toBe(200)
  const unlimited = await setRoles(mia, mia, { environments: [] })
  expect(unlimited.status).toBe(403)
})

test('what replaces flags and keys of a whole project needs each of their permissions in every environment', async () => {
  await createRole('titles', ['project.manage'])
  const titles = await telltale.person({ in: { shop: 'titles' } })
  const limited = await telltale.person({ in: { shop: 'admin' } })
  const document = {
    ...{ id: 1, api_key: 'rolesKey0000000000001', name: 'Staging', project: { id: 1, name: 'Shop' } },
    feature_states: [],
  }
  const path = '/api/v1/import/flagsmith-environment?project=shop&env=staging'
  const imported = (as: SomePerson) => telltale.request('POST', path, { as, body: document })
  expect(await imported(titles)).toMatchObject({ status: 403, body: { permission: 'environments.manage' } })
  await setRoles(admin, limited, { environments: [{ env: 'production', role: 'viewer' }] })
  expect(await imported(limited)).toMatchObject({ status: 403, body: { permission: 'project.manage' } })
  expect((await imported(admin)).status).toBe(200)
})

test('a link shares what its maker sees', async () => {
  await createRole('sharer', ['links.share'])
  const sharer = await telltale.person({ in: { shop: 'sharer' } })
  const replay = { kind: 'session', target: sharer.id, env: 'development', hours: 1 }
  const refused = await by(sharer)('POST', '/share-links', replay)
  expect(refused).toMatchObject({ status: 403, body: { permission: 'replays.view' } })
})

test('owners of a flag who have to approve are changed only by who may change that rule', async () => {
  const [ada, bob] = [
    await telltale.person({ in: { shop: 'maintainer' } }),
    await telltale.person({ in: { shop: 'maintainer' } }),
  ]
  await newFlag(ada, 'owned')
  const setOwners = (as: SomePerson, owners: string[]) => by(as)('PATCH', '/flags/owned', { owners })
  const production = (rule: object) => by(owner)('PATCH', '/environments/production', rule)
  expect((await production({ approvalRequired: true, ownerApproval: true })).status).toBe(200)
  try {
    expect((await setOwners(ada, [ada.id, bob.id])).status).toBe(200)
    // The same owners in another order.
    expect((await setOwners(ada, [bob.id, ada.id])).status).toBe(200)
    // Alone among its owners, an author would need no approval by one.
    const alone = await setOwners(ada, [ada.id])
    expect(alone).toMatchObject({ status: 403, body: { permission: 'environments.manage' } })
    const document = { flags: { owned: { name: 'Owned', valueType: 'boolean', owners: [ada.email] } } }
    expect((await by(ada)('POST', '/code/apply', { document })).status).toBe(403)
    expect((await setOwners(admin, [ada.id])).status).toBe(200)
  } finally {
    await production({ approvalRequired: false, ownerApproval: false })
  }
  expect((await setOwners(ada, [bob.id])).status).toBe(200)
})
