// Links that show one replay to people outside of the project, on the real engines.

import { callList } from '@telltale/core/contract/calls'
import { eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { chrome } from '../../../../../test/browser/seed-events.ts'
import { hashOf, segment, sendAttachment } from '../../../../../test/intake/attachments.ts'
import { sampleEverything } from '../../../../../test/intake/sample-everything.ts'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, toLines } from '../../../../../test/intake/visitor.ts'
import type { SomePerson } from '../../../../../test/start.ts'
import { shareLinks } from '../../platform/engines/postgres/share-link-schema.ts'

let stage: IntakeStage
let key: string
let maintainer: SomePerson
let editor: SomePerson
const patience = { timeout: 20_000, interval: 50 }
const list = '/api/v1/projects/shop/share-links'
const [session, tab, other] = [newId(), newId(), newId()]
const style = Buffer.from('body { color: teal }')
const foreignStyle = Buffer.from('body { color: red }')

beforeAll(async () => {
  stage = await openIntakeStage({ TELLTALE_MANAGEMENT_RATE: '100000' })
  key = await sampleEverything(stage)
  maintainer = await stage.telltale.person({ in: { shop: 'maintainer' } })
  editor = await stage.telltale.person({ in: { shop: 'editor' } })
  await visit(session, style)
  await visit(other, foreignStyle)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

async function visit(of: string, sheet: Buffer): Promise<void> {
  const user = {
    session: of,
    tab,
    userKey: 'mara@shop.example',
    anonymousId: 'anonymous-mara',
    hasReplay: true,
  }
  const lines = [
    context(user),
    event('view', { name: 'load' }),
    event('custom', { name: 'paid', attributes: { plan: 'secret plan' } }),
    event('error', {
      source: 'uncaught',
      message: 'it broke',
      stack: 'Error\n at secret.js:1:1',
      handled: false,
    }),
  ]
  // Explore leaves out programs.
  const headers = { 'user-agent': chrome }
  expect((await stage.post(toLines(lines), { headers })).status).toBe(202)
  const hash = hashOf(sheet)
  const asset = { kind: 'asset', body: sheet, key, query: { hash, type: 'text/css' } } as const
  expect((await sendAttachment(stage.telltale.url, asset)).status).toBe(202)
  const recorded = segment({ session: of, tab, assets: [hash] })
  expect(
    (await sendAttachment(stage.telltale.url, { kind: 'replay', body: recorded, key })).body.accepted,
  ).toBe(1)
  const sheets = () => stage.read('SELECT 1 FROM replay_assets WHERE hash = {hash:UUID}', { hash })
  const stored = (table: string) => stage.read(`SELECT 1 FROM ${table} WHERE session_id = {of:UUID}`, { of })
  // Also in a hook, where expect.poll does not work.
  await vi.waitFor(async () => {
    expect((await stored('events')).length).toBe(3)
    expect((await stored('replay_segments')).length).toBe(1)
    expect((await sheets()).length).toBeGreaterThan(0)
    expect((await by(maintainer)('GET', `${environments}/development/sessions/${of}`)).status).toBe(200)
  }, patience)
}

const by = (as: SomePerson) => (method: string, path: string, body?: object) =>
  stage.telltale.request(method, path, { as, ...(body === undefined ? {} : { body }) })
const draft = { kind: 'session', target: session, env: 'development', hours: 24 }
async function share(more: object = {}): Promise<{ id: string; token: string }> {
  const { status, body } = await by(maintainer)('POST', list, { ...draft, ...more })
  expect(status).toBe(201)
  return { id: body.link.id, token: new URL(body.url).hash.slice(1) }
}
const open = (what: string, body: object) =>
  stage.telltale.request('POST', `/api/v1/shared/${what}`, { body, headers: {} })

test('a link shows the replay of its session and nothing of the user', async () => {
  const { token } = await share()
  const { status, headers, body } = await open('view', { token })
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(body).toMatchObject({ kind: 'session', session: { id: session, errors: 1 } })
  expect(body.replay.tabs[0].segments).toHaveLength(1)
  expect(body.replay).not.toHaveProperty('notes')

  const events = await open('events', { token })
  expect(events.body.items.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
    'custom',
    'error',
    'view',
  ])
  for (const told of [body, events.body]) {
    expect(JSON.stringify(told)).not.toMatch(/mara|secret|userKey|anonymousId|country|originalStack/)
  }

  const segments = await open('segments', { token, tab, from: 0 })
  expect(segments.body).toContain('"index":0')
  expect((await open('asset', { token, asset: hashOf(style) })).body).toContain('teal')
  expect((await open('asset', { token, asset: hashOf(foreignStyle) })).status).toBe(404)
})

test('the token is shown once and stored as a hash', async () => {
  const { id, token } = await share()
  const listed = await by(maintainer)('GET', `${list}?target=${session}`)
  expect(listed.body.items[0]).toMatchObject({
    id,
    state: 'active',
    opened: 0,
    createdBy: expect.stringMatching(/^Person /),
  })
  const [row] = await stage.telltale.running.services.db
    .select()
    .from(shareLinks)
    .where(eq(shareLinks.id, id))
  const audit = await stage.telltale.request('GET', '/api/v1/projects/shop/audit', { as: stage.owner })
  for (const told of [listed.body, row, audit.body]) expect(JSON.stringify(told)).not.toContain(token)

  await open('view', { token })
  await open('view', { token })
  expect((await by(maintainer)('GET', list)).body.items[0]).toMatchObject({ id, opened: 2 })
  expect((await by(maintainer)('GET', `${list}?target=${other}`)).body.items).toEqual([])
})

test('an expired, a revoked and an unknown link show nothing, in any call', async () => {
  const { services } = stage.telltale.running
  const expired = await share()
  await services.db.update(shareLinks).set({ expiresAt: new Date() }).where(eq(shareLinks.id, expired.id))
  const revoked = await share()
  expect((await by(editor)('DELETE', `${list}/${revoked.id}`)).status).toBe(403)
  expect((await by(maintainer)('DELETE', `${list}/${revoked.id}`)).body.state).toBe('revoked')
  expect((await by(maintainer)('DELETE', `${list}/${revoked.id}`)).status).toBe(200)

  const details: string[] = []
  for (const token of [expired.token, revoked.token, 'tts_unknown']) {
    const bodies = {
      view: { token },
      events: { token },
      segments: { token, tab, from: 0 },
      asset: { token, asset: hashOf(style) },
    }
    for (const [what, body] of Object.entries(bodies)) {
      const answer = await open(what, body)
      expect([what, answer.status, answer.body.type]).toEqual([what, 410, '/errors/link-expired'])
      if (what === 'view') details.push(answer.body.detail)
    }
  }
  expect(details).toEqual([
    'The link has expired.',
    'The link was revoked.',
    'The link is unknown or incomplete.',
  ])

  const audit = await stage.telltale.request('GET', '/api/v1/projects/shop/audit?entity=share-link', {
    as: stage.owner,
  })
  const ofRevoked = audit.body.items.filter(
    ({ entity }: { entity: { id: string } }) => entity.id === revoked.id,
  )
  expect(ofRevoked.map(({ action }: { action: string }) => action)).toEqual([
    'share-link.revoke',
    'share-link.create',
  ])
})

test('a link to a session whose data were deleted says so', async () => {
  const gone = newId()
  await visit(gone, style)
  const { token } = await share({ target: gone })
  const { telemetry } = stage.telltale.running.services
  for (const table of ['events', 'views', 'replay_segments', 'sessions']) {
    await telemetry.command(`DELETE FROM ${table} WHERE session_id = '${gone}'`)
  }
  await expect
    .poll(async () => (await open('view', { token })).body, patience)
    .toMatchObject({ kind: 'session', session: null, replay: null })
  expect((await open('events', { token })).body.items).toEqual([])
})

test('a link to a dashboard measures its tiles, and no others', async () => {
  const tile = (by: string, filter: string) => ({
    ...{ id: newId(), title: '', width: 6, height: 'small', kind: 'explore', chart: 'table' },
    ...{ measure: 'count', by, filter },
  })
  const [pages, users] = [tile('page', '-user:mara-or-anyone'), tile('user', 'kind:view')]
  const draft = { name: 'Checkout', description: '', tiles: [pages, users], defaults: { range: '24h' } }
  const path = '/api/v1/projects/shop/dashboards'
  const made = await by(editor)('POST', path, draft)
  expect(made.status).toBe(201)
  const { token } = await share({ kind: 'dashboard', target: made.body.id })
  const { body } = await open('view', { token })
  expect(body).toMatchObject({
    kind: 'dashboard',
    session: null,
    dashboard: { name: 'Checkout', range: '24h' },
  })
  expect(body.dashboard.tiles).toHaveLength(2)
  expect(JSON.stringify(body)).not.toMatch(/mara-or|owner/)

  const measure = (id: string, more: object = {}) => open('tile', { token, tile: id, range: '24h', ...more })
  const measured = await measure(pages.id)
  expect(measured.body).toMatchObject({ kind: 'explore' })
  expect(measured.body.now.total.events).toBeGreaterThan(0)
  expect((await measure(users.id)).status).toBe(403)
  expect((await measure(newId())).status).toBe(404)
  expect((await measure(pages.id, { range: '400d' })).status).toBe(400)
  // Each kind of link opens its own calls alone.
  expect((await open('events', { token })).status).toBe(410)
  const replay = await share()
  expect((await open('tile', { token: replay.token, tile: pages.id, range: '24h' })).status).toBe(410)

  await by(editor)('DELETE', `${path}/${made.body.id}`)
  expect((await open('view', { token })).body.dashboard).toBeNull()
})

test('a link needs an existing session, a short life and the permission', async () => {
  const make = (more: object, as = maintainer) => by(as)('POST', list, { ...draft, ...more })
  expect((await make({}, editor)).status).toBe(403)
  expect((await by(editor)('GET', list)).status).toBe(403)
  expect((await make({ target: newId() })).status).toBe(404)
  expect((await make({ env: 'production' })).status).toBe(404)
  for (const hours of [0, 90 * 24 + 1, 1.5]) expect((await make({ hours })).status).toBe(400)
})

test('wrong links are limited by address', async () => {
  const answers = []
  for (let count = 0; count < 12; count += 1)
    answers.push((await open('view', { token: `tts_x${count}` })).status)
  expect(answers.at(0)).toBe(410)
  expect(answers.at(-1)).toBe(429)
})

test('the calls that need no credential are these', () => {
  const open = callList.filter(({ call }) => call.permission === 'anyone').map(({ name }) => name)
  expect(open.filter((name) => /share/i.test(name)).toSorted()).toEqual([
    'getSharedAsset',
    'listSharedEvents',
    'readSharedSegments',
    'readSharedTile',
    'viewShared',
  ])
})
