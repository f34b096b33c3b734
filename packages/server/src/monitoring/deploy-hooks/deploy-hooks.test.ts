// Deploys that GitHub and other programs report to the webhook of an environment.

import { createHmac } from 'node:crypto'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let admin: SomePerson
let maintainer: SomePerson
let address: string
let secret: string
const environment = '/api/v1/projects/shop/environments/production'
const path = `${environment}/deploy-hook`

beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  await telltale.project('shop')
  admin = await telltale.person({ in: { shop: 'admin' } })
  maintainer = await telltale.person({ in: { shop: 'maintainer' } })
})
afterAll(() => telltale[Symbol.asyncDispose]())

const by = (as: SomePerson) => (method: string, of: string) => telltale.request(method, of, { as })
const deploysOf = async (): Promise<{ version: string; reportedBy: string }[]> =>
  (await by(admin)('GET', `${environment}/deploys?from=2026-01-01T00:00:00Z&to=2026-01-31T00:00:00Z`)).body
    .deploys

interface Delivery {
  event?: string
  id?: string
  signature?: string
  query?: string
}

async function deliver(payload: unknown, { event, id = newId(), signature, query = '' }: Delivery = {}) {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const signed = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const headers = {
    'content-type': 'application/json',
    'x-hub-signature-256': signature ?? signed,
    'x-github-delivery': id,
    ...(event === undefined ? {} : { 'x-github-event': event }),
  }
  return telltale.request('POST', `${address}${query}`, { body, headers })
}

const status = (more: object = {}) => ({
  deployment_status: {
    state: 'success',
    created_at: '2026-01-10T10:00:00Z',
    log_url: 'https://github.example/shop/runs/1',
  },
  deployment: {
    ...{ environment: 'production', ref: 'main', sha: 'a1b2c3d4', payload: {}, creator: { login: 'mara' } },
    ...more,
  },
})

test('admins create it, the secret is shown once, and a new secret keeps the address', async () => {
  expect((await by(maintainer)('PUT', path)).status).toBe(403)
  expect((await by(admin)('GET', path)).body).toEqual({ hook: null })
  const first = await by(admin)('PUT', path)
  const second = await by(admin)('PUT', path)
  expect(second.body.hook.url).toBe(first.body.hook.url)
  expect(second.body.secret).not.toBe(first.body.secret)
  secret = second.body.secret
  address = new URL(second.body.hook.url).pathname
  const shown = await by(admin)('GET', path)
  const audit = await by(admin)('GET', '/api/v1/projects/shop/audit?entity=deploy-hook')
  expect(audit.body.items.map(({ action }: { action: string }) => action)).toEqual([
    'deploy-hook.rotate',
    'deploy-hook.create',
  ])
  for (const told of [shown.body, audit.body]) expect(JSON.stringify(told)).not.toContain(secret)
})

test('a successful deployment of GitHub is a deploy, once for each delivery', async () => {
  const id = newId()
  const first = await deliver(status(), { event: 'deployment_status', id })
  expect(first.status).toBe(201)
  expect(first.body.deploy).toMatchObject({
    ...{ version: 'a1b2c3d4', at: '2026-01-10T10:00:00.000Z', author: 'mara', reportedBy: 'GitHub' },
    link: 'https://github.example/shop/runs/1',
  })
  const again = await deliver(status(), { event: 'deployment_status', id })
  expect([again.status, again.body]).toEqual([201, first.body])
  // Delivered anew by hand, with another id.
  await deliver(status(), { event: 'deployment_status' })
  expect(await deploysOf()).toHaveLength(1)
  expect((await by(admin)('GET', path)).body.hook.lastDelivery.result).toBe('Recorded a1b2c3d4')
})

test('the version is that of the pipeline, then the tag', async () => {
  const tagged = { ref: 'v1.2.0', sha: 'ffff' }
  const versionOf = async (more: object) =>
    (await deliver(status(more), { event: 'deployment_status' })).body.deploy.version
  expect(await versionOf(tagged)).toBe('v1.2.0')
  expect(await versionOf({ ...tagged, payload: { version: '1.2.0+7' } })).toBe('1.2.0+7')
})

test('a published release and a plain report are deploys', async () => {
  const release = { tag_name: 'v2.0.0', published_at: '2026-01-12T08:00:00Z', author: { login: 'eli' } }
  const made = await deliver({ action: 'published', release }, { event: 'release' })
  expect(made.body.deploy).toMatchObject({ version: 'v2.0.0', author: 'eli', link: null })
  const plain = { version: '3', at: '2026-01-13T00:00:00Z' }
  expect((await deliver(plain)).body.deploy).toMatchObject({ version: '3', reportedBy: 'Deploy webhook' })
  // Without an instant in the report, only the delivery id tells that it is the same.
  const id = newId()
  const first = await deliver({ version: '4' }, { id })
  expect((await deliver({ version: '4' }, { id })).body).toEqual(first.body)
  expect((await deliver({ version: 4 })).status).toBe(400)
})

test('what reports no deploy is ignored with the reason', async () => {
  const before = await deploysOf()
  const ignored: [unknown, Delivery, RegExp][] = [
    [{ zen: 'Keep it simple.' }, { event: 'ping' }, /ping reports no deploy/],
    [{ ...status(), deployment_status: { state: 'pending' } }, { event: 'deployment_status' }, /pending/],
    [status({ environment: 'preview' }), { event: 'deployment_status' }, /environment preview/],
    [{ action: 'edited', release: {} }, { event: 'release' }, /edited/],
  ]
  for (const [body, delivery, reason] of ignored) {
    const answer = await deliver(body, delivery)
    expect(answer.status).toBe(202)
    expect(answer.body.ignored).toMatch(reason)
  }
  expect(await deploysOf()).toEqual(before)
  const preview = { event: 'deployment_status', query: '?environment=preview' }
  expect((await deliver(status({ environment: 'preview', sha: 'beef' }), preview)).status).toBe(201)
})

test('without the right signature nothing is read', async () => {
  const before = await deploysOf()
  for (const signature of [
    'sha256=0',
    `sha256=${'0'.repeat(64)}`,
    createHmac('sha256', secret).digest('hex'),
  ]) {
    const answer = await deliver(status({ sha: 'evil' }), { event: 'deployment_status', signature })
    expect([answer.status, answer.body.type]).toEqual([401, '/errors/unauthenticated'])
  }
  const foreign = `sha256=${createHmac('sha256', 'another secret').update('{').digest('hex')}`
  expect((await deliver('{', { signature: foreign })).status).toBe(401)
  expect((await deliver('{')).status).toBe(400)
  expect(await deploysOf()).toEqual(before)
})

test('a deleted webhook takes nothing', async () => {
  expect((await by(admin)('DELETE', path)).status).toBe(204)
  expect((await deliver(status(), { event: 'deployment_status' })).status).toBe(404)
  expect((await by(admin)('DELETE', path)).status).toBe(404)
})
