// What was answered 2xx is there after `kill -9` of the server and of PostgreSQL, the audit log included, and nothing
// that was killed leaves a process behind.

import { randomInt } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  findClusterProcesses,
  nameCluster,
} from '../../packages/server/src/platform/engines/postgres/cluster-processes.ts'
import { type ServerProcess, startServer } from './server.ts'
import { createWriter, type Writer } from './writer.ts'

/** More by hand. */
const rounds = Number(process.env.TELLTALE_TEST_KILLS ?? 10)
/** Each takes as long as PostgreSQL needs to come back. */
const databaseRounds = Math.ceil(rounds / 2)
/** Somewhere within what a round of writing takes, so that the blow falls into every step of a change. */
const mostDelay = 500
/** Longer than a recovery takes on a busy machine; only a test that fails waits this long. */
const recoveryLimit = 60_000

let folder: string
let server: ServerProcess
let headers: Record<string, string>
let writer: Writer

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-kill-'))
  server = await startServer(folder)
  headers = await setUp(server)
  writer = createWriter(headers)
})

afterEach(async () => {
  await server.end('SIGTERM')
  expect(await postmasters()).toHaveLength(0)
  await rm(folder, { recursive: true, force: true })
})

async function setUp({ url, setupCode }: ServerProcess): Promise<Record<string, string>> {
  const owner = { name: 'Mara', email: 'mara@pedal.example', password: 'seven green bottles' }
  const answer = await fetch(`${url}/api/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: setupCode, owner, project: { key: 'renamed', name: 'Renamed' } }),
  })
  expect(answer.status).toBe(201)
  return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}

async function postmasters(): Promise<number[]> {
  const clusterFolder = join(folder, 'postgres')
  const cluster = { clusterFolder, clusterName: await nameCluster(clusterFolder) }
  return (await findClusterProcesses(cluster))
    .filter(({ isPostmaster }) => isPostmaster)
    .map(({ pid }) => pid)
}

async function read<Item>(path: string): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const next: string = cursor === '' ? '' : `&cursor=${cursor}`
    const answer = await fetch(`${server.url}${path}limit=200${next}`, { headers })
    expect(answer.status).toBe(200)
    const page = (await answer.json()) as { items: Item[]; next: string | null }
    items.push(...page.items)
    cursor = page.next
  }
  return items
}

interface Entry {
  action: string
  entity: { name: string }
  changes: { pointer: string; after?: unknown }[]
}

async function expectNothingLost(): Promise<void> {
  const { projects, names } = writer.acknowledged
  const kept = new Set((await read<{ key: string }>('/api/v1/projects?')).map(({ key }) => key))
  expect(projects.filter((key) => !kept.has(key))).toEqual([])

  const entries = await read<Entry>('/api/v1/audit?entity=project&')
  const created = new Set(
    entries.filter(({ action }) => action === 'project.create').map(({ entity }) => entity.name),
  )
  const renamed = new Set(entries.flatMap(({ changes }) => changes.map(({ after }) => after)))
  expect(projects.filter((key) => !created.has(key))).toEqual([])
  expect(names.filter((name) => !renamed.has(name))).toEqual([])
}

const countAcknowledged = () => writer.acknowledged.names.length + writer.acknowledged.projects.length

test(`the server is killed ${rounds} times during changes`, async () => {
  for (let round = 0; round < rounds; round++) {
    const blow = writer
      .next()
      .then(() => pause(randomInt(mostDelay)))
      .then(() => server.end('SIGKILL'))
    await writer.write(server, blow)
    server = await startServer(folder)
    await untilOnePostmaster()
  }
  expect(countAcknowledged()).toBeGreaterThanOrEqual(rounds)
  await expectNothingLost()
})

test(`PostgreSQL is killed ${databaseRounds} times during changes, and the server continues by itself`, async () => {
  for (let round = 0; round < databaseRounds; round++) {
    const blow = writer
      .next()
      .then(() => pause(randomInt(mostDelay)))
      .then(killPostgres)
    await writer.write(server, blow.then(untilWritable))
    await untilOnePostmaster()
  }
  expect(server.child.exitCode).toBeNull()
  expect(countAcknowledged()).toBeGreaterThanOrEqual(databaseRounds)
  await expectNothingLost()
})

async function killPostgres(): Promise<void> {
  const killed = await postmasterPid()
  if (killed === undefined) throw new Error('PostgreSQL does not run')
  process.kill(killed, 'SIGKILL')
  // Its children outlive it by a moment and may even answer: only a successor is a recovery.
  await eventually('PostgreSQL is started again', async () => {
    const successor = await postmasterPid()
    return successor !== undefined && successor !== killed && (await postmasters()).includes(successor)
  })
}

async function postmasterPid(): Promise<number | undefined> {
  const file = join(folder, 'postgres', 'postmaster.pid')
  const [pid] = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  return pid ? Number(pid) : undefined
}

/** A child that was forked this moment still goes by the name of its parent. */
async function untilOnePostmaster(): Promise<void> {
  await eventually('one PostgreSQL runs', async () => (await postmasters()).length === 1)
}

async function untilWritable(): Promise<void> {
  await eventually('a change is answered again', async () => {
    const answer = await fetch(`${server.url}/api/v1/projects/renamed`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `after the blow ${randomInt(1_000_000)}` }),
    })
    if (!answer.ok) expect(answer.status).toBe(503)
    return answer.ok
  })
}

async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + recoveryLimit
  while (!(await holds())) {
    if (Date.now() > deadline)
      throw new Error(`It never happened that ${what}. The server said: ${server.complaints()}`)
    await pause(20)
  }
}
