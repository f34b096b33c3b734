import { limits } from '@telltale/core/limits'
import { eq } from 'drizzle-orm'
import { importJWK, type JWK, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestProvider } from '../../../../../test/sign-in-provider.ts'
import type { Telltale } from '../../../../../test/start.ts'
import { providerSessions } from '../../platform/engines/postgres/sign-in-schema.ts'
import { refreshSessions } from './refresh-sessions.ts'
import { asSigned, openSignIns, type SignIns, site } from './testing/sign-ins.ts'

let on: SignIns
let telltale: Telltale
let provider: TestProvider
beforeAll(async () => {
  on = await openSignIns()
  telltale = on.telltale
  provider = on.provider
})
afterAll(() => on[Symbol.asyncDispose]())
beforeEach(async () => {
  await on.reset()
  await telltale.project('shop')
  await on.create({ grants: [{ group: 'dev', project: 'shop', role: 'editor' }] })
  inGroups('dev')
})

const inGroups = (...groups: string[]) =>
  provider.accounts.set('ada', { email: 'ada@shop.example', email_verified: true, groups })
const refresh = () => refreshSessions(telltale.running.services)
const anHour = () => telltale.passTime(limits.providerRefreshInterval + 1)

test('groups are read every hour while a session lives', async () => {
  const ada = asSigned(await on.signIn())
  inGroups()
  await refresh()
  expect(await on.rolesOf(ada)).toEqual({ shop: 'editor' })
  for (const [groups, roles] of [
    [[], {}],
    [['dev'], { shop: 'editor' }],
  ] as const) {
    inGroups(...groups)
    anHour()
    await refresh()
    expect(await on.rolesOf(ada)).toEqual(roles)
  }
})

test('while the provider is down, sessions go on, and are tried again', async () => {
  const ada = asSigned(await on.signIn())
  anHour()
  provider.answer = (_request, response) => response.writeHead(503).end() !== undefined
  inGroups()
  await refresh()
  expect(await on.rolesOf(ada)).toEqual({ shop: 'editor' })
  provider.answer = undefined
  telltale.passTime(limits.providerRefreshRetry + 1)
  await refresh()
  expect(await on.rolesOf(ada)).toEqual({})
})

test('a session whose groups could not be read for too long ends', async () => {
  const ada = asSigned(await on.signIn())
  const { db } = telltale.running.services
  const tried = limits.providerSessionMaximum / limits.providerRefreshRetry
  provider.answer = (_request, response) => response.writeHead(503).end() !== undefined
  for (const [failures, status] of [
    [tried - 1, 200],
    [tried, 401],
  ] as const) {
    await db.update(providerSessions).set({ failures })
    anHour()
    await refresh()
    expect((await on.account(ada)).status).toBe(status)
  }
})

test('a sign-in that the provider ended, or an account it no longer allows, ends the session', async () => {
  const ada = asSigned(await on.signIn())
  const { db } = telltale.running.services
  await db.update(providerSessions).set({ refreshToken: 'revoked' })
  anHour()
  await refresh()
  expect((await on.account(ada)).status).toBe(401)

  const again = asSigned(await on.signIn())
  provider.accounts.set('ada', { email: 'ada@elsewhere.example', email_verified: true })
  anHour()
  await refresh()
  expect((await on.account(again)).status).toBe(401)
})

test('two servers do not refresh the same session', async () => {
  await on.signIn()
  anHour()
  const asked = provider.asked.length
  await Promise.all([refresh(), refresh()])
  expect(provider.asked.slice(asked).filter((path) => path === 'POST /token')).toHaveLength(1)
})

test('a session is leased when its turn comes, so that a slow round does not use a token twice', async () => {
  await on.signIn()
  await on.signIn()
  anHour()
  const asked = provider.asked.length
  let beside: Promise<void> | undefined
  let requests = 0
  provider.answer = ({ url }) => {
    if (url !== '/token') return false
    requests += 1
    // The first session takes almost as long as a lease; the other server looks while the second one is refreshed.
    if (requests === 1) telltale.passTime(limits.providerRefreshLease - 1_000)
    if (requests === 2) {
      telltale.passTime(2_000)
      beside = refresh()
    }
    return false
  }
  await refresh()
  await beside
  expect(provider.asked.slice(asked).filter((path) => path === 'POST /token')).toHaveLength(2)
  expect(await telltale.running.services.db.$count(providerSessions)).toBe(2)
})

test('without a refresh token, the session ends after half a day', async () => {
  await using other = await openSignIns({ refreshTokens: false })
  await other.reset()
  await other.create()
  const ada = asSigned(await other.signIn())
  other.telltale.passTime(limits.providerSessionMaximum - 60_000)
  expect((await other.account(ada)).status).toBe(200)
  other.telltale.passTime(60_001)
  expect((await other.account(ada)).status).toBe(401)
})

test('signing out leads to the provider, and back to the sign-in page', async () => {
  const ada = asSigned(await on.signIn())
  const { body } = await telltale.request('POST', '/api/v1/sign-out', { as: ada })
  const url = new URL(body.providerUrl)
  expect(url.origin).toBe(provider.url)
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${site}/sign-in`)
  expect((await fetch(url, { redirect: 'manual' })).status).toBe(200)
  expect((await on.account(ada)).status).toBe(401)

  const again = asSigned(await on.signIn())
  await on.update({ buttonText: 'Okta' })
  provider.answer = (_request, response) => response.writeHead(503).end() !== undefined
  const down = await telltale.request('POST', '/api/v1/sign-out', { as: again })
  expect(down.body).toEqual({ providerUrl: null })
})

const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }

async function logout(change: Record<string, unknown> = {}, key: JWK = provider.key(), body?: string) {
  const iat = Math.floor(telltale.running.services.clock().getTime() / 1_000)
  const claims = { iss: provider.url, aud: 'telltale', sub: 'ada', events: event, jti: crypto.randomUUID() }
  const token = await new SignJWT({ ...claims, iat, exp: iat + 120, ...change })
    .setProtectedHeader({ alg: 'RS256', typ: 'logout+jwt', ...(key.kid && { kid: key.kid }) })
    .sign(await importJWK(key, 'RS256'))
  const response = await fetch(`${telltale.url}/api/v1/sign-in/providers/okta/logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: body ?? new URLSearchParams({ logout_token: token }).toString(),
  })
  return { status: response.status, token }
}

test('back-channel logout ends the session that it names, or all of the account', async () => {
  const [first, second] = [asSigned(await on.signIn()), asSigned(await on.signIn())]
  const { db } = telltale.running.services
  const [row] = await db.select().from(providerSessions)
  const { status } = await logout({ sid: row?.providerSession ?? '' })
  expect(status).toBe(200)
  expect(await db.$count(providerSessions, eq(providerSessions.sessionId, row?.sessionId ?? ''))).toBe(0)
  const left = [await on.account(first), await on.account(second)].map((answer) => answer.status)
  expect(left.sort()).toEqual([200, 401])
  await logout()
  expect((await on.account(second)).status).toBe(401)
})

test('a logout token that is forged, old or used before ends nothing', async () => {
  const ada = asSigned(await on.signIn())
  const now = Math.floor(telltale.running.services.clock().getTime() / 1_000)
  for (const change of [
    { aud: 'another' },
    { iss: 'https://evil.example' },
    { nonce: 'a' },
    { events: {} },
    { sub: undefined },
    { jti: undefined },
    { iat: now - 3_600, exp: now - 3_000 },
  ]) {
    expect((await logout(change)).status, JSON.stringify(change)).toBe(400)
  }
  const { generateKeyPair, exportJWK } = await import('jose')
  const other = await exportJWK((await generateKeyPair('RS256', { extractable: true })).privateKey)
  expect((await logout({}, { ...other, kid: provider.key().kid ?? '' })).status).toBe(400)
  expect((await logout({}, provider.key(), 'logout_token=a.b.c')).status).toBe(400)
  expect((await on.account(ada)).status).toBe(200)

  const { token } = await logout()
  const again = asSigned(await on.signIn())
  const replayed = await logout({}, provider.key(), new URLSearchParams({ logout_token: token }).toString())
  expect(replayed.status).toBe(400)
  expect((await on.account(again)).status).toBe(200)
})
