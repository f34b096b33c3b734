// Three servers behind HAProxy on one PostgreSQL and one cluster: restarted one after another, killed, and cut off from
// PostgreSQL, while users ask for flags and send telemetry.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { startFlags } from '../../../packages/node/src/flags.ts'
import { openClickhouse } from '../../../packages/server/src/platform/engines/clickhouse/open.ts'
import { openPostgres } from '../../../packages/server/src/platform/engines/postgres/open.ts'
import { rollouts } from '../../../packages/server/src/platform/engines/postgres/rollout-schema.ts'
import { createStore } from '../../clickhouse.ts'
import { startRollout } from '../../guard/guarded-site.ts'
import { createDatabase } from '../../postgres.ts'
import type { TestStore } from '../../store.ts'
import { type ServerProcess, startServer } from '../../survival/server.ts'
import { freePorts } from '../free-ports.ts'
import { type Link, openLink } from './open-link.ts'
import { type Haproxy, hasHaproxy, startHaproxy } from './start-haproxy.ts'
import { eventsEach, inviteUsers, type Users } from './users.ts'

const key = 'several-servers-client-key'
const serverKey = 'ser.several-servers'
const owner = { email: 'mara@pedal.example', name: 'Mara', password: 'seven green bottles' }
const flag = '/environments/production/flags/checkout'
/** Enough for several health checks of the balancer. */
const drainTime = 2_000

let folder: string
let database: Awaited<ReturnType<typeof createDatabase>>
let store: TestStore
let ports: number[]
let links: Link[]
let servers: ServerProcess[]
let balancer: Haproxy
let cookie: string
/** Batches of all tests. */
let accepted = 0

function startOne(index: number): Promise<ServerProcess> {
  return startServer(join(folder, `server-${index}`), {
    TELLTALE_PORT: String(ports[index]),
    DATABASE_URL: links[index]?.url ?? '',
    CLICKHOUSE_URL: store.url,
    CLICKHOUSE_CLUSTER: store.cluster ?? '',
    TELLTALE_SETUP: join(folder, 'setup.json'),
    TELLTALE_DRAIN_TIME: String(drainTime),
    TELLTALE_GUARD_INTERVAL: '200',
    TELLTALE_INTAKE_RATE: '1000000',
    TELLTALE_OWN_PROJECT: 'off',
  })
}

beforeAll(async () => {
  if (!hasHaproxy) return
  folder = await mkdtemp(join(tmpdir(), 'telltale-several-'))
  database = await createDatabase(inject('postgres'))
  store = await createStore()
  const [front = 0, ...others] = await freePorts(4)
  ports = others
  links = await Promise.all(ports.map(() => openLink(database.target)))
  const environments = [
    {
      key: 'production',
      keys: [
        { kind: 'client', value: key },
        { kind: 'server', value: serverKey },
      ],
    },
    { key: 'staging' },
  ]
  await writeFile(
    join(folder, 'setup.json'),
    JSON.stringify({ owner, projects: [{ key: 'shop', environments }] }),
  )
  servers = await Promise.all(ports.map((_, index) => startOne(index)))
  balancer = await startHaproxy({ folder, port: front, servers: ports })
  cookie = await signIn()
  await makeFlag()
})
afterAll(async () => {
  await balancer?.[Symbol.asyncDispose]()
  await Promise.all((servers ?? []).map((server) => server.end('SIGKILL')))
  for (const link of links ?? []) await link.gate.close()
  await store?.drop()
  await database?.drop()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})

async function signIn(): Promise<string> {
  const { email, password } = owner
  const answer = await fetch(`${balancer.url}/api/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  expect(answer.status).toBe(200)
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** A call of the project, which has to succeed. */
const askAt = (url: string) => async (method: string, rest: string, body?: unknown) => {
  const answer = await fetch(`${url}/api/v1/projects/shop${rest}`, {
    method,
    headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const received = await answer.json()
  if (!answer.ok) throw new Error(`${method} ${rest}: ${JSON.stringify(received)}`)
  return received
}

async function makeFlag(): Promise<void> {
  await askAt(balancer.url)('POST', '/flags', {
    key: 'checkout',
    name: 'Checkout',
    valueType: 'boolean',
    clientVisible: true,
  })
  await serve('on', balancer.url)
  await Promise.all(servers.map(({ url }) => untilValue(url, true)))
}

async function serve(variation: 'on' | 'off', url: string): Promise<void> {
  const ask = askAt(url)
  const { version, salt: _salt, savedAt: _savedAt, ...config } = await ask('GET', `${flag}/config`)
  await ask('PUT', `${flag}/config`, { ...config, enabled: true, fallthrough: { variation }, version })
}

const untilValue = (url: string, value: boolean) => until(async () => (await valueAt(url)) === value)

async function valueAt(url: string): Promise<unknown> {
  const answer = await fetch(`${url}/ofrep/v1/evaluate/flags/checkout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ context: { targetingKey: 'someone' } }),
  })
  return answer.status === 200 ? (await answer.json()).value : answer.status
}

/** What was accepted so far is in the store, each event once. */
async function expectStored(): Promise<void> {
  const reader = openClickhouse(() => store.target)
  const wanted = accepted * eventsEach
  const count = async () => {
    const [found] = await reader.read<{ events: string; different: string }>(
      'SELECT count() AS events, uniqExact(event_id) AS different FROM events',
    )
    return { events: Number(found?.events), different: Number(found?.different) }
  }
  try {
    await until(async () => (await count()).different >= wanted)
    expect(await count()).toEqual({ events: wanted, different: wanted })
  } finally {
    await reader.close()
  }
}

/** They go, and had flags all the time. */
async function endVisit(users: Users): Promise<void> {
  await users.leave()
  accepted += users.batches
  expect(users.failures).toEqual([])
}

/** Longer than anything takes on a busy machine; only a test that fails waits this long. */
const until = (holds: () => Promise<boolean>) => vi.waitUntil(holds, { timeout: 120_000, interval: 50 })

const it = test.skipIf(!hasHaproxy)

it('servers that are restarted one after another fail no request and lose and double nothing', async () => {
  const ask = askAt(balancer.url)
  await startRollout(ask, 'guarded', {})
  const guards = [await untilGuardedAfter([])]
  await using client = await openFlags()
  const users = inviteUsers(balancer.url, key, 4)
  for (const index of ports.keys()) {
    await users.seen(15)
    await servers[index]?.end('SIGTERM')
    await users.seen(15)
    servers[index] = await startOne(index)
    expect((await ask('GET', '')).key).toBe('shop')
  }
  await endVisit(users)
  await expectStored()
  // Every server had to return it when it stopped.
  guards.push(await untilGuardedAfter(guards))
  await serve('off', balancer.url)
  await until(async () => !client.read())
  await serve('on', balancer.url)
  await until(async () => client.read())
})

it('a server that is killed loses nothing that it accepted, and its users get their flags from the others', async () => {
  const users = inviteUsers(balancer.url, key, 4)
  await users.seen(15)
  await servers[0]?.end('SIGKILL')
  await users.seen(30)
  servers[0] = await startOne(0)
  await users.seen(15)
  await endVisit(users)
  await expectStored()
})

it('a server that is cut off from PostgreSQL serves flags and accepts telemetry, and catches up', async () => {
  const [link, url = '', other = ''] = [links[1], servers[1]?.url, servers[0]?.url]
  await link?.gate.close()
  await serve('off', other)
  await untilValue(other, false)
  expect(await valueAt(url)).toBe(true)
  const users = inviteUsers(url, key, 2)
  await users.seen(20)
  await endVisit(users)
  await link?.gate.open()
  await untilValue(url, false)
  await expectStored()
})

/** The server whose guard looks at the rollout, once it is none of these. */
async function untilGuardedAfter(earlier: readonly string[]): Promise<string> {
  const { db, close } = openPostgres(database.target, { poolSize: 1 })
  let holder: string | null = null
  await until(async () => {
    const [row] = await db.select({ holder: rollouts.leaseHolder }).from(rollouts)
    holder = row?.holder ?? null
    return holder !== null && !earlier.includes(holder)
  })
  await close()
  return String(holder)
}

/** An application that keeps a stream of changes open. */
async function openFlags() {
  const flags = startFlags({ url: balancer.url, key: serverKey, telemetry: false })
  await until(async () => flags.getBoolean('checkout', false))
  return {
    read: () => flags.getBoolean('checkout', false),
    [Symbol.asyncDispose]: () => flags.close(),
  }
}
