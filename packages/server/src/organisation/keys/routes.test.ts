import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { findProject } from '../../access/find-project.ts'
import { auditEntries } from '../../platform/engines/postgres/audit-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { sdkKeys } from '../../platform/engines/postgres/schema.ts'
import { insertKey, type KeyDraft } from '../environments/insert-key.ts'
import { getEnvironment } from '../environments/queries.ts'

let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner' })
})

afterAll(() => telltale[Symbol.asyncDispose]())

const at = (project: string, rest = '') => `/api/v1/projects/${project}/environments/staging/keys${rest}`

const listOf = async (project: string) =>
  (await telltale.request('GET', at(project), { as: owner })).body.items

async function createdKey(project: string, kind: 'client' | 'server', label = 'Shop') {
  const answer = await telltale.request('POST', at(project), { as: owner, body: { kind, label } })
  expect(answer.status).toBe(201)
  return answer.body
}

/** As a setup file does. */
async function declareKey(projectKey: string, draft: KeyDraft) {
  const { db } = telltale.running.services
  const project = await findProject(db, projectKey)
  if (!project) throw new Error(`no project ${projectKey}`)

  const declare = change(async (context, declared: KeyDraft) => {
    const environment = await getEnvironment(context.db, { projectId: project.id, key: 'staging' })
    const { row, changes } = await insertKey(context, { project, environment }, declared)
    return { reply: row, changes }
  })
  const actor = { kind: 'setup-file', id: null, name: 'setup file' } as const
  return declare(db, { actor, requestId: null, now: new Date() }, draft)
}

test('a server key is shown once, and kept as a hash only', async () => {
  await telltale.project('once')
  const { key, value } = await createdKey('once', 'server')

  expect(value).toMatch(/^ser\.\w{32}$/)
  expect(key).toMatchObject({ kind: 'server', label: 'Shop', prefix: value.slice(0, 10), value: null })
  expect(JSON.stringify(await listOf('once'))).not.toContain(value)

  const { sql } = telltale.running.services
  const [row] = await sql`SELECT to_jsonb(sdk_keys)::text AS text FROM sdk_keys WHERE id = ${key.id}`
  expect(row?.text).not.toContain(value)
})

test('a client key is public: its whole value stays in the list, newest first', async () => {
  await telltale.project('public')
  const { key, value } = await createdKey('public', 'client', '')

  expect(value).toMatch(/^tt_stag_c_\w{32}$/)
  const list = await listOf('public')
  expect(list).toHaveLength(2)
  expect(list[0]).toEqual({ ...key, value })
})

test('a repeated creation gets the very same key', async () => {
  await telltale.project('repeated')
  const request = {
    as: owner,
    body: { kind: 'server', label: 'Shop' },
    headers: { 'idempotency-key': 'key-1' },
  }
  const [first, second] = await Promise.all([
    telltale.request('POST', at('repeated'), request),
    telltale.request('POST', at('repeated'), request),
  ])

  expect(first.body.value).toMatch(/^ser\./)
  expect(second.body).toEqual(first.body)
  expect(await listOf('repeated')).toHaveLength(2)

  const another = await telltale.request('POST', at('repeated'), { ...request, body: { kind: 'client' } })
  expect(another.body.type).toBe('/errors/idempotency-key-reused')
})

test('the audit log never contains a key', async () => {
  await telltale.project('discreet')
  const { key, value } = await createdKey('discreet', 'server')
  const rotated = await telltale.request('POST', at('discreet', `/${key.id}/rotate`), { as: owner, body: {} })
  await telltale.request('DELETE', at('discreet', `/${rotated.body.key.id}`), { as: owner })

  const rows = await telltale.running.services.db.select().from(auditEntries).orderBy(auditEntries.id)
  const ours = rows.filter(({ projectKey, entityKind }) => projectKey === 'discreet' && entityKind === 'key')
  expect(ours.map(({ action }) => action).slice(-4)).toEqual([
    'key.create',
    'key.create',
    'key.rotate',
    'key.revoke',
  ])
  expect(JSON.stringify(rows)).not.toContain(value)
  expect(JSON.stringify(rows)).not.toContain(rotated.body.value)
  for (const { hash } of await telltale.running.services.db.select().from(sdkKeys))
    expect(JSON.stringify(rows)).not.toContain(hash)
})

test('a rotated key has a successor of its kind and ends at once', async () => {
  await telltale.project('rotated')
  const { key: old, value: oldValue } = await createdKey('rotated', 'server', 'Checkout')
  const rotated = await telltale.request('POST', at('rotated', `/${old.id}/rotate`), { as: owner, body: {} })

  expect(rotated.status).toBe(201)
  expect(rotated.body.value).not.toBe(oldValue)
  expect(rotated.body.key).toMatchObject({ kind: 'server', label: 'Checkout', revokedAt: null })
  const list = await listOf('rotated')
  const kept = list.find(({ id }: { id: string }) => id === old.id)
  expect(kept.revokedAt).toBe(rotated.body.key.createdAt)
})

test('the old key of a rotation may live on until a chosen instant', async () => {
  await telltale.project('graceful')
  const { key: old } = await createdKey('graceful', 'client')
  const now = telltale.running.services.clock().getTime()
  const revokeAt = new Date(now + 3_600_000).toISOString()
  const path = at('graceful', `/${old.id}/rotate`)

  expect((await telltale.request('POST', path, { as: owner, body: { revokeAt } })).status).toBe(201)
  const kept = (await listOf('graceful')).find(({ id }: { id: string }) => id === old.id)
  expect(kept.revokedAt).toBe(revokeAt)

  const again = await telltale.request('POST', path, { as: owner, body: {} })
  expect(again.body).toMatchObject({ type: '/errors/in-use' })
  expect(again.body.detail).toContain(revokeAt)

  // The old key has leaked.
  const revoked = await telltale.request('DELETE', at('graceful', `/${old.id}`), { as: owner })
  expect(new Date(revoked.body.revokedAt).getTime()).toBeLessThan(now + 60_000)
})

test.each(['2020-01-01T00:00:00Z', '2016-12-31T23:59:60Z', '9999-12-31T23:59:59-12:00'])(
  'a key cannot expire at %s',
  async (revokeAt) => {
    const project = `past-${revokeAt.slice(0, 4)}`
    await telltale.project(project)
    const { key } = await createdKey(project, 'server')
    const before = await listOf(project)
    const refused = await telltale.request('POST', at(project, `/${key.id}/rotate`), {
      as: owner,
      body: { revokeAt },
    })

    expect(refused.status).toBe(400)
    expect(refused.body.errors[0].pointer).toBe('/revokeAt')
    expect(await listOf(project)).toEqual(before)
  },
)

test('revoking twice changes nothing, and what is revoked is not rotated', async () => {
  await telltale.project('ended')
  const { key } = await createdKey('ended', 'server')
  const first = await telltale.request('DELETE', at('ended', `/${key.id}`), { as: owner })
  telltale.passTime(60_000)
  const second = await telltale.request('DELETE', at('ended', `/${key.id}`), { as: owner })

  expect(first.status).toBe(200)
  expect(first.body.revokedAt).not.toBeNull()
  expect(second.body).toEqual(first.body)
  const { db } = telltale.running.services
  expect(await db.$count(auditEntries, eq(auditEntries.entityId, key.id))).toBe(2)

  const rotation = await telltale.request('POST', at('ended', `/${key.id}/rotate`), { as: owner, body: {} })
  expect(rotation.status).toBe(404)
})

test('an environment holds no more active keys than the limit, and rotation still works there', async () => {
  await telltale.project('many')
  for (let count = 1; count < 100; count += 1) await createdKey('many', 'client')

  const refused = await telltale.request('POST', at('many'), { as: owner, body: { kind: 'client' } })
  expect(refused.body).toMatchObject({ type: '/errors/in-use', status: 409 })

  const [newest] = await listOf('many')
  const rotated = await telltale.request('POST', at('many', `/${newest.id}/rotate`), { as: owner, body: {} })
  expect(rotated.status).toBe(201)
})

test('a key given by the setup file is taken once, anywhere, and belongs to that file', async () => {
  await telltale.project('given')
  await telltale.project('elsewhere')
  const draft = { kind: 'server', label: 'Local', value: 'ser.local-development', managed: true } as const
  const row = await declareKey('given', draft)

  expect(row).toMatchObject({ prefix: 'ser.local-', value: null, managed: true })
  await expect(declareKey('elsewhere', draft)).rejects.toMatchObject({ code: 'already-exists' })

  const rotation = await telltale.request('POST', at('given', `/${row.id}/rotate`), { as: owner, body: {} })
  const revocation = await telltale.request('DELETE', at('given', `/${row.id}`), { as: owner })
  expect([rotation.body.type, revocation.body.type]).toEqual(['/errors/managed', '/errors/managed'])
})

test('a given value must be of the kind that it looks like', async () => {
  await telltale.project('mismatched')
  for (const draft of [
    { kind: 'client', label: '', value: 'ser.a-long-value-of-a-server' },
    { kind: 'server', label: '', value: 'tt_stag_c_value-of-a-client' },
  ] as const)
    await expect(declareKey('mismatched', draft)).rejects.toMatchObject({ code: 'invalid-request' })
})

test('a short server key never shows more than half of itself', async () => {
  await telltale.project('short')
  const row = await declareKey('short', { kind: 'server', label: '', value: 'ser.abcd' })

  expect(row.prefix).toBe('ser.')
})

test('a key of another environment is not found', async () => {
  await telltale.project('split')
  const { key } = await createdKey('split', 'client')
  const path = `/api/v1/projects/split/environments/production/keys/${key.id}`

  expect((await telltale.request('DELETE', path, { as: owner })).status).toBe(404)
  expect((await telltale.request('POST', `${path}/rotate`, { as: owner, body: {} })).status).toBe(404)
  expect((await listOf('split'))[0].revokedAt).toBeNull()
})
