// Limits on open event streams, and streams that end with the key that opened them.

import { limits } from '@telltale/core/limits'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTail } from '../../../../../test/intake/open-tail.ts'
import { type Credential, type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { beginSession } from '../../access/sessions.ts'
import { hashPassword } from '../../organisation/users/password.ts'
import { users } from '../../platform/engines/postgres/account-schema.ts'

const perAddress = 3
const keysPath = '/api/v1/projects/shop/environments/development/keys'

let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_STREAMS_PER_ADDRESS: String(perAddress) } })
  await telltale.project('shop')
  owner = await telltale.person({ role: 'owner' })
})
afterAll(() => telltale?.[Symbol.asyncDispose]())

async function newKey(): Promise<{ id: string; value: string }> {
  const { body } = await telltale.request('POST', keysPath, {
    as: owner,
    body: { kind: 'client', label: 'a test' },
  })
  return { id: body.key?.id ?? body.id, value: body.value ?? body.key.value }
}

async function open(key: string) {
  const closing = new AbortController()
  const response = await fetch(`${telltale.url}/sdk/v1/stream?key=${key}`, { signal: closing.signal })
  const read = async () => {
    for await (const _chunk of response.body ?? []) if (closing.signal.aborted) return
  }
  return { response, ended: read().catch(() => undefined), close: () => closing.abort() }
}

test('streams per address are limited; a rejected client is told to poll, and can', async () => {
  const { value } = await newKey()
  const streams = await Promise.all(Array.from({ length: perAddress }, () => open(value)))
  expect(streams.map(({ response }) => response.status)).toEqual(streams.map(() => 200))
  const refused = await telltale.request('GET', `/sdk/v1/stream?key=${value}`)
  expect(refused).toMatchObject({ status: 429, body: { type: '/errors/rate-limited' } })
  expect(refused.body.detail).toContain('poll')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const polled = await telltale.request('POST', '/ofrep/v1/evaluate/flags', {
    headers: { 'x-api-key': value },
    body: { context: {} },
  })
  expect(polled.status).toBe(200)

  for (const { close } of streams) close()
  const again = async () => {
    const { response, close } = await open(value)
    close()
    return response.status
  }
  await expect.poll(again).toBe(200)
})

test('streams of a revoked key end, and others continue', async () => {
  const [revoked, kept] = [await newKey(), await newKey()]
  const stream = await open(revoked.value)
  const other = await open(kept.value)
  let isOtherOver = false
  void other.ended.then(() => {
    isOtherOver = true
  })
  const { status } = await telltale.request('DELETE', `${keysPath}/${revoked.id}`, { as: owner })
  expect(status).toBeLessThan(300)
  await stream.ended
  expect(isOtherOver).toBe(false)
  other.close()
})

test('streams end when their page may no longer use the key', async () => {
  const { value } = await newKey()
  const closing = new AbortController()
  const response = await fetch(`${telltale.url}/sdk/v1/stream?key=${value}`, {
    headers: { origin: 'https://old.example' },
    signal: closing.signal,
  })
  expect(response.status).toBe(200)
  const path = '/api/v1/projects/shop/environments/development'
  await telltale.request('PATCH', path, { as: owner, body: { allowedOrigins: ['https://new.example'] } })
  for await (const _chunk of response.body ?? []);
  await telltale.request('PATCH', path, { as: owner, body: { allowedOrigins: [] } })
})

test('a live tail ends when its token is revoked, and when its member leaves the project or the team', async () => {
  const token = await telltale.token(owner, { role: 'viewer', project: 'shop' })
  const member = await telltale.person({ in: { shop: 'viewer' } })
  const byToken = await openTail(telltale.url, token)
  const byMember = await openTail(telltale.url, member)
  const colleague = await telltale.person()
  await telltale.request('POST', '/api/v1/teams', { as: owner, body: { key: 'ops', name: 'Ops' } })
  await telltale.request('PUT', `/api/v1/teams/ops/members/${colleague.id}`, { as: owner })
  const role = { role: 'viewer' }
  await telltale.request('PUT', '/api/v1/projects/shop/teams/ops', { as: owner, body: role })
  const byTeam = await openTail(telltale.url, colleague)
  expect([byToken.status, byMember.status, byTeam.status]).toEqual([200, 200, 200])
  await telltale.request('DELETE', `/api/v1/account/tokens/${token.id}`, { as: owner })
  await telltale.request('DELETE', `/api/v1/projects/shop/members/${member.id}`, { as: owner })
  await telltale.request('DELETE', '/api/v1/teams/ops', { as: owner })
  await byToken.ended
  await byMember.ended
  await byTeam.ended
})

test('a live tail ends soon after losing any required permission', async () => {
  const { db } = telltale.running.services
  const viewer = () => telltale.person({ in: { shop: 'viewer' } })
  const [left, disabled, deleted, signedOut, changed, kept] = await Promise.all(
    Array.from({ length: 6 }, viewer),
  )
  const lowered = await telltale.person({ role: 'owner' })
  const ofGoneEnvironment = await viewer()
  const password = 'seven green bottles'
  await db
    .update(users)
    .set({ passwordHash: await hashPassword(password) })
    .where(eq(users.id, changed?.id ?? ''))
  const elsewhere = await beginSession(db, { userId: changed?.id ?? '', userAgent: 'other', now: new Date() })
  await telltale.request('POST', '/api/v1/projects/shop/environments', {
    as: owner,
    body: { key: 'passing', name: 'Passing' },
  })
  await telltale.project('going')
  const ofGoneProject = await telltale.person({ in: { going: 'viewer' } })

  const ofShop = [left, disabled, deleted, signedOut, changed, lowered, kept]
  const tails = await Promise.all(ofShop.map((as = owner) => openTail(telltale.url, as)))
  const [, , , , , , keptTail] = tails
  const passing = await openTail(telltale.url, ofGoneEnvironment, { env: 'passing' })
  const going = await fetch(`${telltale.url}/api/v1/projects/going/environments/development/live`, {
    headers: ofGoneProject.headers,
  })
  expect([...tails, passing, going].map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 200))
  let isKeptOver = false
  void keptTail?.ended.then(() => {
    isKeptOver = true
  })

  const ask = async (method: string, path: string, more: { as?: Credential; body?: unknown } = {}) => {
    const { status } = await telltale.request(method, `/api/v1/${path}`, { as: owner, ...more })
    expect(status, path).toBeLessThan(300)
  }
  await ask('DELETE', `projects/shop/members/${left?.id}`)
  await ask('PATCH', `users/${disabled?.id}`, { body: { disabled: true } })
  await ask('DELETE', `users/${deleted?.id}`)
  await ask('POST', 'sign-out', { as: signedOut ?? owner })
  await ask('PUT', 'account/password', {
    as: { headers: { cookie: `telltale_session=${elsewhere.token}` } },
    body: { current: password, next: 'eight blue bottles' },
  })
  await ask('PATCH', `users/${lowered.id}`, { body: { role: 'member' } })
  await ask('DELETE', 'projects/shop/environments/passing?confirm=passing')
  await ask('DELETE', 'projects/going?confirm=going')

  await Promise.all([
    ...tails.slice(0, 6).map(({ ended }) => ended),
    passing.ended,
    going.text().catch(() => ''),
  ])
  expect(limits.streamRightInterval).toBeLessThan(5_000)
  expect(isKeptOver).toBe(false)
  await keptTail?.[Symbol.asyncDispose]()
})
