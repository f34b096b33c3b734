import { limits } from '@telltale/core/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson
beforeAll(async () => {
  telltale = await startTelltale()
  const mara = { name: 'Mara', email: 'mara@pedalandpost.example', password: 'seven green bottles' }
  await telltale.request('POST', '/api/v1/setup', { body: { code: telltale.running.setupCode, owner: mara } })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
})
afterAll(() => telltale[Symbol.asyncDispose]())

interface Entry {
  action: string
  actor: { kind: string; id: string | null }
  entity: { kind: string; id: string; name: string }
  project: string | null
  reason: string | null
}

async function entriesOf(action: string): Promise<Entry[]> {
  const { body } = await telltale.request('GET', '/api/v1/audit?limit=200', { as: owner })
  return body.items.filter((entry: Entry) => entry.action === action)
}

const signIn = (email: string) =>
  telltale.request('POST', '/api/v1/sign-in', { body: { email, password: 'a wrong password' } })

test('failed sign-ins: the account, and nothing of the input for unknown accounts', async () => {
  await signIn('MARA@pedalandpost.example')
  await signIn('secret-typed-here@example.com')
  await expect.poll(async () => (await entriesOf('session.refuse')).length, { timeout: 20_000 }).toBe(2)

  const [unknown, known] = await entriesOf('session.refuse')
  expect(known).toMatchObject({
    actor: { kind: 'system', id: null },
    entity: { kind: 'user', name: 'mara@pedalandpost.example' },
    reason: 'The password is wrong.',
  })
  expect(unknown?.entity).toEqual({ kind: 'user', id: 'unknown', name: 'unknown account' })
  expect(JSON.stringify(await entriesOf('session.refuse'))).not.toMatch(/secret-typed|wrong password/)
})

test('a wrong password of a signed-in account, and an invalid link', async () => {
  const ole = await telltale.person({ email: 'ole@example.com' })
  const body = { email: 'new@example.com', password: 'a guess' }
  await telltale.request('PATCH', '/api/v1/account', { as: ole, body })
  await expect
    .poll(() => entriesOf('user.refuse-password'), { timeout: 20_000 })
    .toMatchObject([{ actor: { kind: 'user', id: ole.id }, entity: { id: ole.id } }])
  await telltale.request('POST', '/api/v1/invitation/view', { body: { token: 'tti_guess' } })
  await expect.poll(() => entriesOf('link.refuse'), { timeout: 20_000 }).toHaveLength(1)
  expect(JSON.stringify(await entriesOf('link.refuse'))).not.toContain('tti_guess')
})

test('forbidden calls, once a minute, in their project', async () => {
  const viewer = await telltale.person({ in: { shop: 'viewer' } })
  const stranger = await telltale.person()
  const erase = (as: SomePerson) =>
    telltale.request('POST', '/api/v1/projects/shop/environments/production/erasures', {
      as,
      body: { targetingKey: 'ada' },
    })
  expect((await erase(viewer)).status).toBe(403)
  expect((await erase(viewer)).status).toBe(403)
  expect((await erase(stranger)).status).toBe(404)
  await telltale.request('GET', '/api/v1/projects/shop/flags', { as: stranger })
  await telltale.request('GET', '/api/v1/projects/shop/audit', { as: viewer })

  await expect.poll(async () => (await entriesOf('permission.refuse')).length, { timeout: 20_000 }).toBe(3)
  const entries = await entriesOf('permission.refuse')
  expect(entries.map(({ entity, actor }) => [entity.name, actor.id])).toEqual([
    ['GET /api/v1/projects/:project/audit', viewer.id],
    ['POST /api/v1/projects/:project/environments/:env/erasures', stranger.id],
    ['POST /api/v1/projects/:project/environments/:env/erasures', viewer.id],
  ])
  expect(new Set(entries.map(({ project }) => project))).toEqual(new Set(['shop']))
  telltale.passTime(60_000)
  await erase(viewer)
  await expect.poll(async () => (await entriesOf('permission.refuse')).length, { timeout: 20_000 }).toBe(4)
})

test('anonymous requests write a limited number of entries per hour', async () => {
  await using proxied = await startTelltale({ settings: { TELLTALE_TRUSTED_PROXIES: '127.0.0.1' } })
  const boss = await proxied.person({ role: 'owner' })
  const guess = (index: number) =>
    proxied.request('POST', '/api/v1/invitation/view', {
      body: { token: `tti_${index}` },
      headers: { 'x-forwarded-for': `10.1.${index >> 8}.${index & 255}` },
    })
  for (let first = 0; first < limits.auditedRefusals + 40; first += 40) {
    await Promise.all(Array.from({ length: 40 }, (_, index) => guess(first + index)))
  }
  const { auditEntries } = await import('../../platform/engines/postgres/audit-schema.ts')
  const count = () => proxied.running.services.db.$count(auditEntries)
  await expect.poll(count, { timeout: 20_000 }).toBe(limits.auditedRefusals)
  expect((await proxied.request('GET', '/api/v1/account', { as: boss })).status).toBe(200)
})
