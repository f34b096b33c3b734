import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Credential, type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { rolloutPolicy } from '../../guard/rollouts/rollout-policy.ts'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { applyScheduledChange, failScheduledChange } from './apply-scheduled-change.ts'
import { runDue } from './run-due.ts'

const minute = 60_000

let telltale: Telltale
let owner: SomePerson
let maintainer: SomePerson
let editor: SomePerson

beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  await telltale.project('shop')
  owner = await telltale.person({ role: 'owner' })
  maintainer = await telltale.person({ in: { shop: 'maintainer' } })
  editor = await telltale.person({ in: { shop: 'editor' } })
})

afterAll(() => telltale[Symbol.asyncDispose]())

const project = '/api/v1/projects/shop'
const schedules = `${project}/scheduled-changes`
const at = (flag: string, env = 'staging') => `${project}/environments/${env}/flags/${flag}`

const by = (as: Credential) => (method: string, path: string, body?: object) =>
  telltale.request(method, path, { as, ...(body === undefined ? {} : { body }) })

async function createFlag(key: string) {
  const answer = await by(editor)('POST', `${project}/flags`, { key, name: key, valueType: 'boolean' })
  expect(answer.status).toBe(201)
}

const inMinutes = (minutes: number) =>
  new Date(telltale.running.services.clock().getTime() + minutes * minute).toISOString()

interface Plan {
  minutes?: number
  change?: object
  env?: string
}

const schedule = (as: Credential, flag: string, { minutes = 10, change, env }: Plan = {}) =>
  by(as)('POST', `${at(flag, env)}/scheduled-changes`, {
    at: inMinutes(minutes),
    change: change ?? { enabled: true },
  })

async function scheduled(flag: string, plan: Plan = {}): Promise<string> {
  const answer = await schedule(editor, flag, plan)
  expect(answer.status).toBe(201)
  return answer.body.id
}

const read = async (id: string) => (await by(owner)('GET', `${schedules}/${id}`)).body
const configOf = async (flag: string, env?: string) =>
  (await by(owner)('GET', `${at(flag, env)}/config`)).body
const auditOf = async (id: string) => (await by(owner)('GET', `${project}/audit?entityId=${id}`)).body.items

/** Resolves when the server's schedule has processed it. */
function ended(id: string): Promise<string> {
  return new Promise((resolve) => {
    const stop = telltale.running.services.announcements.subscribe({
      onChange: (announcement) => {
        if (announcement.id !== id || !/\.(apply|fail|miss)$/.test(announcement.action)) return
        stop()
        resolve(announcement.action)
      },
    })
  })
}

test('a scheduled change is applied at its time, to the configuration saved by then', async () => {
  await createFlag('launch')
  const id = await scheduled('launch')
  const kept = { enabled: false, offVariation: 'on', prerequisites: [], rules: [], version: 1 }
  await by(editor)('PUT', `${at('launch')}/config`, { ...kept, fallthrough: { variation: 'on' } })

  const applied = ended(id)
  telltale.passTime(9 * minute)
  await runDue(telltale.running.services)
  expect(await read(id)).toMatchObject({ state: 'pending' })
  telltale.passTime(minute)
  expect(await applied).toBe('scheduled-change.apply')

  expect(await read(id)).toMatchObject({ state: 'applied', appliedVersion: 3, failure: null })
  expect(await configOf('launch')).toMatchObject({ enabled: true, offVariation: 'on', version: 3 })
  const { body: versions } = await by(owner)('GET', `${at('launch')}/config/versions`)
  expect(versions.items[0].actor).toMatchObject({ kind: 'user', id: editor.id })
})

test("two servers apply each change once, and a flag's changes in order", async () => {
  await using other = await startTelltale({ beside: telltale })
  await createFlag('ramp')
  const half = (weight: number) => ({
    fallthrough: {
      split: [
        { variation: 'on', weight },
        { variation: 'off', weight: 100_000 - weight },
      ],
    },
  })
  const ids = []
  for (const minutes of [5, 1, 4, 2, 3]) {
    ids.push(await scheduled('ramp', { minutes, change: { enabled: true, ...half(minutes * 1_000) } }))
  }
  const all = Promise.all(ids.map(ended))
  telltale.passTime(10 * minute)
  other.passTime(20 * minute)
  const looks = [telltale, other, telltale, other].map(({ running }) => runDue(running.services))
  await Promise.all([...looks, all])

  expect(await configOf('ramp')).toMatchObject({ version: 6 })
  const { body } = await by(owner)('GET', `${at('ramp')}/config/versions/6`)
  expect(body.config.fallthrough.split.arms[0].weight).toBe(5_000)
  const versions = await Promise.all(ids.map(async (id) => (await read(id)).appliedVersion))
  expect(versions).toEqual([6, 2, 5, 3, 4])
  for (const id of ids) {
    const actions = (await auditOf(id)).map(({ action }: { action: string }) => action)
    expect(actions).toEqual(['scheduled-change.apply', 'scheduled-change.create'])
  }
})

test('overdue changes are applied by the next server', async () => {
  await createFlag('overnight')
  const id = await scheduled('overnight', { minutes: 600 })
  const applied = ended(id)
  await using later = await startTelltale({ beside: telltale })
  later.passTime(700 * minute)
  expect(await applied).toBe('scheduled-change.apply')
})

test('a revoked permission, account or token prevents its changes', async () => {
  const { db, clock } = telltale.running.services
  const leaving = await telltale.person({ in: { shop: 'editor' } })
  const disabled = await telltale.person({ in: { shop: 'editor' } })
  const careless = await telltale.person({ in: { shop: 'editor' } })
  const token = await telltale.token(careless, { role: 'editor', project: 'shop' })
  await createFlag('orphaned')
  const ids: string[] = []
  for (const person of [leaving, disabled, token]) {
    ids.push((await schedule(person, 'orphaned')).body.id)
  }
  await by(owner)('PATCH', `${project}/members/${leaving.id}`, { role: 'viewer' })
  await db.update(users).set({ disabledAt: clock() }).where(eq(users.id, disabled.id))
  expect((await by(careless)('DELETE', `/api/v1/account/tokens/${token.id}`)).status).toBe(204)

  telltale.passTime(10 * minute)
  await runDue(telltale.running.services)
  const reasons = await Promise.all(ids.map(async (id) => (await read(id)).failure))
  expect(reasons[0]).toContain('does not have flags.change')
  expect(reasons[1]).toContain('is disabled')
  expect(reasons[2]).toContain('revoked')
  expect((await configOf('orphaned')).version).toBe(1)
  expect((await auditOf(ids[0] ?? ''))[0]).toMatchObject({
    action: 'scheduled-change.fail',
    actor: { kind: 'system', name: 'schedule' },
  })
})

test('a change that cannot be saved fails with its reason, and later ones are applied', async () => {
  await createFlag('archived')
  await createFlag('healthy')
  const archived = await scheduled('archived', { minutes: 1 })
  const healthy = await scheduled('healthy', { minutes: 2 })
  await by(editor)('POST', `${project}/flags/archived/archive`)

  telltale.passTime(3 * minute)
  await runDue(telltale.running.services)
  expect(await read(archived)).toMatchObject({
    state: 'failed',
    failure: 'The flag is archived: restore it first.',
  })
  expect((await read(healthy)).state).toBe('applied')
})

test('a pending change is rescheduled, edited and cancelled, but not afterwards', async () => {
  await createFlag('moved')
  const id = await scheduled('moved')
  const moved = await by(maintainer)('PATCH', `${schedules}/${id}`, {
    at: inMinutes(60),
    change: { fallthrough: { variation: 'off' } },
  })
  expect(moved.body).toMatchObject({ version: 2, author: { id: maintainer.id } })
  telltale.passTime(10 * minute)
  await runDue(telltale.running.services)
  expect((await by(editor)('POST', `${schedules}/${id}/cancel`)).body.state).toBe('cancelled')
  expect((await by(editor)('POST', `${schedules}/${id}/cancel`)).body.type).toBe('/errors/wrong-state')
  expect((await by(editor)('PATCH', `${schedules}/${id}`, { at: inMinutes(5) })).status).toBe(409)

  telltale.passTime(60 * minute)
  await runDue(telltale.running.services)
  expect((await configOf('moved')).version).toBe(1)
  const { body } = await by(editor)('GET', `${schedules}?state=cancelled&flag=moved`)
  expect(body.items.map(({ id: found }: { id: string }) => found)).toEqual([id])
})

test('a change rescheduled at the last moment is not applied by a server that saw it due', async () => {
  const { db, clock } = telltale.running.services
  await createFlag('snatched')
  const id = await scheduled('snatched')
  const { body } = await by(editor)('PATCH', `${schedules}/${id}`, { at: inMinutes(60) })
  const { body: shop } = await by(owner)('GET', project)
  const due = { project: shop, id, version: body.version - 1 }
  const origin = { actor: { kind: 'system', id: null, name: 'test' }, requestId: null, now: clock() } as const
  await applyScheduledChange(db, origin, { ...due, review: rolloutPolicy.reviewConfig })
  await failScheduledChange(db, origin, { ...due, failure: 'Too late' })
  expect(await read(id)).toEqual(body)
})

test('after an engine error a change is retried for a minute, and then fails', async () => {
  const { db } = telltale.running.services
  await createFlag('broken')
  const id = await scheduled('broken')
  await db.execute(
    sql`ALTER TABLE flag_config_versions ADD CONSTRAINT broken CHECK (reason <> 'break') NOT VALID`,
  )
  expect((await by(editor)('PATCH', `${schedules}/${id}`, { reason: 'break' })).status).toBe(200)

  telltale.passTime(10 * minute)
  await expect(runDue(telltale.running.services)).rejects.toThrow()
  expect((await read(id)).state).toBe('pending')
  telltale.passTime(minute)
  await runDue(telltale.running.services)
  expect((await read(id)).failure).toContain('Internal error')
  await db.execute(sql`ALTER TABLE flag_config_versions DROP CONSTRAINT broken`)
})

test('a schedule is in the future, changes something, and is validated immediately', async () => {
  await createFlag('checked')
  const past = await schedule(editor, 'checked', { minutes: -1 })
  expect(past.body.errors).toEqual([{ pointer: '/at', message: 'has passed' }])
  const far = await schedule(editor, 'checked', { minutes: 366 * 24 * 60 })
  expect(far.body.errors[0].message).toBe('is more than a year ahead')
  expect((await schedule(editor, 'checked', { change: {} })).status).toBe(400)
  const unknown = await schedule(editor, 'checked', { change: { offVariation: 'gone' } })
  expect(unknown.body.errors[0].pointer).toBe('/offVariation')
})

test("an editor's schedule fails if only maintainers may change things by then", async () => {
  await createFlag('closed')
  const id = await scheduled('closed', { env: 'development' })
  await by(owner)('PATCH', `${project}/environments/development`, { protected: true })
  telltale.passTime(10 * minute)
  await runDue(telltale.running.services)
  expect((await read(id)).failure).toContain('does not have flags.change-protected')
})

test('a schedule needs both permissions at its time, also by an own role', async () => {
  await createFlag('halved')
  const both = ['flags.change', 'flags.change-protected']
  const role = { key: 'pilot', name: 'Pilot', permissions: both }
  expect((await by(owner)('POST', `${project}/roles`, role)).status).toBe(201)
  const pilot = await telltale.person({ in: { shop: 'pilot' } })
  const { body } = await schedule(pilot, 'halved', { env: 'production' })
  await by(owner)('PATCH', `${project}/roles/pilot`, { permissions: ['flags.change-protected'] })
  telltale.passTime(10 * minute)
  await runDue(telltale.running.services)
  expect((await read(body.id)).failure).toContain('does not have flags.change in')
})

test('in a protected environment maintainers schedule, within their permissions at that time', async () => {
  await createFlag('guarded')
  expect((await schedule(editor, 'guarded', { env: 'production' })).status).toBe(403)
  const change = { fallthrough: { variation: 'on' } }
  const { body } = await schedule(maintainer, 'guarded', { env: 'production', change })
  const stop = await schedule(maintainer, 'guarded', {
    env: 'production',
    minutes: 30,
    change: { enabled: false },
  })
  expect((await by(editor)('POST', `${schedules}/${body.id}/cancel`)).status).toBe(403)

  const config = { enabled: true, offVariation: 'off', prerequisites: [], rules: [], version: 1 }
  await by(maintainer)('PUT', `${at('guarded', 'production')}/config`, {
    ...config,
    fallthrough: { variation: 'off' },
  })
  await by(owner)('PATCH', `${project}/environments/production`, { approvalRequired: true })
  const updated = await by(maintainer)('PATCH', `${schedules}/${body.id}`, { change })
  expect(updated.body.detail).toContain('now require approval here')
  telltale.passTime(10 * minute)
  await runDue(telltale.running.services)
  expect(await read(body.id)).toMatchObject({
    state: 'failed',
    failure: 'Changes in "production" now require approval.',
  })

  telltale.passTime(20 * minute)
  await runDue(telltale.running.services)
  expect((await read(stop.body.id)).state).toBe('applied')
  expect((await configOf('guarded', 'production')).enabled).toBe(false)
})

test('with required approval, a schedule is a change request applied at its time', async () => {
  await createFlag('approved')
  const answer = await schedule(editor, 'approved', { env: 'production' })
  expect(answer.status).toBe(202)
  const { changeRequest, address } = answer.body
  expect(changeRequest.scheduledFor).not.toBeNull()
  expect((await by(maintainer)('POST', `${address}/approve`, { version: 1 })).body.state).toBe('approved')

  const applied = ended(changeRequest.id)
  telltale.passTime(10 * minute)
  expect(await applied).toBe('change-request.apply')
  const { body } = await by(owner)('GET', `${at('approved', 'production')}/config/versions`)
  expect(body.items[0]).toMatchObject({
    version: 2,
    actor: { kind: 'system', name: 'schedule' },
    changeRequest: { id: changeRequest.id },
  })
})

test('an unapproved request waits to be applied manually, and so does one without its approver', async () => {
  await createFlag('late')
  const { body: late } = await schedule(editor, 'late', { env: 'production' })
  telltale.passTime(10 * minute)
  await runDue(telltale.running.services)
  const approved = await by(maintainer)('POST', `${late.address}/approve`, { version: 1 })
  expect(approved.body).toMatchObject({ state: 'approved', scheduledFor: null })

  const approver = await telltale.person({ in: { shop: 'maintainer' } })
  await createFlag('lapsed')
  const { body: lapsed } = await schedule(editor, 'lapsed', { env: 'production' })
  await by(approver)('POST', `${lapsed.address}/approve`, { version: 1 })
  await by(owner)('PATCH', `${project}/members/${approver.id}`, { role: 'viewer' })
  telltale.passTime(10 * minute)
  await runDue(telltale.running.services)
  const { body: missed } = await by(owner)('GET', lapsed.address)
  expect(missed).toMatchObject({ state: 'approved', scheduledFor: null, appliedVersion: null })
  expect(missed.decisions.at(-1)).toMatchObject({ action: 'miss' })
  expect(missed.decisions.at(-1).comment).toContain('does not have changes.approve')
  expect((await by(maintainer)('POST', `${late.address}/apply`, {})).body.state).toBe('applied')
})
