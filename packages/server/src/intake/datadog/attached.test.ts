// Recordings and profiles of the Datadog client that are broken, late, too large or duplicated.

import { deflateSync, gzipSync } from 'node:zlib'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleEverything } from '../../../../../test/intake/sample-everything.ts'
import { type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'

let stage: IntakeStage
let key: string
const patience = { timeout: 30_000, interval: 100 }

beforeAll(async () => {
  stage = await openIntakeStage()
  key = await sampleEverything(stage)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

type Parts = Record<string, Uint8Array | string | undefined>

async function post(track: string, body: FormData | string | Uint8Array, type?: string): Promise<number> {
  const address = `${stage.telltale.url}/intake/datadog/api/v2/${track}?dd-api-key=${key}&dd-request-id=${newId()}`
  const answer = await fetch(address, {
    method: 'POST',
    body: body instanceof Uint8Array ? new Uint8Array(body) : body,
    ...(type !== undefined && { headers: { 'content-type': type } }),
  })
  await answer.arrayBuffer()
  return answer.status
}

function formOf(parts: Parts): FormData {
  const form = new FormData()
  for (const [name, part] of Object.entries(parts)) {
    if (part === undefined) continue
    form.append(name, new Blob([typeof part === 'string' ? part : new Uint8Array(part)]), name)
  }
  return form
}

const text = (records: unknown = [{ type: 4, timestamp: Date.now(), data: {} }]) =>
  JSON.stringify({ records })
const about = (more: object = {}) => ({
  start: Date.now() - 5_000,
  end: Date.now() - 1_000,
  index_in_view: 0,
  records_count: 1,
  has_full_snapshot: true,
  session: { id: newId() },
  view: { id: newId() },
  ...more,
})
const segment = (event: object, packed: Uint8Array = deflateSync(text())) =>
  post('replay', formOf({ segment: packed, event: JSON.stringify(event) }))
const stored = (session: string) =>
  stage.read<{ seq: number; enc: string; started: string }>(
    'SELECT seq, enc, toString(toUnixTimestamp64Milli(started)) AS started FROM replay_segments WHERE session_id = {session:UUID} ORDER BY seq',
    { session },
  )

test('a segment is stored once, with any compression', async () => {
  const session = { id: newId() }
  const view = { id: newId() }
  const packings = [deflateSync(text()), gzipSync(text()), Buffer.from(text())]
  for (const [index, packed] of packings.entries()) {
    const event = about({ session, view, index_in_view: index, raw_segment_size: text().length })
    expect(await Promise.all([segment(event, packed), segment(event, packed)])).toEqual([202, 202])
  }
  await expect
    .poll(async () => (await stored(session.id)).map(({ enc }) => enc), patience)
    .toEqual(['zlib', 'gzip', 'gzip'])
})

test('a version 6 recording is rejected by name, and similar text in a page is not mistaken for one', async () => {
  const count = () =>
    new Map<string, number>(stage.telltale.running.services.intake.outcomes.totals()).get(
      'unsupported_recording',
    ) ?? 0
  const timestamp = Date.now()
  const before = count()
  const page = { data: { node: { type: 0, childNodes: [], id: 1 }, initialOffset: { left: 0, top: 0 } } }
  const mutation = { data: { source: 0, adds: [], removes: [], texts: [], attributes: [] } }
  for (const old of [
    { ...page, type: 2, timestamp },
    { ...mutation, type: 3, timestamp },
  ]) {
    const session = { id: newId() }
    expect(await segment(about({ session }), deflateSync(text([old])))).toBe(400)
    expect(await stored(session.id)).toEqual([])
  }
  expect(count()).toBe(before + 2)
  const session = { id: newId() }
  const quoting = [{ type: 12, timestamp, data: [[11, 4, '"data":{"source":0,']] }]
  expect(await segment(about({ session }), deflateSync(text(quoting)))).toBe(202)
  await expect.poll(async () => (await stored(session.id)).length, patience).toBe(1)
})

test('invalid segments are rejected and not stored', async () => {
  const session = { id: newId() }
  const none = about({ session })
  for (const wrong of [
    { index_in_view: -1 },
    { index_in_view: 1.5 },
    { index_in_view: 2 ** 40 },
    { records_count: 0 },
    { records_count: 1e9 },
    { view: { id: 'x' } },
    { session: {} },
    { start: 'yesterday' },
    { start: Date.now(), end: Date.now() - 60_000 },
    { start: Date.now() - 86_400_000 },
    { raw_segment_size: 3 },
  ]) {
    expect(await segment({ ...none, ...wrong }), JSON.stringify(wrong)).toBe(400)
  }
  for (const packed of [deflateSync('no object'), deflateSync(text()).subarray(0, 20), Buffer.from('[]')]) {
    expect(await segment(none, packed)).toBe(400)
  }
  expect(await post('replay', formOf({ event: JSON.stringify(none) }))).toBe(400)
  expect(await post('replay', formOf({ segment: deflateSync(text()) }))).toBe(400)
  expect(await post('replay', formOf({ segment: deflateSync(text()), event: '{' }))).toBe(400)
  expect(await post('replay', 'no form', 'multipart/form-data; boundary=x')).toBe(400)
  expect(await post('replay', 'no form', 'multipart/form-data')).toBe(400)
  expect(await post('replay', 'no form', 'text/plain')).toBe(400)
  const many = formOf(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`part${index}`, 'x'])))
  expect(await post('replay', many)).toBe(400)
  expect(await stored(session.id)).toEqual([])
})

test('a compression bomb ends at its limit, and so does an endless form', async () => {
  const bomb = deflateSync(Buffer.alloc(60 * 1_024 * 1_024))
  expect(await segment(about(), bomb)).toBe(413)
  expect(await segment(about(), Buffer.alloc(6 * 1_024 * 1_024))).toBe(413)
  expect(await segment(about())).toBe(202)
})

test("a wrong clock is corrected by the session's events or, before them, by arrival", async () => {
  const day = 86_400_000
  const session = { id: newId() }
  const before = Date.now()
  const [start, end] = [before + 400 * day - 5_000, before + 400 * day]
  expect(await segment(about({ session, start, end }))).toBe(202)
  await expect.poll(async () => (await stored(session.id)).length, patience).toBe(1)
  const [found] = await stored(session.id)
  expect(Math.abs(Number(found?.started) - (before - 5_000))).toBeLessThan(30_000)
})

test('canvas images are counted, without asking the client to resend', async () => {
  const event = JSON.stringify({ type: 'resource', application: { id: 'shop' } })
  expect(await post('replay', formOf({ image: 'RIFF', event }))).toBe(202)
})

test('invalid profiles are rejected; an empty one is accepted and not stored', async () => {
  const clocks = (relative: number) => ({ relative, timeStamp: Date.now() - 60_000 + relative })
  const trace = {
    resources: [],
    frames: [],
    stacks: [],
    samples: [{ timestamp: 10 }],
    sampleInterval: 10,
    startClocks: clocks(0),
    endClocks: clocks(50_000),
    clocksOrigin: clocks(0),
  }
  const times = { start: new Date(Date.now() - 60_000).toISOString(), end: new Date().toISOString() }
  const event = { session: { id: newId() }, ...times }
  const send = (given: unknown, of: object = event) =>
    post('profile', formOf({ event: JSON.stringify(of), 'wall-time.json': JSON.stringify(given) }))
  expect(await send(trace)).toBe(202)
  for (const broken of [null, [], { ...trace, clocksOrigin: 0 }]) expect(await send(broken)).toBe(400)
  const looped = {
    ...trace,
    frames: [{}],
    stacks: [{ frameId: 0, parentId: 0 }],
    samples: [{ timestamp: 1, stackId: 0 }],
  }
  expect(await send(looped)).toBe(400)
  for (const wrong of [{ session: {} }, { start: 'x' }, { start: times.end, end: times.start }])
    expect(await send(trace, { ...event, ...wrong })).toBe(400)
  expect(await post('profile', formOf({ event: JSON.stringify(event) }))).toBe(400)
})
