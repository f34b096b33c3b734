// A replay as the player reads it: segments, gaps, keeping and notes.

import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashOf, type SomeSegment, segment, sendAttachment } from '../../../../../test/intake/attachments.ts'
import { noteNightBefore } from '../../../../../test/intake/note-night.ts'
import { sampleEverything } from '../../../../../test/intake/sample-everything.ts'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import type { SomePerson } from '../../../../../test/start.ts'
import { deleteCopies } from '../../intake/retention/copy-kept.ts'
import { runNight } from '../../intake/retention/run-night.ts'
import { type Removal, renderRemoval } from '../../platform/engines/clickhouse/schema/removal.ts'
import { replayNotes } from '../../platform/engines/postgres/replay-schema.ts'
import { retentionNights } from '../../platform/engines/postgres/retention-schema.ts'

let stage: IntakeStage
let key: string
let editor: SomePerson
let viewer: SomePerson
const patience = { timeout: 20_000, interval: 50 }

beforeAll(async () => {
  stage = await openIntakeStage()
  key = await sampleEverything(stage)
  editor = await stage.telltale.person({ in: { shop: 'editor' } })
  viewer = await stage.telltale.person({ in: { shop: 'viewer' } })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const pathOf = (session: string, rest = '') => `${environments}/development/sessions/${session}/replay${rest}`
const ask = (method: string, path: string, { as = viewer, body }: { as?: SomePerson; body?: object } = {}) =>
  stage.telltale.request(method, path, { as, ...(body && { body }) })
const record = async (segments: SomeSegment[]) => {
  for (const each of segments) {
    const sent = await sendAttachment(stage.telltale.url, { kind: 'replay', body: segment(each), key })
    expect(sent.body.accepted).toBe(1)
  }
}
const untilStored = async (session: string, count: number) => {
  const stored = () =>
    stage.read('SELECT seq FROM replay_segments WHERE session_id = {session:UUID}', { session })
  await expect.poll(async () => (await stored()).length, patience).toBe(count)
}
const began = Date.now() - 60_000
const at = (index: number) => began + index * 5_000
const records = (index: number) => [
  { type: 3, data: { source: 5, id: 9, text: `part ${index}` }, timestamp: at(index) },
  { type: 3, data: {}, timestamp: at(index) + 1 },
]

test('the index lists tabs, segments and gaps', async () => {
  const [session, first, second] = [newId(), newId(), newId()]
  const of = (tab: string, index: number, more: SomeSegment = {}): SomeSegment => ({
    session,
    tab,
    index,
    startedAt: at(index),
    records: records(index),
    ...more,
  })
  // Out of order, with two segments missing, and in another tab without a full snapshot.
  await record([
    of(first, 4),
    of(first, 0),
    of(first, 1),
    of(first, 5, { full: true }),
    of(second, 1),
    of(second, 2, { full: true }),
  ])
  await untilStored(session, 6)

  const { status, body } = await ask('GET', pathOf(session))
  expect(status).toBe(200)
  expect(body).toMatchObject({ session, running: true, complete: true, kept: null, notes: [] })
  expect(Date.parse(body.expiresAt)).toBe(began + 30 * 86_400_000)
  const instant = (time: number) => new Date(time).toISOString()
  const [one, two] = body.tabs
  expect(one.segments.map(({ index, full }: { index: number; full: boolean }) => [index, full])).toEqual([
    ...[
      [0, true],
      [1, false],
      [4, false],
      [5, true],
    ],
  ])
  expect(one.gaps).toEqual([
    { from: instant(at(1) + 5_000), to: instant(at(4)), missing: 2, why: 'missing' },
    { from: instant(at(4)), to: instant(at(4) + 5_000), missing: 0, why: 'no-beginning' },
  ])
  expect(two.gaps.map(({ why, missing }: { why: string; missing: number }) => [why, missing])).toEqual([
    ['missing', 1],
    ['no-beginning', 0],
  ])
})

test('segments come as lines, a part that cannot be read as a broken one', async () => {
  const [session, tab] = [newId(), newId()]
  const indexes = Array.from({ length: 45 }, (_, index) => index)
  await record(indexes.map((index) => ({ session, tab, index, startedAt: at(0), records: records(index) })))
  await untilStored(session, indexes.length)
  const outcome = await stage.telltale.running.services.telemetry.insert({
    table: 'replay_segments',
    columns: [
      'environment_id',
      'day',
      'session_id',
      'tab_id',
      'seq',
      'started',
      'ended',
      'format',
      'records',
      'b64',
    ],
    rows: Buffer.from(
      `${JSON.stringify([stage.environment, new Date(began).toISOString().slice(0, 10), session, tab, 45, began, began, 'rrweb-2', 1, Buffer.from('no gzip').toString('base64')])}\n`,
    ),
    token: newId(),
  })
  expect(outcome.kind).toBe('stored')

  const answer = await ask('GET', pathOf(session, `/segments?tab=${tab}&from=1&to=60`))
  expect(answer.headers.get('content-type')).toMatch('application/x-ndjson')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  const lines = String(answer.body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const heads = lines.filter((line) => line.segment).map(({ segment: { index, broken } }) => [index, broken])
  expect(heads).toEqual([...indexes.slice(1).map((index) => [index, false]), [45, true]])
  expect(lines.flatMap(({ state }) => state?.value ?? [])).toEqual(
    indexes.slice(1).map((index) => `part ${index}`),
  )
  expect(lines.at(-1)).toEqual({ next: null })
  const none = await ask('GET', pathOf(newId(), `/segments?tab=${tab}&from=0`))
  expect(none.body).toBe('{"next":null}\n')
})

test('an asset is read by its hash, and never as a page of ours', async () => {
  const css = Buffer.from('.card{color:red}\n'.repeat(200))
  const hash = hashOf(css)
  await sendAttachment(stage.telltale.url, {
    kind: 'asset',
    body: css,
    key,
    query: { hash, type: 'text/css' },
  })
  const path = `${environments}/development/replay-assets/${hash}`
  await expect.poll(async () => (await ask('GET', path)).status, patience).toBe(200)
  const answer = await ask('GET', path)
  expect(answer.body).toBe(css.toString())
  expect(answer.headers.get('content-type')).toMatch('text/css')
  expect(answer.headers.get('content-security-policy')).toContain('sandbox')
  expect(answer.headers.get('cache-control')).toContain('immutable')
  expect((await ask('GET', `${environments}/production/replay-assets/${hash}`)).status).toBe(404)
  const stranger = await stage.telltale.person()
  expect((await ask('GET', path, { as: stranger })).status).toBe(404)
})

test('a kept recording outlives its retention, later segments included, until it is released', async () => {
  const [session, tab] = [newId(), newId()]
  const of = (index: number) => ({ session, tab, index, startedAt: at(index), records: records(index) })
  await record([of(0)])
  await untilStored(session, 1)
  expect((await ask('PUT', pathOf(session, '/keep'), { body: {} })).status).toBe(403)
  const kept = await ask('PUT', pathOf(session, '/keep'), {
    as: editor,
    body: { reason: 'the cart is empty' },
  })
  expect(kept.body).toMatchObject({ reason: 'the cart is empty' })
  expect((await ask('PUT', pathOf(session, '/keep'), { as: editor, body: {} })).body).toEqual(kept.body)

  await record([of(1)])
  await untilStored(session, 2)
  await runNight(stage.telltale.running.services)
  // Only segments without a copy: none is written twice to be merged later.
  const copies = await stage.read('SELECT seq FROM replay_kept WHERE session_id = {session:UUID}', {
    session,
  })
  expect(copies).toHaveLength(2)
  await stage.telltale.running.services.telemetry.command(
    `DELETE FROM replay_segments WHERE session_id = '${session}'`,
  )
  const { body } = await ask('GET', pathOf(session))
  expect(body.tabs[0].segments).toHaveLength(2)
  expect(body).toMatchObject({ kept: kept.body, expiresAt: null })
  const lines = await ask('GET', pathOf(session, `/segments?tab=${tab}&from=0`))
  expect(lines.body).toContain('part 1')

  expect((await ask('DELETE', pathOf(session, '/keep'), { as: editor })).status).toBe(204)
  expect((await ask('GET', pathOf(session))).status).toBe(404)
  const audit = await stage.telltale.request('GET', '/api/v1/projects/shop/audit?entity=replay', {
    as: stage.owner,
  })
  expect(audit.body.items.map(({ action }: { action: string }) => action)).toEqual([
    'replay.release',
    'replay.keep',
  ])
})

test('concurrent requests to keep a recording get the one who kept it', async () => {
  const session = newId()
  await record([{ session, startedAt: at(0) }])
  await untilStored(session, 1)
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      ask('PUT', pathOf(session, '/keep'), { as: editor, body: { reason: `reason ${index}` } }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(new Set(answers.map(({ body }) => body.reason)).size).toBe(1)
})

test('copies are deleted where the rows of a cluster lie', async () => {
  const removals: Removal[] = []
  const ref = { environmentId: newId(), sessionId: newId() }
  await deleteCopies({ remove: async (removal) => void removals.push(removal) }, ref)
  const [removal] = removals
  expect(removal && renderRemoval(removal, { database: 'telltale', cluster: 'all' })).toMatch(
    /^DELETE FROM \S+ ON CLUSTER \S*all/,
  )
})

test('notes go with the recording that they are about, unless it is kept', async () => {
  const { services } = stage.telltale.running
  const [gone, kept] = [newId(), newId()]
  await record([gone, kept].map((session) => ({ session, startedAt: at(0) })))
  for (const session of [gone, kept]) {
    await untilStored(session, 1)
    const body = { at: new Date(at(0)).toISOString(), text: 'here' }
    expect((await ask('POST', pathOf(session, '/notes'), { as: editor, body })).status).toBe(201)
  }
  await ask('PUT', pathOf(kept, '/keep'), { as: editor, body: {} })
  await services.db.delete(retentionNights)
  const later = new Date(Date.now() + 40 * 86_400_000)
  await noteNightBefore(services.db, later)
  await runNight({ ...services, clock: () => later })
  const sessions = await services.db.select({ session: replayNotes.sessionId }).from(replayNotes)
  const left = sessions.map(({ session }) => session)
  expect(left).toContain(kept)
  expect(left).not.toContain(gone)
  expect((await ask('GET', pathOf(kept))).body.tabs[0].segments).toHaveLength(1)
  expect((await ask('GET', pathOf(gone))).status).toBe(404)
})

test('notes are at their moment, in order', async () => {
  const session = newId()
  await record([{ session, startedAt: at(0) }])
  await untilStored(session, 1)
  const note = (time: number, text: string) =>
    ask('POST', pathOf(session, '/notes'), { as: editor, body: { at: new Date(time).toISOString(), text } })
  const late = await note(at(2), 'here it breaks')
  expect(late.status).toBe(201)
  await note(at(1), 'the click')
  const texts = async () =>
    (await ask('GET', pathOf(session))).body.notes.map(({ text }: { text: string }) => text)
  expect(await texts()).toEqual(['the click', 'here it breaks'])
  expect((await ask('DELETE', pathOf(session, `/notes/${late.body.id}`), { as: editor })).status).toBe(204)
  expect(await texts()).toEqual(['the click'])
  expect((await note(at(1), ' ')).status).toBe(400)
})
