import { limits } from '@telltale/core/limits'
import { ne } from 'drizzle-orm'
import { decodeJwt, importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signInAt, type TestProvider } from '../../../../../test/sign-in-provider.ts'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { loginSessions, users } from '../../platform/engines/postgres/account-schema.ts'
import { asSigned, openSignIns, type SignIns, settings, site } from './testing/sign-ins.ts'

let on: SignIns
let telltale: Telltale
let provider: TestProvider
let owner: SomePerson
beforeAll(async () => {
  on = await openSignIns()
  telltale = on.telltale
  provider = on.provider
})
afterAll(() => on[Symbol.asyncDispose]())
beforeEach(async () => {
  owner = await on.reset()
})

describe('a sign-in', () => {
  test('creates the account, and finds it again by its subject', async () => {
    await on.create()
    const first = await on.signIn('/p/shop/flags?q=a')
    expect(first.body).toMatchObject({
      user: { email: 'ada@shop.example', name: 'Ada', role: 'member' },
      ...{ returnTo: '/p/shop/flags?q=a', test: null },
    })
    expect((await on.account(asSigned(first))).body).toMatchObject({
      user: { email: 'ada@shop.example' },
      provider: { key: 'okta', buttonText: 'Sign in with Okta' },
    })
    const { id } = first.body.user

    provider.accounts.set('ada', { email: 'ada.park@shop.example', email_verified: true })
    expect((await on.signIn()).body.user).toMatchObject({ id, email: 'ada.park@shop.example', name: 'Ada' })
    for (const claims of [{ name: 'Ada' }, { email: 'ada park@shop.example', email_verified: true }]) {
      provider.accounts.set('ada', claims)
      expect((await on.signIn()).body.user).toMatchObject({ id, email: 'ada.park@shop.example' })
    }
    const [listed] = (await telltale.request('GET', '/api/v1/sign-in-providers', { as: owner })).body.items
    expect(listed).toMatchObject({ accounts: 1, testedAt: expect.any(String) })
  })

  test('finds an existing account by its verified address', async () => {
    await on.create()
    provider.accounts.set('boss', { email: 'OWNER@shop.example', email_verified: true })
    provider.signsIn = 'boss'
    expect((await on.signIn()).body.user).toMatchObject({ id: owner.id, role: 'owner' })

    // The same address twice at the provider.
    provider.accounts.set('twin', { email: 'owner@shop.example', email_verified: true })
    provider.signsIn = 'twin'
    const twin = await on.signIn()
    expect(twin.body).toMatchObject({ type: '/errors/sign-in-refused', status: 403 })
    expect(twin.body.detail).toContain('Another account of the provider')
  })

  test('of two first sign-ins at the same moment, one creates the account', async () => {
    await on.create()
    const started = [await on.start(), await on.start()]
    const answers = await Promise.all(
      started.map(async ({ url, cookie }) => on.finish((await signInAt(provider, url)).search, cookie)),
    )
    const ids = answers.map(({ body }) => body.user?.id)
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).toEqual(expect.any(String))
  })

  test.each([
    ['no address', { name: 'Eve' }, 'no e-mail address'],
    ['an unverified address', { email: 'eve@shop.example', email_verified: false }, 'has not verified'],
    ['an address that is not said to be verified', { email: 'eve@shop.example' }, 'has not verified'],
    ['a foreign address', { email: 'eve@evil.example', email_verified: true }, 'evil.example'],
    ['the address of the owner, unverified', { email: 'owner@shop.example' }, 'has not verified'],
    ['an invalid address', { email: 'a b@shop.example', email_verified: true }, 'not valid'],
  ])('with %s is refused, and creates nothing', async (_what, claims, detail) => {
    await on.create()
    provider.accounts.set('eve', claims)
    provider.signsIn = 'eve'
    const answer = await on.signIn()
    expect(answer.body).toMatchObject({ type: '/errors/sign-in-refused' })
    expect(answer.body.detail).toContain(detail)
    expect(await telltale.running.services.db.$count(users)).toBe(1)
  })

  test('of a disabled account or at a disabled provider is refused', async () => {
    await on.create()
    const { id } = (await on.signIn()).body.user
    await telltale.request('PATCH', `/api/v1/users/${id}`, { as: owner, body: { disabled: true } })
    expect((await on.signIn()).body.detail).toContain('is disabled')

    const started = await on.start()
    const back = await signInAt(provider, started.url)
    await on.update({ enabled: false })
    expect((await on.finish(back.search, started.cookie)).body.type).toBe('/errors/sign-in-refused')
    const again = await telltale.request('POST', '/api/v1/sign-in/providers/okta', { body: {} })
    expect(again.status).toBe(404)
    expect((await telltale.request('GET', '/api/v1/sign-in/options')).body.providers).toEqual([])
  })

  test('can start at one server and finish at another', async () => {
    await on.create()
    await using beside = await startTelltale({ settings, beside: telltale })
    const { url, cookie } = await on.start()
    const back = await signInAt(provider, url)
    expect((await on.finish(back.search, cookie, { at: beside })).status).toBe(200)
  })

  test('with a private key instead of a secret', async () => {
    const { privateKey } = (await import('node:crypto')).generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    const created = await on.create({ clientAuth: 'private_key_jwt', secret: pem, keyId: 'a' })
    expect(created.status).toBe(201)
    expect(JSON.stringify(created.body)).not.toContain('PRIVATE KEY')
    // The provider knows the client by its secret: it refuses the signature, and says so.
    const answer = await on.signIn()
    expect(answer.body.detail).toContain('does not accept the client')
  })
})

describe('groups', () => {
  const grants = [
    { group: 'dev', project: 'shop', role: 'editor' },
    { group: 'ops', project: 'shop', role: 'admin' },
    { group: '*', project: 'docs', role: 'viewer' },
    { group: 'dev', project: 'gone', role: 'viewer' },
    { group: 'boss', project: null, role: 'owner' },
  ]
  const inGroups = (...groups: string[]) =>
    provider.accounts.set('ada', { email: 'ada@shop.example', email_verified: true, groups })

  beforeEach(async () => {
    await telltale.project('shop')
    await telltale.project('docs')
    await on.create({ grants })
  })

  test('give roles, and take them at the next sign-in', async () => {
    inGroups('dev', 'ops')
    const ada = asSigned(await on.signIn())
    expect(await on.rolesOf(ada)).toEqual({ shop: 'admin', docs: 'viewer' })
    inGroups('dev')
    await on.signIn()
    expect(await on.rolesOf(ada)).toEqual({ shop: 'editor', docs: 'viewer' })
    inGroups('developers')
    await on.signIn()
    expect(await on.rolesOf(ada)).toEqual({ docs: 'viewer' })
  })

  test('leave roles alone that were given by hand, and theirs cannot be changed by hand', async () => {
    inGroups('ops')
    const ada = await on.signIn()
    const { id, email } = ada.body.user
    const member = `/api/v1/projects/shop/members/${id}`
    const changed = await telltale.request('PATCH', member, { as: owner, body: { role: 'viewer' } })
    expect(changed.body.type).toBe('/errors/wrong-state')
    expect((await telltale.request('DELETE', member, { as: owner })).body.type).toBe('/errors/wrong-state')

    inGroups()
    await on.signIn()
    const body = { email, role: 'maintainer' }
    await telltale.request('POST', '/api/v1/projects/shop/members', { as: owner, body })
    inGroups('dev')
    const again = asSigned(await on.signIn())
    inGroups()
    await on.signIn()
    expect(await on.rolesOf(again)).toEqual({ shop: 'maintainer', docs: 'viewer' })
  })

  test('give own roles of a project, which stay as long as a provider names them', async () => {
    const roles = '/api/v1/projects/shop/roles'
    const captain = { key: 'captain', name: 'Captain', permissions: ['flags.change', 'rollouts.stop'] }
    const toCaptain = { group: 'ops', project: 'shop', role: 'captain' }
    await on.update({ grants: [toCaptain] })
    inGroups('ops')
    const ada = asSigned(await on.signIn())
    expect(await on.rolesOf(ada)).toEqual({})
    expect((await on.manage('POST', roles, captain)).status).toBe(201)
    await on.signIn()
    expect(await on.rolesOf(ada)).toEqual({ shop: 'captain' })
    const deleted = await on.manage('DELETE', `${roles}/captain?moveTo=viewer`)
    expect(deleted.body).toMatchObject({ type: '/errors/in-use', detail: expect.stringContaining('"okta"') })
    await on.update({ grants: [{ ...toCaptain, role: 'viewer' }] })
    expect((await on.manage('DELETE', `${roles}/captain?moveTo=viewer`)).status).toBe(204)
  })

  test('no longer decide after the claim was removed: roles stay, and can be changed by hand', async () => {
    inGroups('ops', 'boss')
    const { id } = (await on.signIn()).body.user
    await on.update({ groupsClaim: null, grants: [] })
    const member = `/api/v1/projects/shop/members/${id}`
    const changed = await telltale.request('PATCH', member, { as: owner, body: { role: 'viewer' } })
    expect(changed.body).toMatchObject({ role: 'viewer', byGroup: false })
    const body = { role: 'member' }
    expect((await telltale.request('PATCH', `/api/v1/users/${id}`, { as: owner, body })).status).toBe(200)
  })

  test('make owners, and the last owner keeps the role without the group', async () => {
    inGroups('boss')
    const ada = await on.signIn()
    expect(ada.body.user.role).toBe('owner')
    inGroups()
    expect((await on.signIn()).body.user.role).toBe('member')

    inGroups('boss')
    await on.signIn()
    await telltale.running.services.db.delete(users).where(ne(users.id, ada.body.user.id))
    inGroups()
    expect((await on.signIn()).body.user.role).toBe('owner')
  })
})

describe('an open invitation', () => {
  const invite = (project: string, email: string, role: string) =>
    on.manage('POST', `/api/v1/projects/${project}/invitations`, { email, role })

  test('is accepted at the sign-in, if it is for the address and was not revoked', async () => {
    for (const key of ['shop', 'docs', 'api']) await telltale.project(key)
    await on.create({ grants: [{ group: '*', project: 'shop', role: 'viewer' }] })
    await invite('shop', 'ADA@shop.example', 'editor')
    await invite('docs', 'eve@shop.example', 'admin')
    const revoked = await invite('api', 'ada@shop.example', 'admin')
    await on.manage('DELETE', `/api/v1/projects/api/invitations/${revoked.body.invitation.id}`)
    const ada = asSigned(await on.signIn())
    expect(await on.rolesOf(ada)).toEqual({ shop: 'editor' })
    const { items } = (await on.manage('GET', '/api/v1/projects/shop/invitations')).body
    expect(items).toMatchObject([{ email: 'ADA@shop.example', state: 'accepted' }])
    // It was given by hand, and outlives the next look at the groups.
    await on.signIn()
    expect(await on.rolesOf(ada)).toEqual({ shop: 'editor' })
  })
})

describe('a provider', () => {
  test('that is down, slow or broken gives a clear problem, and works again afterwards', async () => {
    await on.create()
    const begun = await on.start()
    const path = '/api/v1/sign-in/providers/okta'
    provider.answer = (_request, response) => response.writeHead(503).end() !== undefined
    await on.update({ buttonText: 'Okta' })
    expect((await telltale.request('POST', path, { body: {} })).body.type).toBe(
      '/errors/provider-unavailable',
    )
    provider.answer = (_request, response) => response.end('<html>') !== undefined
    expect((await telltale.request('POST', path, { body: {} })).body.type).toBe('/errors/sign-in-failed')
    provider.answer = (request) => {
      request.socket.destroy()
      return true
    }
    expect((await telltale.request('POST', path, { body: {} })).body.type).toBe(
      '/errors/provider-unavailable',
    )
    provider.answer = undefined
    const back = await signInAt(provider, begun.url)
    expect((await on.finish(back.search, begun.cookie)).status).toBe(200)
  })

  test('may change its key at any time', async () => {
    await on.create()
    expect((await on.signIn()).status).toBe(200)
    await provider.changeKey()
    expect((await on.signIn()).status).toBe(200)
  })

  test.each([-240, 240])('may have a clock that is %i seconds off', async (off) => {
    await on.create()
    provider.tamper = async (token, key) => {
      const { iat = 0, exp = 0, ...claims } = decodeJwt(token)
      // Short-lived, so that it has expired by our clock.
      const lifetime = Math.min(exp - iat, 60)
      return new SignJWT({ ...claims, iat: iat + off, exp: iat + off + lifetime })
        .setProtectedHeader({ alg: 'RS256', ...(key.kid && { kid: key.kid }) })
        .sign(await importJWK(key, 'RS256'))
    }
    expect((await on.signIn()).status).toBe(200)
  })

  test('that refuses the sign-in says why', async () => {
    await on.create()
    const { url, cookie } = await on.start()
    const state = new URL(url).searchParams.get('state') ?? ''
    const response = `?error=access_denied&error_description=Not+assigned&state=${state}&iss=${encodeURIComponent(provider.url)}`
    const answer = await on.finish(response, cookie)
    expect(answer.body).toMatchObject({ type: '/errors/sign-in-failed' })
    expect(answer.body.detail).toContain('access_denied, Not assigned')
  })

  test('is tested before it is switched on: claims and roles are shown, nothing changes', async () => {
    await telltale.project('shop')
    await on.create({ enabled: false, grants: [{ group: 'dev', project: 'shop', role: 'editor' }] })
    provider.accounts.set('ada', { email: 'ada@shop.example', email_verified: true, groups: ['dev'] })
    const before = await telltale.running.services.db.$count(users)
    const { url, cookie } = await on.start('/api/v1/sign-in-providers/okta/test', { as: owner })
    const back = await signInAt(provider, url)
    const answer = await on.finish(back.search, cookie)
    expect(answer.body).toMatchObject({
      user: null,
      test: {
        claims: { sub: 'ada', email: 'ada@shop.example', groups: ['dev'] },
        ...{ email: 'ada@shop.example', refusal: null, groups: ['dev'], owner: false },
        roles: [{ project: 'shop', role: 'editor', exists: true }],
      },
    })
    expect(answer.headers.getSetCookie().join()).not.toContain('telltale_session')
    expect(await telltale.running.services.db.$count(users)).toBe(before)
  })

  test('is checked when it is stored, and its sessions end with it', async () => {
    const pointers = async (changes: object) =>
      (await on.create(changes)).body.errors?.map(({ pointer }: { pointer: string }) => pointer)
    expect(await pointers({ issuer: 'http://idp.example' })).toEqual(['/issuer'])
    expect(await pointers({ issuer: 'https://a:b@idp.example' })).toEqual(['/issuer'])
    expect(await pointers({ clientAuth: 'private_key_jwt' })).toEqual(['/secret'])
    const grants = [{ group: 'a', project: null, role: 'editor' }]
    expect(await pointers({ grants, groupsClaim: null })).toEqual(['/grants/0/project', '/groupsClaim'])
    expect(await pointers({ domains: [] })).toEqual(['/domains'])

    const issuer = `${provider.url}/.well-known/openid-configuration`
    expect((await on.create({ issuer })).body).toMatchObject({
      ...{ issuer: provider.url, domains: ['shop.example'], version: 1 },
      redirectUri: `${site}/sign-in/callback/okta`,
    })
    expect((await on.create()).body.type).toBe('/errors/already-exists')
    const ada = asSigned(await on.signIn())
    expect((await telltale.request('DELETE', '/api/v1/sign-in-providers/okta', { as: owner })).status).toBe(
      204,
    )
    expect((await on.account(ada)).status).toBe(401)
  })
})

describe('a dangerous change', () => {
  test('asks to sign in at the provider again, as the same account', async () => {
    await on.create({ grants: [{ group: '*', project: null, role: 'owner' }] })
    const ada = asSigned(await on.signIn())
    telltale.passTime(limits.confirmationLifetime + 1)
    const rename = () =>
      telltale.request('PATCH', `/api/v1/users/${owner.id}`, { as: ada, body: { name: 'Other' } })
    expect((await rename()).body.type).toBe('/errors/confirmation-required')

    const confirmation = '/api/v1/account/confirmation/provider'
    const confirm = async () => {
      const { url, cookie } = await on.start(confirmation, { as: ada, body: { returnTo: '/admin/users' } })
      return on.finish((await signInAt(provider, url)).search, cookie)
    }
    provider.accounts.set('eve', { email: 'eve@shop.example', email_verified: true })
    provider.signsIn = 'eve'
    expect((await confirm()).body.type).toBe('/errors/sign-in-refused')
    expect((await rename()).status).toBe(403)
    provider.signsIn = 'ada'
    expect((await confirm()).body).toMatchObject({ user: null, returnTo: '/admin/users' })
    expect((await rename()).status).toBe(200)

    // A provider that does not ask again is noticed by the time of the sign-in.
    provider.tamper = async (token, key) =>
      new SignJWT({ ...decodeJwt(token), auth_time: Math.floor(Date.now() / 1_000) - 3_600 })
        .setProtectedHeader({ alg: 'RS256', ...(key.kid && { kid: key.kid }) })
        .sign(await importJWK(key, 'RS256'))
    telltale.passTime(limits.confirmationLifetime + 1)
    expect((await confirm()).body.type).toBe('/errors/sign-in-failed')
    expect((await rename()).status).toBe(403)
  })

  test('is not confirmed at a provider that does not ask again', async () => {
    await on.create({ reauthenticates: false })
    const ada = asSigned(await on.signIn())
    const [session] = await telltale.running.services.db.select().from(loginSessions)
    expect(session?.confirmedAt).toBeNull()
    const started = await telltale.request('POST', '/api/v1/account/confirmation/provider', {
      ...{ as: ada, body: {} },
    })
    expect(started.status).toBe(404)
  })
})
