// Signed users through the APIs of flags, in the three modes. The telemetry: `intake/events/signed-users.test.ts`.

import { createHmac } from 'node:crypto'
import { limits } from '@telltale/core/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson
const keys = { client: '', server: '' }
const secrets: { id: string; value: string }[] = []

const base = '/api/v1/projects/shop/environments/staging'
const send = (method: string, path: string, body?: object) =>
  telltale.request(method, `${base}${path}`, { as: owner, ...(body === undefined ? {} : { body }) })
const setMode = async (mode: string) => {
  expect((await send('PUT', '/signed-users', { mode })).status).toBe(200)
}
async function createSecret(): Promise<string> {
  const { status, body } = await send('POST', '/signed-users/secrets')
  expect(status).toBe(201)
  secrets.unshift({ id: body.secret.id, value: body.value })
  return body.value
}
const counts = async () => {
  await telltale.running.services.signedUserCounts.flush()
  return (await send('GET', '/signed-users')).body
}

beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  for (const kind of ['client', 'server'] as const) {
    keys[kind] = (await send('POST', '/keys', { kind, label: kind })).body.value
  }
  expect((await send('PUT', '/signed-users', { mode: 'require' })).status).toBe(409)
  await createSecret()
})

afterAll(() => telltale[Symbol.asyncDispose]())

const secret = () => secrets[0]?.value ?? ''
const seconds = () => Math.floor(telltale.running.services.clock().getTime() / 1_000)
/** As `signUser` of the client for servers does. */
function sign(signing: string, targetingKey: string, expiresAt: number | '' = ''): string {
  const code = createHmac('sha256', signing).update(`v1.${expiresAt}.${targetingKey}`).digest('base64url')
  return `v1.${expiresAt}.${code}`
}
const ask = (context: object, { kind = 'client' as 'client' | 'server', flag = '', tag = '' } = {}) =>
  telltale.request('POST', `/ofrep/v1/evaluate/flags${flag}`, {
    headers: { authorization: `Bearer ${keys[kind]}`, ...(tag && { 'if-none-match': tag }) },
    body: { context },
  })
const anonymous = '4294967295-0-17-123456789'

test('off: signatures are neither needed nor checked', async () => {
  await setMode('off')
  expect((await ask({ targetingKey: 'ada', signature: 'wrong' })).status).toBe(200)
  expect((await counts()).days).toEqual([])
})

test('count: everything is accepted, and what would be refused is counted', async () => {
  await setMode('count')
  for (const context of [
    { targetingKey: 'ada', signature: sign(secret(), 'ada') },
    { targetingKey: 'ada' },
    { targetingKey: 'bob', signature: sign(secret(), 'ada') },
    { targetingKey: anonymous },
    {},
    { targetingKey: 'ada', signature: sign(secret(), 'ada', seconds() - 3_600) },
  ])
    expect((await ask(context)).status).toBe(200)
  const { days, latest } = await counts()
  expect(days[0].flags).toEqual({ signed: 1, unsigned: 1, invalid: 1, expired: 1 })
  expect(latest).toMatchObject({ source: 'flags', verdict: 'expired' })
})

test('require: browsers get flags of signed and of anonymous users only', async () => {
  await setMode('require')
  for (const flag of ['', '/missing']) {
    const refused = await ask({ targetingKey: 'ada' }, { flag })
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ type: '/errors/user-not-signed', errorCode: 'INVALID_CONTEXT' })
  }
  expect((await ask({ targetingKey: 'bob', signature: sign(secret(), 'ada') })).status).toBe(403)
  expect((await ask({ targetingKey: 17, signature: sign(secret(), '17') })).status).toBe(200)
  expect((await ask({ targetingKey: 'ada', signature: sign(secret(), 'ada') })).status).toBe(200)
  expect((await ask({ targetingKey: anonymous })).status).toBe(200)
  expect((await ask({})).status).toBe(200)
  expect((await ask({ targetingKey: 'ada' }, { kind: 'server' })).status).toBe(200)
})

test('require: signatures expire after minutes of tolerance for clocks, and get no 304 either', async () => {
  await setMode('require')
  // Signed for a minute by a server whose clock is 4 minutes behind.
  const context = { targetingKey: 'ada', signature: sign(secret(), 'ada', seconds() - 240 + 60) }
  const tag = (await ask(context)).headers.get('etag') ?? ''
  expect((await ask(context, { tag })).status).toBe(304)
  telltale.passTime(limits.signatureClockSkew - 240_000 + 61_000)
  expect(await ask(context, { tag })).toMatchObject({
    status: 403,
    body: { detail: 'The signature has expired.' },
  })
})

test('require: signatures with secrets of other environments are invalid, and so are those for other users', async () => {
  await setMode('require')
  const other = base.replace('staging', 'production')
  const { body } = await telltale.request('POST', `${other}/signed-users/secrets`, { as: owner })
  for (const [user, signature] of [
    ['ada', sign(body.value, 'ada')],
    ['ada', sign('tsk_unknown', 'ada')],
    ['Ada', sign(secret(), 'ada')],
    ['ada', 'v1..short'],
  ]) {
    const refused = await ask({ targetingKey: user, signature })
    expect(refused).toMatchObject({
      status: 403,
      body: { detail: 'The signature is invalid for this targetingKey.' },
    })
  }
})

test('require: a stream announces a change, and the next evaluation is checked again', async () => {
  await setMode('require')
  const project = '/api/v1/projects/shop/flags'
  const flag = { key: 'menu', name: 'Menu', valueType: 'boolean', clientVisible: true }
  expect((await telltale.request('POST', project, { as: owner, body: flag })).status).toBe(201)
  const context = { targetingKey: 'ada', signature: sign(secret(), 'ada', seconds() + 60) }
  const answer = await ask(context)
  const stop = new AbortController()
  const { endpoint } = answer.body.eventStreams[0]
  const stream = await fetch(telltale.url + endpoint.requestUri, { signal: stop.signal })
  const config = { enabled: true, offVariation: 'off', prerequisites: [], rules: [], version: 1 }
  const saved = await send('PUT', '/flags/menu/config', { ...config, fallthrough: { variation: 'on' } })
  expect(saved.status).toBe(200)
  const decoder = new TextDecoder()
  let heard = ''
  for await (const bytes of stream.body ?? []) {
    heard += decoder.decode(bytes)
    if (heard.includes('refetchEvaluation')) break
  }
  stop.abort()
  expect(heard).not.toContain('ada')
  expect((await ask(context)).body.flags).toMatchObject([{ key: 'menu', value: true }])
  telltale.passTime(limits.signatureClockSkew + 61_000)
  expect((await ask(context)).status).toBe(403)
})

test('require: clients of Flagsmith cannot name an identity', async () => {
  await setMode('require')
  const flagsmith = (path: string, body?: object) =>
    telltale.request(body ? 'POST' : 'GET', `/flagsmith/api/v1/${path}`, {
      headers: { 'x-environment-key': keys.client },
      ...(body ? { body } : {}),
    })
  expect((await flagsmith('identities/?identifier=ada')).status).toBe(403)
  const trait = { identity: { identifier: 'ada' }, trait_key: 'plan', trait_value: 'pro' }
  expect((await flagsmith('traits/', trait)).status).toBe(403)
  expect((await flagsmith('flags/')).status).toBe(200)
})

test('rotation: both secrets sign, until the previous one is revoked', async () => {
  await setMode('require')
  const former = secret()
  const next = await createSecret()
  expect((await send('POST', '/signed-users/secrets')).status).toBe(409)
  const statusOf = async (signing: string) =>
    (await ask({ targetingKey: 'ada', signature: sign(signing, 'ada') })).status
  expect([await statusOf(former), await statusOf(next)]).toEqual([200, 200])

  expect((await send('DELETE', `/signed-users/secrets/${secrets[1]?.id}`)).status).toBe(200)
  expect([await statusOf(former), await statusOf(next)]).toEqual([403, 200])
  expect((await send('DELETE', `/signed-users/secrets/${secrets[0]?.id}`)).status).toBe(409)
})

test('a secret is shown once, and in no audit entry', async () => {
  const { body } = await send('GET', '/signed-users')
  expect(body.secrets.map(({ hint }: { hint: string }) => hint)).toEqual([secret().slice(-4)])
  const audit = JSON.stringify(
    (await telltale.request('GET', '/api/v1/projects/shop/audit', { as: owner })).body,
  )
  expect(audit).toContain('signing-secret.create')
  for (const { value } of secrets) expect(JSON.stringify(body) + audit).not.toContain(value)
})

test('signatures are not stored as traits', async () => {
  const signature = sign(secret(), 'grace')
  await ask({ targetingKey: 'grace', plan: 'pro', signature })
  await telltale.running.services.identityNotes.flush()
  const { body } = await send('GET', '/identities/grace')
  expect(body.traits).toEqual({ plan: 'pro' })
})
