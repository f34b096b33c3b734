// What was answered 202, or 200 of spans, is in the tables exactly once after `kill -9` of the server, of its telemetry engine, and of both,
// and while the engine hangs, at any moment under load. A batch whose answer was lost is sent again under its id, as clients do.

import { randomInt } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { v7 as newId } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openClickhouse } from '../../packages/server/src/platform/engines/clickhouse/open.ts'
import { startClickhouse } from '../../packages/server/src/platform/engines/clickhouse/start.ts'
import { newSpanId, newTraceId, sendOtlp, spanOf, traceRequest } from '../intake/otlp.ts'
import { context, event, send, toLines, zipped } from '../intake/visitor.ts'
import { haltEngine, killEngine } from './blows.ts'
import { type ServerProcess, startServer } from './server.ts'

/** Four of each kind; more by hand. */
const rounds = Number(process.env.TELLTALE_TEST_KILLS ?? 16)
const senders = 3
const eventsPerBatch = 15
/** Somewhere within what a batch, a flush and an insert take. */
const mostDelay = 700
/** Longer than a recovery takes on a busy machine; only a test that fails waits this long. */
const recoveryLimit = 120_000

const owner = { email: 'mara@pedal.example', name: 'Mara', password: 'seven green bottles' }
const key = 'survival-client-key'
const serverKey = 'ser.survival-server-key'
const list = '/api/v1/projects/shop/environments/production/events'

let folder: string
let server: ServerProcess
let settings: Record<string, string>
let enginesKilled = 0

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-intake-'))
  const setup = join(folder, 'setup.json')
  const keys = [
    { kind: 'client', value: key },
    { kind: 'server', value: serverKey },
  ]
  const environments = [{ key: 'production', keys }]
  await writeFile(setup, JSON.stringify({ owner, projects: [{ key: 'shop', environments }] }))
  settings = { TELLTALE_SETUP: setup }
  server = await startServer(join(folder, 'data'), settings)
})

afterEach(async () => {
  await server.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

/** Sends batch after batch, each until it is answered 202; gives the ids of all events that were promised. */
function startSender(isOver: () => boolean): Promise<string[]> {
  const promised: string[] = []
  const sendAll = async () => {
    while (!isOver()) {
      const batch = newId()
      const events = Array.from({ length: eventsPerBatch }, (_, index) =>
        event('custom', { name: `n${index}` }),
      )
      const lines = [context(), ...events]
      const body = randomInt(2) === 0 ? zipped(lines) : toLines(lines)
      while ((await attempt(batch, body)) !== 202) await pause(20)
      promised.push(...events.map(({ id }) => String(id)))
      await pause(randomInt(20))
    }
    return promised
  }
  return sendAll()
}

/** The same of spans: gives the ids of those that were answered 200. */
async function sendSpans(isOver: () => boolean): Promise<string[]> {
  const promised: string[] = []
  while (!isOver()) {
    const ids = Array.from({ length: eventsPerBatch }, newSpanId)
    const traceId = newTraceId()
    const body = JSON.stringify(
      traceRequest(
        'orders',
        ids.map((spanId) => spanOf({ traceId, spanId })),
      ),
    )
    const headers = { authorization: `Bearer ${serverKey}` }
    for (let status = 0; status !== 200; ) {
      const answer = await sendOtlp(server.url, { path: '/v1/traces', body, headers }).catch(() => undefined)
      if (answer !== undefined && answer.status !== 200) expect(answer.status).toBe(503)
      status = answer?.status ?? 0
      if (status !== 200) await pause(20)
    }
    promised.push(...ids)
    await pause(randomInt(20))
  }
  return promised
}

/** A connection that breaks is an answer that never came. */
async function attempt(batch: string, body: string | Uint8Array): Promise<number> {
  const answer = await send(server.url, body, { key, batch }).catch(() => undefined)
  // Whatever is the matter, a batch of ours is never at fault.
  if (answer !== undefined && answer.status !== 202) expect(answer.status).toBe(503)
  return answer?.status ?? 0
}

async function restart(): Promise<void> {
  await server.end('SIGKILL')
  server = await startServer(join(folder, 'data'), settings)
}

async function kill(): Promise<void> {
  enginesKilled += await killEngine(server)
}

const halt = () => haltEngine(server, mostDelay)
const blows = [restart, kill, halt, () => Promise.all([kill(), restart()])]

async function signIn(): Promise<Record<string, string>> {
  const answer = await fetch(`${server.url}/api/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: owner.email, password: owner.password }),
  })
  expect(answer.status).toBe(200)
  return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}

async function readIds(headers: Record<string, string>): Promise<string[]> {
  const ids: string[] = []
  let cursor = ''
  do {
    const answer = await fetch(`${server.url}${list}?kind=custom&limit=200${cursor}`, { headers })
    if (answer.status === 503) return []
    expect(answer.status).toBe(200)
    const page = (await answer.json()) as { items: { id: string }[]; next: string | null }
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.next === null ? '' : `&cursor=${page.next}`
  } while (cursor !== '')
  return ids
}

test(`every acknowledged event and span is stored once after ${rounds} kills`, async () => {
  let isOver = false
  const sending = Promise.all(Array.from({ length: senders }, () => startSender(() => isOver)))
  const sendingSpans = sendSpans(() => isOver)
  for (let round = 0; round < rounds; round++) {
    await pause(randomInt(mostDelay))
    await blows[round % blows.length]?.()
  }
  isOver = true
  const promised = (await sending).flat().sort()
  const promisedSpans = (await sendingSpans).sort()
  expect(promised.length).toBeGreaterThan(rounds * eventsPerBatch)
  expect(promisedSpans.length).toBeGreaterThan(rounds * eventsPerBatch)
  expect(enginesKilled).toBeGreaterThan(2)

  const headers = await signIn()
  const deadline = Date.now() + recoveryLimit
  let stored = await readIds(headers)
  while (stored.length < promised.length && Date.now() < deadline) {
    await pause(200)
    stored = await readIds(headers)
  }
  expect(stored.length, server.complaints()).toBe(promised.length)
  expect(stored.sort()).toEqual(promised)
  await server.end('SIGTERM')
  const found = await readStore()
  expect(found.ofSessions).toBe(promised.length)
  expect(found.spans).toEqual(promisedSpans)
  expect(found.ofTraces).toBe(promisedSpans.length)
})

/** The spans; and what views counted, which a blow in the middle of an insert could have kept from them. */
async function readStore(): Promise<{ ofSessions: number; spans: string[]; ofTraces: number }> {
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const engine = await startClickhouse({ dataFolder: join(folder, 'data'), log: quiet })
  const store = openClickhouse(() => ({ ...engine.target(), database: 'telltale' }))
  try {
    const [sums] = await store.read<{ events: string; spans: string }>(
      'SELECT (SELECT sum(events) FROM sessions) AS events, (SELECT sum(spans) FROM traces) AS spans',
    )
    const rows = await store.read<{ id: string }>('SELECT span_id AS id FROM spans ORDER BY id')
    const spans = rows.map(({ id }) => id)
    return { ofSessions: Number(sums?.events), spans, ofTraces: Number(sums?.spans) }
  } finally {
    await store.close()
    await engine.stop()
  }
}
