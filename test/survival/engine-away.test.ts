// An engine that several servers could share hangs, then is gone, then is there again: the server goes on taking batches,
// says that its store is away, and everything that it took is in the tables exactly once.

import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { v7 as newId } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type ClickhouseTarget,
  openClickhouse,
} from '../../packages/server/src/platform/engines/clickhouse/open.ts'
import {
  type EmbeddedClickhouse,
  startClickhouse,
} from '../../packages/server/src/platform/engines/clickhouse/start.ts'
import { context, event, send, toLines, views } from '../intake/visitor.ts'
import { type ServerProcess, startServer } from './server.ts'

const batches = 20
const eventsPerBatch = 10
/** Longer than a recovery takes on a busy machine; only a test that fails waits this long. */
const recoveryLimit = 120_000

const credentials = { username: 'telltale', password: 'a password of sixteen' }
const owner = { email: 'mara@pedal.example', name: 'Mara', password: 'seven green bottles' }
const key = 'survival-client-key'
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

let folder: string
let port: number
let engine: EmbeddedClickhouse | undefined
let server: ServerProcess
const sessions: string[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-away-'))
  port = await findPort()
  await startEngine()
  const setup = join(folder, 'setup.json')
  const environments = [{ key: 'production', keys: [{ kind: 'client', value: key }] }]
  await writeFile(setup, JSON.stringify({ owner, projects: [{ key: 'shop', environments }] }))
  server = await startServer(join(folder, 'data'), { ...settings(), TELLTALE_SETUP: setup })
})

afterEach(async () => {
  await server.end('SIGTERM')
  await engine?.stop()
  await rm(folder, { recursive: true, force: true })
})

function settings(): Record<string, string> {
  const url = new URL(`http://127.0.0.1:${port}/telltale`)
  Object.assign(url, credentials)
  return { CLICKHOUSE_URL: url.href }
}

async function startEngine(): Promise<void> {
  const shared = { address: { host: '127.0.0.1', port }, ...credentials }
  engine = await startClickhouse({ dataFolder: join(folder, 'engine'), log: quiet, shared })
}

async function findPort(): Promise<number> {
  const listening = createServer().listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  listening.close()
  await once(listening, 'close')
  if (address === null || typeof address === 'string') throw new Error('it has no port')
  return address.port
}

/** Each a session of its own, taken whatever the engine does. */
async function sendBatches(): Promise<void> {
  for (let count = 0; count < batches; count++) {
    const session = newId()
    const lines = [context({ session }), ...views(eventsPerBatch - 1), event('custom', { name: 'a' })]
    expect((await send(server.url, toLines(lines), { key })).status).toBe(202)
    sessions.push(session)
  }
}

async function untilAllStored(): Promise<void> {
  const wanted = sessions.length * eventsPerBatch
  await eventually(`${wanted} events are stored`, async () => {
    const { events, ofSessions } = await countStored()
    return events >= wanted && ofSessions >= wanted
  })
  expect(await countStored()).toEqual({ events: wanted, different: wanted, ofSessions: wanted })
}

/** A view fills the sessions, a moment after the events. */
async function countStored(): Promise<{ events: number; different: number; ofSessions: number }> {
  const target: ClickhouseTarget = { url: `http://127.0.0.1:${port}`, ...credentials, database: 'telltale' }
  const store = openClickhouse(() => target)
  try {
    const [found] = await store.read<Record<string, string>>(
      'SELECT count() AS events, uniqExact(event_id) AS different, (SELECT sum(events) FROM sessions) AS of_sessions FROM events',
    )
    return {
      events: Number(found?.events),
      different: Number(found?.different),
      ofSessions: Number(found?.of_sessions),
    }
  } finally {
    await store.close()
  }
}

async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + recoveryLimit
  while (!(await holds())) {
    if (Date.now() > deadline)
      throw new Error(`It never happened that ${what}. The server said: ${server.complaints()}`)
    await pause(100)
  }
}

async function isDegraded(): Promise<boolean> {
  const answer = await fetch(`${server.url}/health/ready`)
  const { degraded } = (await answer.json()) as { degraded: string[] }
  return degraded.includes('clickhouse')
}

test('data accepted while the engine hangs or is down is stored once afterwards', async () => {
  await sendBatches()
  await untilAllStored()

  const pid = engine?.pid() ?? 0
  process.kill(pid, 'SIGSTOP')
  await sendBatches()
  // The writer has its insert under way, and a second flush waits behind it.
  await pause(1_500)
  await sendBatches()
  process.kill(pid, 'SIGCONT')
  await untilAllStored()

  process.kill(pid, 'SIGSTOP')
  await sendBatches()
  process.kill(pid, 'SIGKILL')
  await engine?.stop()
  await eventually('the server says that its store is away', isDegraded)
  await sendBatches()
  await server.end('SIGKILL')
  // The server first: it has to wait for its store.
  server = await startServer(join(folder, 'data'), settings())
  await startEngine()
  await sendBatches()
  await untilAllStored()
})
