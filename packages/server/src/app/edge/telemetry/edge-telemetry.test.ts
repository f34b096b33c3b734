// Telemetry through an edge to a real server: nothing lost or doubled while the server is away and the edge is killed.

import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Timing, usualTiming } from '@telltale/node/follow'
import { type Gate, openGate } from '@telltale/node/testing/gate'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { rumEvent, rumLines, sendRum } from '../../../../../../test/intake/datadog.ts'
import {
  environments,
  type IntakeStage,
  openIntakeStage,
  untilWritten,
} from '../../../../../../test/intake/stage.ts'
import { context, event, send, toLines, zipped } from '../../../../../../test/intake/visitor.ts'
import { createLog } from '../../../platform/process/log.ts'
import { readEdgeConfig } from '../edge-config.ts'
import { type RunningEdge, serveEdge } from '../serve-edge.ts'

const hour = 3_600_000
const day = 24 * hour
const timing: Timing = { ...usualTiming, poll: 100, reaction: 5, longestBackoff: 50 }

let stage: IntakeStage
let gate: Gate
let folder: string
let edge: RunningEdge
let client: string
let server: string

const argumentsOf = (data: string) => ['--server', gate.url, '--key', server, '--port', '0', '--data', data]

function startEdge({ data = folder, env = {}, age = 0 }: { data?: string; env?: object; age?: number } = {}) {
  const config = readEdgeConfig([...argumentsOf(data), '--log-level', 'silent'], { ...env })
  const clock = () => new Date(Date.now() - age)
  return serveEdge({ config, log: createLog('silent'), timing, settingsEvery: 100, clock })
}

beforeAll(async () => {
  stage = await openIntakeStage()
  client = await stage.clientKey('development')
  const created = await stage.telltale.request('POST', `${environments}/development/keys`, {
    as: stage.owner,
    body: { kind: 'server', label: 'Edge' },
  })
  server = created.body.value
  gate = await openGate(stage.telltale.url)
  folder = await mkdtemp(join(tmpdir(), 'telltale-edge-telemetry-'))
  edge = await startEdge()
})

afterAll(async () => {
  await edge?.stop()
  await gate?.close()
  await stage?.[Symbol.asyncDispose]()
  if (folder) await rm(folder, { recursive: true, force: true })
})

beforeEach(() => gate.open())

async function health(url = edge.url) {
  const { environments: all } = await (await fetch(`${url}/healthz`)).json()
  return all[0].telemetry
}

test('a batch is passed on with the browser and the key of its client, and kept no longer', async () => {
  const session = newId()
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  const batch = newId()
  const lines = [context({ session }), event('view'), event('custom', { name: 'bought' })]
  for (const body of [zipped(lines), zipped(lines)]) {
    const { status, body: receipt } = await send(edge.url, body, { key: client, batch, headers })
    expect([status, receipt]).toEqual([202, { accepted: 0, relayed: true, dropped: [] }])
  }
  const rows = await stage.untilStored(session, 2)
  expect(rows[0]).toMatchObject({ browser: 'Firefox', origin: 'browser' })
  await expect.poll(() => health(), { interval: 20 }).toMatchObject({ waitingBytes: 0, passedOn: 2 })
})

test("a batch of Datadog's client is passed on", async () => {
  const session = newId()
  const lines = rumLines([rumEvent('action', { type: 'click' }, { session: { id: session, type: 'user' } })])
  expect((await sendRum(lines, { url: edge.url, key: client })).status).toBe(202)
  await stage.untilStored(session, 1)
})

test('what an edge can know is refused as by its server', async () => {
  const tooLarge = Buffer.alloc(6 * 1_024 * 1_024, 0x20)
  const origin = { origin: 'https://shop.example' }
  for (const [body, sending] of [
    ['{}', { key: 'unknown' }],
    ['{}', { key: client, batch: 'no id' }],
    ['', { key: client }],
    ['{}', { key: client, headers: { 'content-encoding': 'br' } }],
    [tooLarge, { key: client, headers: origin }],
  ] as const) {
    const [ours, theirs] = await Promise.all(
      [edge.url, stage.telltale.url].map((url) => send(url, body, sending)),
    )
    expect(ours?.status).toBeGreaterThanOrEqual(400)
    const factsOf = (answer: typeof ours) => [answer?.status, answer?.body.type, answer?.body.detail]
    expect(factsOf(ours)).toEqual(factsOf(theirs))
    expect(ours?.headers.get('access-control-allow-origin')).toBe('*')
  }
  for (const key of ['', 'unknown', server]) {
    const [ours, theirs] = await Promise.all(
      [edge.url, stage.telltale.url].map((url) => sendRum('{}', { url, key })),
    )
    expect([ours?.status, await ours?.text()]).toEqual([theirs?.status, await theirs?.text()])
  }
})

test('a full spool refuses what can wait, and says when to come again', async () => {
  const small = await startEdge({ data: join(folder, 'small'), env: { TELLTALE_SPOOL_SIZE: '65536' } })
  await gate.close()
  try {
    const lines = [context(), event('custom', { name: 'x', attributes: { text: 'y'.repeat(1_000) } })]
    const sending = { key: client }
    let answer = await send(small.url, toLines(lines), sending)
    for (let sent = 1; answer.status === 202 && sent < 100; sent += 1)
      answer = await send(small.url, toLines(lines), sending)
    expect([answer.status, answer.body.type]).toEqual([503, '/errors/spool-full'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    await gate.open()
    await expect
      .poll(() => health(small.url), { timeout: 20_000, interval: 50 })
      .toMatchObject({ waitingBytes: 0 })
  } finally {
    await small.stop()
  }
})

test('events that waited for days keep their time, and only an edge may send such', async () => {
  const session = newId()
  const then = Date.now() - 5 * day
  // The clock of the client is an hour fast.
  const at = then - 60_000 + hour
  const lines = toLines([context({ session }), event('custom', { name: 'bought', at })])
  const direct = await send(stage.telltale.url, lines, { key: client, sent: Date.now() + hour })
  expect(direct.body.dropped).toEqual([{ reason: 'timestamp_out_of_range', count: 1 }])

  const data = join(folder, 'days')
  const early = await startEdge({ data, age: 5 * day })
  await gate.close()
  expect((await send(early.url, lines, { key: client, sent: then + hour })).status).toBe(202)
  await early.stop()
  await gate.open()
  const late = await startEdge({ data })
  try {
    const rows = await stage.untilStored(session, 1)
    const stored = Date.parse(`${String(rows[0]?.ts).replace(' ', 'T')}Z`)
    expect(Math.abs(stored - (then - 60_000))).toBeLessThan(30_000)
  } finally {
    await late.stop()
  }
})

test("events of Flagsmith's clients are passed on", async () => {
  const ask = (body: string) =>
    fetch(`${edge.url}/flagsmith/v1/events`, {
      method: 'POST',
      body,
      headers: { 'x-environment-key': client },
    })
  expect((await ask('{}')).status).toBe(400)
  const name = `bought-${newId()}`
  const events = [{ event: name, identifier: 'mara', timestamp: Date.now(), value: '7' }]
  const answer = await ask(JSON.stringify({ events }))
  expect([answer.status, await answer.json()]).toEqual([202, { accepted: 1, dropped: 0 }])
  const count = async () =>
    (await stage.read('SELECT value FROM events WHERE name = {name:String}', { name })).length
  await expect.poll(count, { timeout: 20_000, interval: 50 }).toBe(1)
})

test('a claim to pass requests on needs a server key of the environment', async () => {
  const query = `key=relayed&batch=${newId()}`
  const relay = { 'x-telltale-relay-key': newId(), 'x-telltale-relay-waited': String(5 * day) }
  const relayed = (headers: Record<string, string>) =>
    fetch(`${stage.telltale.url}/relayed/intake/v1/events?${query}`, { method: 'POST', body: '{}', headers })
  const ask = async (headers: Record<string, string>) => (await relayed(headers)).status
  expect(await ask({ ...relay, authorization: `Bearer ${client}` })).toBe(401)
  expect(await ask(relay)).toBe(401)
  expect(await ask({ ...relay, authorization: `Bearer ${server}` })).toBe(400)
  expect(await ask({ authorization: `Bearer ${server}` })).toBe(404)
  const old = { ...relay, 'x-telltale-relay-waited': String(15 * day), authorization: `Bearer ${server}` }
  const refused = await relayed(old)
  expect([refused.status, (await refused.json()).detail]).toEqual([400, expect.stringContaining('longer')])
})

test('what was answered with 202 is on the disk, and passed on once by the edge that finds it', async () => {
  const data = join(folder, 'killed')
  const first = await startEdge({ data })
  await gate.close()
  const sessions = Array.from({ length: 12 }, () => newId())
  const sendAll = (target: string) =>
    Promise.all(
      sessions.map(async (session) => {
        const body = toLines([context({ session }), event('view')])
        expect((await send(target, body, { key: client })).status).toBe(202)
      }),
    )
  await sendAll(first.url)
  // What a process that is killed now leaves.
  await cp(data, `${data}-again`, { recursive: true })
  await first.stop()

  const again = await startEdge({ data: `${data}-again` })
  try {
    await sendAll(again.url)
    await gate.open()
    for (const session of sessions) await stage.untilStored(session, 2)
    // The first one has the same requests, as after a crash before its progress was noted.
    const repeated = await startEdge({ data })
    await expect
      .poll(() => health(repeated.url), { timeout: 20_000, interval: 50 })
      .toMatchObject({ passedOn: 12 })
    await repeated.stop()
    await untilWritten(stage.telltale)
    for (const session of sessions) await stage.untilStored(session, 2)
  } finally {
    await again.stop()
  }
})
