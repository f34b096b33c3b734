// Bodies that unpack to many times what travelled, 160 in flight, into every way in, while the heap is small. Memory stays
// bounded, what has no room is told to come again, flags are answered all the time, and nothing accepted is lost.

import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request as startRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { v7 as newId } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { context, send, toLines, views } from '../intake/visitor.ts'
import { type Bomb, bombsOf } from './bombs.ts'
import { type ServerProcess, startServer } from './server.ts'

const inFlight = 160
const bombsInAll = 480
/** MiB of the heap, and of the budget for requests. */
const heap = 256
const budget = 96
/** MiB of the telemetry engine: the smallest that its setting takes. */
const engineMemory = 1_024
const recoveryLimit = 60_000

const owner = { email: 'mara@pedal.example', name: 'Mara', password: 'seven green bottles' }
const keys = { client: 'bombed-client-key', server: 'ser.bombed-server-key-0123456789' }
const environment = '/api/v1/projects/shop/environments/production'
const json = { 'content-type': 'application/json' }

let folder: string
let server: ServerProcess

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-bombs-'))
  const setup = join(folder, 'setup.json')
  const sampling = { session: 100, replay: 100, profile: 100 }
  // Segments are unpacked as a whole only where rules hide something in them.
  const scrub = { parameters: ['secret'], attributes: [], expressions: [] }
  const given = [
    { kind: 'client', value: keys.client },
    { kind: 'server', value: keys.server },
  ]
  const environments = [{ key: 'production', sampling, scrub, keys: given }]
  await writeFile(setup, JSON.stringify({ owner, projects: [{ key: 'shop', environments }] }))
  server = await startServer(join(folder, 'data'), {
    TELLTALE_SETUP: setup,
    TELLTALE_REQUEST_MEMORY: String(budget),
    TELLTALE_TELEMETRY_MEMORY: String(engineMemory),
    NODE_OPTIONS: `--max-old-space-size=${heap}`,
  })
})

afterEach(async () => {
  await server.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

/** In MiB; `VmHWM` is the highest until now. Nothing where there is no /proc. */
async function memoryOf(pid: number | undefined, line: 'VmRSS' | 'VmHWM'): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined)
  const kilobytes = status && new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024
}

/** The process that holds the tables. */
async function findEngine(pid: number | undefined): Promise<number | undefined> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  for (const child of children.split(' ').filter(Boolean)) {
    const line = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
    if (line.split('\0', 1)[0] === process.execPath) return Number(child)
  }
  return undefined
}

interface Answer {
  status: number
  retryAfter: number
}

// Connections are used again: a body that is not read to its end must not block the next one.
const agent = new Agent({ keepAlive: true, maxSockets: inFlight })

function throwBomb(bomb: Bomb): Promise<Answer> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(server.url)
    const body = bomb.body()
    const headers = { ...bomb.headers, 'content-length': body.length, 'idempotency-key': newId() }
    const options = { agent, hostname, port, path: bomb.path, method: bomb.method, headers }
    const sent = startRequest(options, async (answer) => {
      answer.resume()
      await once(answer, 'end').catch(() => undefined)
      resolve({ status: answer.statusCode ?? 0, retryAfter: Number(answer.headers['retry-after'] ?? 0) })
    })
    // What is far too large is not read to its end.
    sent.on('error', () => resolve({ status: 0, retryAfter: 0 }))
    sent.end(body)
  })
}

async function signIn(): Promise<string> {
  const { email, password } = owner
  const body = JSON.stringify({ email, password })
  const answer = await fetch(`${server.url}/api/v1/sign-in`, { method: 'POST', headers: json, body })
  expect(answer.status).toBe(200)
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

async function readIds(cookie: string): Promise<string[]> {
  const ids: string[] = []
  let cursor = ''
  do {
    const query = `?kind=view&limit=200${cursor}`
    const answer = await fetch(`${server.url}${environment}/events${query}`, { headers: { cookie } })
    if (answer.status === 503) return []
    expect(answer.status).toBe(200)
    const page = (await answer.json()) as { items: { id: string }[]; next: string | null }
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.next === null ? '' : `&cursor=${page.next}`
  } while (cursor !== '')
  return ids
}

async function visitUntil(isOver: () => boolean): Promise<string[]> {
  const promised: string[] = []
  while (!isOver()) {
    const events = views(2)
    const { status } = await send(server.url, toLines([context(), ...events]), { key: keys.client })
    expect([202, 503]).toContain(status)
    if (status === 202) promised.push(...events.map(({ id }) => String(id)))
    await pause(50)
  }
  return promised
}

/** Gives how often they were answered. */
async function readFlagsUntil(isOver: () => boolean): Promise<number> {
  let count = 0
  for (; !isOver(); count++) {
    const answer = await fetch(`${server.url}/ofrep/v1/evaluate/flags`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${keys.client}` },
      body: '{"context":{"targetingKey":"ada"}}',
    })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ flags: [] })
    await pause(25)
  }
  return count
}

/** By the name of the bomb: how often each status was answered. */
async function throwAll(bombs: readonly Bomb[]): Promise<Map<string, Map<number, number>>> {
  const reported = new Map(bombs.map(({ name }) => [name, new Map<number, number>()]))
  let thrown = 0
  const throwSome = async () => {
    for (;;) {
      const bomb = bombs[thrown++ % bombs.length]
      if (bomb === undefined || thrown > bombsInAll) return
      const { status, retryAfter } = await throwBomb(bomb)
      if (status === 503) expect(retryAfter, bomb.name).toBeGreaterThan(0)
      const counts = reported.get(bomb.name)
      counts?.set(status, (counts.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, throwSome))
  return reported
}

test('compression bombs do not fill the memory, block flags or lose accepted data', async ({ skip }) => {
  const rest = await memoryOf(server.child.pid, 'VmRSS')
  if (rest === undefined) return skip('memory is read from /proc')
  const cookie = await signIn()
  let isOver = false
  const visiting = visitUntil(() => isOver)
  const reading = readFlagsUntil(() => isOver)
  const reported = await throwAll(bombsOf({ ...keys, cookie }))
  isOver = true
  const promised = await visiting
  const flagReads = await reading

  const statuses = new Set([...reported.values()].flatMap((counts) => [...counts.keys()]))
  const answers = JSON.stringify([...reported].map(([name, counts]) => [name, Object.fromEntries(counts)]))
  for (const status of statuses) expect([0, 200, 202, 400, 413, 503], answers).toContain(status)
  expect(statuses, answers).toContain(503)
  expect(reported.get('replay of zeros')?.has(202), answers).toBe(false)
  expect(flagReads).toBeGreaterThan(10)
  expect(promised.length).toBeGreaterThan(10)

  // Beside the budget: young objects, buffers of connections, and garbage that is not collected yet.
  const peak = await memoryOf(server.child.pid, 'VmHWM')
  expect((peak ?? 0) - rest, answers).toBeLessThan(budget + heap)
  // The setting bounds what the engine counts; its program and what it maps come on top.
  const enginePeak = await memoryOf(await findEngine(server.child.pid), 'VmHWM')
  expect(enginePeak ?? Number.POSITIVE_INFINITY).toBeLessThan(engineMemory + 512)
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  expect(metrics).toMatch(/^telltale_request_memory_bytes 0$/m)
  expect(server.complaints()).not.toContain('heap out of memory')

  const deadline = Date.now() + recoveryLimit
  let stored = await readIds(cookie)
  while (stored.length < promised.length && Date.now() < deadline) {
    await pause(200)
    stored = await readIds(cookie)
  }
  expect(stored.sort()).toEqual(promised.sort())
})
