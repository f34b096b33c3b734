import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { auditEntries } from '../../platform/engines/postgres/audit-schema.ts'
import { environments } from '../../platform/engines/postgres/schema.ts'

let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner' })
})

afterAll(() => telltale[Symbol.asyncDispose]())

const at = (project: string, env = '') =>
  `/api/v1/projects/${project}/environments${env === '' ? '' : `/${env}`}`

async function auditOf(entityId: string) {
  const answer = await telltale.request('GET', `/api/v1/audit?entity=environment&entityId=${entityId}`, {
    as: owner,
  })
  return answer.body.items
}

test('a new project has production, staging and development, each with one client key', async () => {
  await telltale.project('fresh')
  const { body } = await telltale.request('GET', at('fresh'), { as: owner })

  expect(body.items.map((environment: { key: string }) => environment.key)).toEqual([
    'production',
    'staging',
    'development',
  ])
  expect(body.items.map((environment: { protected: boolean }) => environment.protected)).toEqual([
    true,
    false,
    false,
  ])
  for (const { key } of body.items) {
    const keys = await telltale.request('GET', `${at('fresh', key)}/keys`, { as: owner })
    expect(keys.body.items).toMatchObject([{ kind: 'client', label: 'Default', revokedAt: null }])
    expect(keys.body.items[0].value).toMatch(new RegExp(`^tt_${key.slice(0, 4)}_c_\\w{32}$`))
  }
})

test('a new environment has safe defaults and the last position', async () => {
  await telltale.project('defaults')
  const created = await telltale.request('POST', at('defaults'), {
    as: owner,
    body: { key: 'preview', name: 'Preview' },
  })

  expect(created.status).toBe(201)
  expect(created.headers.get('etag')).toBe('"1"')
  expect(created.body).toMatchObject({
    position: 3,
    timeZone: 'UTC',
    protected: false,
    approvalRequired: false,
    allowedOrigins: [],
    privacyLevel: 'mask-all',
    sampling: { session: 100, replay: 10, profile: 1 },
    retentionDays: { events: 90, replays: 30, profiles: 30, exposures: 400 },
    managed: false,
  })
  const shown = await telltale.request('GET', at('defaults', 'preview'), { as: owner })
  expect(shown.body).toEqual(created.body)
})

test('a draft is merged with the defaults, and normalized', async () => {
  await telltale.project('drafted')
  const { body } = await telltale.request('POST', at('drafted'), {
    as: owner,
    body: {
      key: 'live',
      name: 'Live',
      timeZone: 'europe/berlin',
      allowedOrigins: ['https://Shop.example/', 'https://shop.example:443', 'https://*.shop.example'],
      sampling: { replay: 33.3 },
      retentionDays: { events: 30 },
    },
  })

  expect(body.timeZone).toBe('Europe/Berlin')
  expect(body.allowedOrigins).toEqual(['https://shop.example', 'https://*.shop.example'])
  expect(body.sampling).toEqual({ session: 100, replay: 33.3, profile: 1 })
  expect(body.retentionDays).toEqual({ events: 30, replays: 30, profiles: 30, exposures: 400 })
})

test('every fault is listed with its field, and nothing is created', async () => {
  await telltale.project('faulty')
  const refused = await telltale.request('POST', at('faulty'), {
    as: owner,
    body: {
      key: 'live',
      name: 'Live',
      timeZone: 'Mars/Olympus',
      approvalRequired: true,
      allowedOrigins: ['https://shop.example', 'https://*'],
    },
  })

  expect(refused.status).toBe(400)
  expect(refused.body.errors.map((fault: { pointer: string }) => fault.pointer)).toEqual([
    '/timeZone',
    '/allowedOrigins/1',
    '/approvalRequired',
  ])
  expect((await telltale.request('GET', at('faulty', 'live'), { as: owner })).status).toBe(404)
})

test('two environments of a project never share a key; two projects may', async () => {
  await telltale.project('one')
  await telltale.project('two')
  const draft = { key: 'preview', name: 'Preview' }

  expect((await telltale.request('POST', at('one'), { as: owner, body: draft })).status).toBe(201)
  expect((await telltale.request('POST', at('one'), { as: owner, body: draft })).body.type).toBe(
    '/errors/already-exists',
  )
  expect((await telltale.request('POST', at('two'), { as: owner, body: draft })).status).toBe(201)
})

test('of two concurrent creations of the same environment, one is rejected', async () => {
  await telltale.project('raced')
  const draft = { key: 'preview', name: 'Preview' }
  const answers = await Promise.all(
    [1, 2, 3].map(() => telltale.request('POST', at('raced'), { as: owner, body: draft })),
  )

  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
})

test('a repeated creation gets the first response and creates nothing', async () => {
  await telltale.project('repeated')
  const request = {
    as: owner,
    body: { key: 'preview', name: 'Preview' },
    headers: { 'idempotency-key': 'preview-1' },
  }
  const first = await telltale.request('POST', at('repeated'), request)
  const second = await telltale.request('POST', at('repeated'), request)

  expect(second.status).toBe(201)
  expect(second.body).toEqual(first.body)
  expect(await auditOf(first.body.id)).toHaveLength(1)
})

test('a project has at most the limit of environments', async () => {
  await telltale.project('full')
  for (let count = 3; count < 50; count += 1) {
    const body = { key: `env-${count}`, name: 'One more' }
    expect((await telltale.request('POST', at('full'), { as: owner, body })).status).toBe(201)
  }
  const refused = await telltale.request('POST', at('full'), { as: owner, body: { key: 'x', name: 'X' } })

  expect(refused.body).toMatchObject({ type: '/errors/in-use', status: 409 })
})

test('an update keeps omitted fields, and the audit log lists only changes', async () => {
  await telltale.project('changed')
  const before = await telltale.request('GET', at('changed', 'staging'), { as: owner })
  const after = await telltale.request('PATCH', at('changed', 'staging'), {
    as: owner,
    body: { name: 'Rehearsal', sampling: { replay: 50 } },
  })

  expect(after.body).toEqual({
    ...before.body,
    name: 'Rehearsal',
    sampling: { ...before.body.sampling, replay: 50 },
    version: 2,
  })
  const [entry] = await auditOf(before.body.id)
  expect(entry).toMatchObject({
    action: 'environment.update',
    actor: { kind: 'user', id: owner.id },
    entity: { kind: 'environment', id: before.body.id, name: 'staging' },
    project: 'changed',
    environment: 'staging',
    changes: [
      { pointer: '/name', before: 'Staging', after: 'Rehearsal' },
      { pointer: '/sampling/replay', before: 10, after: 50 },
    ],
  })
})

test('saving without changes creates no version and no audit entry', async () => {
  await telltale.project('same')
  const first = await telltale.request('PATCH', at('same', 'staging'), {
    as: owner,
    body: { sampling: { session: 12.345678912 } },
  })
  const again = await telltale.request('PATCH', at('same', 'staging'), {
    as: owner,
    body: { sampling: { session: 12.345678912 }, timeZone: 'utc' },
  })

  expect(again.body).toEqual(first.body)
  expect((await telltale.request('GET', at('same', 'staging'), { as: owner })).body).toEqual(first.body)
  expect(await auditOf(first.body.id)).toHaveLength(2)
})

test('saving over an outdated version returns the current one, and changes nothing', async () => {
  await telltale.project('contested')
  const path = at('contested', 'staging')
  await telltale.request('PATCH', path, {
    as: owner,
    body: { name: 'First' },
    headers: { 'if-match': '"1"' },
  })
  const late = await telltale.request('PATCH', path, {
    as: owner,
    body: { name: 'Second' },
    headers: { 'if-match': '"1"' },
  })

  expect(late.body).toMatchObject({
    type: '/errors/version-conflict',
    status: 409,
    current: { name: 'First', version: 2 },
  })
  expect((await telltale.request('GET', path, { as: owner })).body.name).toBe('First')
})

test('approval requires protection, in any order of the two', async () => {
  await telltale.project('guarded')
  const path = at('guarded', 'staging')
  const patch = (body: object) => telltale.request('PATCH', path, { as: owner, body })

  expect((await patch({ approvalRequired: true })).body.errors[0].pointer).toBe('/approvalRequired')
  expect((await patch({ approvalRequired: true, protected: true })).status).toBe(200)
  expect((await patch({ protected: false })).body.errors[0].pointer).toBe('/protected')
  expect((await patch({ protected: false, approvalRequired: false })).status).toBe(200)
})

test('deleting an environment with its keys requires its typed key', async () => {
  await telltale.project('pruned')
  const path = at('pruned', 'staging')
  const { body: before } = await telltale.request('GET', path, { as: owner })

  const refused = await telltale.request('DELETE', `${path}?confirm=production`, { as: owner })
  expect(refused.body.errors[0].pointer).toBe('?confirm')
  expect((await telltale.request('GET', path, { as: owner })).status).toBe(200)

  expect((await telltale.request('DELETE', `${path}?confirm=staging`, { as: owner })).status).toBe(204)
  expect((await telltale.request('GET', path, { as: owner })).status).toBe(404)
  expect((await telltale.request('GET', `${path}/keys`, { as: owner })).status).toBe(404)
  expect((await auditOf(before.id))[0]).toMatchObject({
    action: 'environment.delete',
    environment: 'staging',
  })
})

test('objects managed by the setup file are only changed there', async () => {
  await telltale.project('declared')
  const path = at('declared', 'staging')
  const { body: before } = await telltale.request('GET', path, { as: owner })
  const { db } = telltale.running.services
  await db.update(environments).set({ managed: true }).where(eq(environments.id, before.id))

  const change = await telltale.request('PATCH', path, { as: owner, body: { name: 'Other' } })
  const deletion = await telltale.request('DELETE', `${path}?confirm=staging`, { as: owner })

  expect([change.body.type, deletion.body.type]).toEqual(['/errors/managed', '/errors/managed'])
  expect((await telltale.request('GET', path, { as: owner })).body).toEqual({ ...before, managed: true })
  expect(await db.$count(auditEntries, eq(auditEntries.entityId, before.id))).toBe(1)
})

test('an environment of another project is not found', async () => {
  await telltale.project('ours')
  await telltale.project('theirs')
  await telltale.request('POST', at('theirs'), { as: owner, body: { key: 'secret', name: 'Secret' } })
  const admin = await telltale.person({ in: { ours: 'admin' } })

  for (const path of [at('ours', 'secret'), at('theirs', 'secret')]) {
    expect((await telltale.request('GET', path, { as: admin })).status).toBe(404)
    expect((await telltale.request('PATCH', path, { as: admin, body: { name: 'X' } })).status).toBe(404)
    expect((await telltale.request('DELETE', `${path}?confirm=secret`, { as: admin })).status).toBe(404)
  }
})
