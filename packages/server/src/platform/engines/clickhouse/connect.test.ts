// The telemetry store of a running server: the server does not wait for it, and it recovers by itself.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createStore } from '../../../../../../test/clickhouse.ts'
import { readConfig } from '../../process/config.ts'
import { connectTelemetry } from './connect.ts'
import { openClickhouse } from './open.ts'

const patiently = { interval: 10, timeout: 40_000 }
const restless = { interval: 20, timeout: 2_000, misses: 2 }

async function openStage(settings: Record<string, string> = {}, patience = restless) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'telemetry-test-'))
  const lines: string[] = []
  let pid: number | undefined
  const note = (fields: object, line: string) => {
    lines.push(line)
    if ('pid' in fields) pid = Number(fields.pid)
  }
  const connected = connectTelemetry({
    config: readConfig(['--data', dataFolder], settings),
    log: { info: note, warn: note, error: note },
    withLock: (work) => work(),
    patience,
  })
  connected.open()
  return {
    ...connected,
    lines,
    requirePid() {
      if (pid === undefined) throw new Error('nobody said which process the engine is')
      return pid
    },
    until: (state: string) => expect.poll(() => connected.telemetry.state().state, patiently).toBe(state),
    async [Symbol.asyncDispose]() {
      await connected.close()
      await rm(dataFolder, { recursive: true })
    },
  }
}

/** A proxy in front of the engine, so that tests can make it fail or hang. */
async function openDoor(engine: string, { version }: { version?: string } = {}) {
  let server: Server | undefined
  let port = 0
  const door = {
    url: () => `http://127.0.0.1:${port}`,
    async open() {
      server = createServer(async (request, response) => {
        if (version !== undefined) {
          response.end(`{"version":"${version}"}\n`)
          return
        }
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        const { authorization = '' } = request.headers
        const body = request.method === 'POST' ? { body: Buffer.concat(chunks) } : {}
        const answer = await fetch(engine + request.url, {
          method: request.method ?? 'GET',
          headers: { authorization },
          ...body,
        })
        const code = answer.headers.get('x-clickhouse-exception-code')
        response.writeHead(answer.status, code === null ? {} : { 'x-clickhouse-exception-code': code })
        response.end(Buffer.from(await answer.arrayBuffer()))
      })
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      const address = server.address()
      port = typeof address === 'object' && address !== null ? address.port : 0
    },
    async close() {
      const closed = server && once(server, 'close')
      server?.close()
      server?.closeAllConnections()
      await closed
    },
  }
  await door.open()
  return door
}

test('the server responds before its engine runs, with its state', async () => {
  await using stage = await openStage()
  const { telemetry } = stage
  expect(telemetry.state()).toEqual({ state: 'waiting', reason: 'it is opening' })
  await expect(telemetry.read('SELECT 1')).rejects.toMatchObject({ code: 'engine-unavailable' })
  const early = { table: 'views', columns: ['view_id'], rows: Buffer.from('[]'), token: 't' } as const
  expect(await telemetry.insert(early)).toEqual({ kind: 'retry', reason: 'it is opening', isKnown: true })
  await telemetry.untilUsable()
  expect(telemetry.state()).toEqual({ state: 'running' })
  expect(await telemetry.read('SELECT count() AS n FROM events')).toEqual([{ n: '0' }])
})

test('a hanging engine is killed and restarted', async () => {
  await using stage = await openStage({}, { ...restless, timeout: 500 })
  await stage.telemetry.untilUsable()
  const hanging = stage.requirePid()
  process.kill(hanging, 'SIGSTOP')
  await expect.poll(stage.requirePid, patiently).not.toBe(hanging)
  await stage.until('running')
  expect(stage.lines.filter((line) => line.includes('does not respond')).length).toBeGreaterThanOrEqual(2)
  expect(await stage.telemetry.read('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('an engine stopped while it opens is gone', async () => {
  const stage = await openStage()
  await stage[Symbol.asyncDispose]()
  expect(stage.lines.filter((line) => line.includes("can't be used"))).toEqual([])
})

test("an external server's outage and recovery are reported", async () => {
  const place = await createStore()
  const door = await openDoor(place.target.url)
  const address = new URL(place.url)
  address.port = new URL(door.url()).port
  {
    await using stage = await openStage({ CLICKHOUSE_URL: address.href })
    await stage.telemetry.untilUsable()
    expect(stage.telemetry.state()).toEqual({ state: 'external' })
    await door.close()
    await expect.poll(() => stage.telemetry.state().state, patiently).not.toBe('external')
    expect(stage.telemetry.state().reason).toBeDefined()
    await door.open()
    await stage.until('external')
    expect(await stage.telemetry.read('SELECT count() AS n FROM events')).toEqual([{ n: '0' }])
  }
  await door.close()
  await place.drop()
})

test('an old server is rejected with a reason, and nothing is written', async () => {
  const door = await openDoor('', { version: '25.8.1.1' })
  {
    await using stage = await openStage({ CLICKHOUSE_URL: door.url() })
    await stage.until('failed')
    expect(stage.telemetry.state().reason).toBe(
      'CLICKHOUSE_URL names ClickHouse 25.8.1.1; version 26 or newer is needed.',
    )
  }
  await door.close()
})

test("the database's name is taken from the URL", async () => {
  const place = await createStore()
  {
    await using stage = await openStage({ CLICKHOUSE_URL: place.url })
    await stage.telemetry.untilUsable()
    const bare = openClickhouse(() => place.target)
    expect(await bare.read('SELECT currentDatabase() AS name, count() AS n FROM views')).toEqual([
      { name: place.target.database, n: '0' },
    ])
    await bare.close()
  }
  await place.drop()
})
