// What was answered 202 is in the tables exactly once after `kill -9` of the server, of its telemetry engine, and of both,
// and while the engine hangs, at any moment under load. A batch whose answer was lost is sent again under its id, as clients do.

import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { v7 as newId } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openClickhouse } from '../../packages/server/src/engines/clickhouse/open.ts'
import { startClickhouse } from '../../packages/server/src/engines/clickhouse/start.ts'
import { context, event, send, toLines, zipped } from '../intake/visitor.ts'
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

async function findEngines(): Promise<number[]> {
  const all = await listProcesses()
  return all
    .filter(({ parent, command }) => parent === server.child.pid && command.includes('telemetry-engine'))
    .map(({ pid }) => pid)
}

async function killEngine(): Promise<void> {
  for (const pid of await findEngines()) {
    process.kill(pid, 'SIGKILL')
    enginesKilled += 1
  }
}

/** For a moment, in which the server goes on taking batches. */
async function haltEngine(): Promise<void> {
  const engines = await findEngines()
  for (const pid of engines) process.kill(pid, 'SIGSTOP')
  await pause(randomInt(mostDelay))
  for (const pid of engines) process.kill(pid, 'SIGCONT')
}

interface SomeProcess {
  pid: number
  parent: number
  command: string
}

/** From /proc, or from `ps` where there is none. */
async function listProcesses(): Promise<SomeProcess[]> {
  const names = await readdir('/proc').catch(() => undefined)
  if (names === undefined) {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args='])
    return stdout.split('\n').map((line) => {
      const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number)
      return { pid, parent, command: line }
    })
  }
  const pids = names.map(Number).filter((pid) => pid > 0)
  return Promise.all(
    pids.map(async (pid) => {
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
      const [stat, command] = await Promise.all([read('stat'), read('cmdline')])
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return { pid, parent: Number(parent), command }
    }),
  )
}

async function restart(): Promise<void> {
  await server.end('SIGKILL')
  server = await startServer(join(folder, 'data'), settings)
}

const blows = [restart, killEngine, haltEngine, () => Promise.all([killEngine(), restart()])]

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

test(`every event that was promised is there once after ${rounds} blows`, async () => {
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
