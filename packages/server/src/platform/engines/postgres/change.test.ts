import { limits } from '@telltale/core/limits'
import { eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../../test/start.ts'
import type { Announcement } from './announcements.ts'
import { auditEntries } from './audit-schema.ts'
import { change } from './change.ts'
import { idempotentReplies } from './idempotency-schema.ts'
import { projects } from './schema.ts'

let telltale: Telltale
let owner: SomePerson
beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner' })
})
afterAll(() => telltale[Symbol.asyncDispose]())

const create = (key: string, headers = {}) =>
  telltale.request('POST', '/api/v1/projects', { as: owner, body: { key, name: key }, headers })

const heardOf = (kind: string) =>
  new Promise<void>((resolve) => {
    telltale.running.services.announcements.subscribe({
      onChange: ({ entity }) => entity === kind && resolve(),
    })
  })

test('a change on one server is announced on the other within a second', async () => {
  await using other = await startTelltale({ beside: telltale })
  const heard = new Promise<Announcement>((resolve) => {
    other.running.services.announcements.subscribe({
      onChange: (announcement) => announcement.entity === 'project' && resolve(announcement),
    })
  })
  const { body } = await create('announced')
  const tooLate = new Promise((resolve) => setTimeout(resolve, 1_000, 'too late'))
  expect(await Promise.race([heard, tooLate])).toMatchObject({ action: 'project.create', id: body.id })
})

test('a rejected change is neither audited nor announced', async () => {
  const { db, announcements } = telltale.running.services
  const first = heardOf('project')
  await create('taken')
  await first
  const before = await db.$count(auditEntries)
  const heard: Announcement[] = []
  const stop = announcements.subscribe({ onChange: (announcement) => void heard.push(announcement) })

  expect((await create('taken')).status).toBe(409)
  // Announcements arrive in the order of commits: this one comes after all earlier ones.
  const next = heardOf('project')
  const { body } = await create('after-the-refusal')
  await next
  stop()
  expect(heard.filter(({ entity }) => entity === 'project').map(({ id }) => id)).toEqual([body.id])
  expect(await db.$count(auditEntries, eq(auditEntries.projectKey, 'taken'))).toBeGreaterThan(0)
  expect(await db.$count(auditEntries)).toBeGreaterThan(before)
})

test('a change of thousands of entities is recorded completely', async () => {
  const { db, clock } = telltale.running.services
  const ids = Array.from({ length: 5_000 }, () => newId())
  const many = change(async () => ({
    reply: null,
    changes: ids.map((id) => ({ action: 'thing.create' as const, entity: { kind: 'thing', id, name: '' } })),
  }))
  const actor = { kind: 'system', id: null, name: 'test' } as const

  await many(db, { actor, requestId: null, now: clock() }, undefined)
  expect(await db.$count(auditEntries, eq(auditEntries.entityKind, 'thing'))).toBe(ids.length)
})

test('the audit log is append-only', async () => {
  const { db } = telltale.running.services
  await expect(db.update(auditEntries).set({ action: 'nothing' })).rejects.toThrow()
  await expect(db.delete(auditEntries)).rejects.toThrow()
})

test('a repeated request gets the first response, whatever happened since, and changes nothing', async () => {
  const headers = { 'idempotency-key': 'one' }
  const first = await create('once', headers)
  await telltale.request('PATCH', '/api/v1/projects/once', { as: owner, body: { name: 'Renamed' } })
  const again = await create('once', headers)
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.body).toEqual(first.body)

  const other = await create('twice', headers)
  expect(other.body).toMatchObject({ status: 422, type: '/errors/idempotency-key-reused' })
  expect((await create('once', { 'idempotency-key': 'two' })).status).toBe(409)
})

test('of two concurrent repetitions, one is executed and both get its response', async () => {
  const headers = { 'idempotency-key': 'both' }
  const answers = await Promise.all(Array.from({ length: 5 }, () => create('raced', headers)))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(await telltale.running.services.db.$count(projects, eq(projects.key, 'raced'))).toBe(1)
})

test('a secret shown once is shown again to a repeated request, and stored encrypted', async () => {
  const make = () =>
    telltale.request('POST', '/api/v1/account/tokens', {
      as: owner,
      body: { name: 'CI', role: 'viewer' },
      headers: { 'idempotency-key': 'token' },
    })
  const [first, again] = [await make(), await make()]
  expect(again.body.value).toBe(first.body.value)

  const kept = await telltale.running.services.db.select().from(idempotentReplies)
  expect(kept.map((row) => Buffer.from(row.sealedReply).toString('latin1')).join()).not.toContain(
    first.body.value,
  )
})

test('an idempotency key expires after a day', async () => {
  const headers = { 'idempotency-key': 'daily' }
  await create('daily', headers)
  telltale.passTime(limits.idempotencyWindow + 1)
  expect((await create('daily', headers)).body.type).toBe('/errors/already-exists')
})

test('an outdated version gets the current one and changes nothing', async () => {
  const { headers } = await create('versioned')
  const etag = headers.get('etag') ?? ''
  const patch = (name: string) =>
    telltale.request('PATCH', '/api/v1/projects/versioned', {
      as: owner,
      body: { name },
      headers: { 'if-match': etag },
    })
  expect((await patch('First')).headers.get('etag')).not.toBe(etag)

  const stale = await patch('Second')
  expect(stale.status).toBe(409)
  expect(stale.body).toMatchObject({
    type: '/errors/version-conflict',
    current: { name: 'First', version: 2 },
  })
  expect((await telltale.request('GET', '/api/v1/projects/versioned', { as: owner })).body.name).toBe('First')
})

test('both of two deadlocked changes are made', async () => {
  const { db } = telltale.running.services
  await create('one-way')
  await create('other-way')
  const both = createBarrier()
  const rename = change(async ({ db: inside }, [first, second]: readonly [string, string]) => {
    await inside.update(projects).set({ name: 'first' }).where(eq(projects.key, first))
    await both()
    await inside.update(projects).set({ name: 'second' }).where(eq(projects.key, second))
    return { reply: first, changes: [] }
  })
  const origin = {
    actor: { kind: 'system', id: null, name: 'test' },
    requestId: null,
    now: new Date(),
  } as const
  const done = await Promise.all([
    rename(db, origin, ['one-way', 'other-way']),
    rename(db, origin, ['other-way', 'one-way']),
  ])
  expect(done).toEqual(['one-way', 'other-way'])
})

/** Opens when two have arrived, and stays open. */
function createBarrier(): () => Promise<void> {
  let come = 0
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    come += 1
    if (come === 2) open()
    return opened
  }
}
