// How many event streams may be open, and that a stream ends with the right that opened it.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTail } from '../../../../../test/intake/open-tail.ts'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

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

test('one address opens so many streams and no more; whoever is refused is told to poll, and can', async () => {
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

test('streams of a key end when it is revoked, and others go on', async () => {
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

test('a live tail ends when its token is revoked, and when its member leaves', async () => {
  const token = await telltale.token(owner, { role: 'viewer', project: 'shop' })
  const member = await telltale.person({ in: { shop: 'viewer' } })
  const byToken = await openTail(telltale.url, token)
  const byMember = await openTail(telltale.url, member)
  expect([byToken.status, byMember.status]).toEqual([200, 200])
  await telltale.request('DELETE', `/api/v1/account/tokens/${token.id}`, { as: owner })
  await telltale.request('DELETE', `/api/v1/projects/shop/members/${member.id}`, { as: owner })
  await byToken.ended
  await byMember.ended
})
