// What was answered 202 is in the tables exactly once after `kill -9` of the server, of its telemetry engine, and of both,
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
import { context, event, send, toLines, zipped } from '../intake/visitor.ts'
import { haltEngine, killEngine } from './blows.ts'
import { type ServerProcess, startServer } from './server.ts'

const rounds = 32
const senders = 3
const eventsPerBatch = 15
/** Somewhere within what a batch, a flush and an insert take. */
const mostDelay = 700
/** Longer than a recovery takes on a busy machine; only a test that fails waits this long. */
const recoveryLimit = 120_000

const owner = { email: 'mara@pedal.example', name: 'Mara', password: 'seven green bottles' }
const key = 'survival-client-key'
const list = '/api/v1/projects/shop/environments/production/events'

let folder: string
let server: ServerProcess
let settings: Record<string, string>
let enginesKilled = 0

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-intake-'))
  const setup = join(folder, 'setup.json')
  const environments = [{ key: 'production', keys: [{ kind: 'client', value: key }] }]
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

test(`every acknowledged event is stored once after ${rounds} kills`, async () => {
  let isOver = false
  const sending = Promise.all(Array.from({ length: senders }, () => startSender(() => isOver)))
  for (let round = 0; round < rounds; round++) {
    await pause(randomInt(mostDelay))
    await blows[round % blows.length]?.()
  }
  isOver = true
  const promised = (await sending).flat().sort()
  expect(promised.length).toBeGreaterThan(rounds * eventsPerBatch)
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
  expect(await countOfSessions()).toBe(promised.length)
})

/** What a view counted of the events, which a blow in the middle of an insert could have kept from it. */
async function countOfSessions(): Promise<number> {
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const engine = await startClickhouse({ dataFolder: join(folder, 'data'), log: quiet })
  const store = openClickhouse(() => ({ ...engine.target(), database: 'telltale' }))
  try {
    const [found] = await store.read<{ n: string }>('SELECT sum(events) AS n FROM sessions')
    return Number(found?.n)
  } finally {
    await store.close()
    await engine.stop()
  }
}
