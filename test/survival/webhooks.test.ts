// What was answered 2xx is told to a webhook after `kill -9` of the server, whenever the blow falls: at least once, and
// however often, with the same id.

import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openReceiver, type Receiver } from '../../packages/server/src/notify/channels/testing/receiver.ts'
import { type ServerProcess, startServer } from './server.ts'

const rounds = 2
/** Somewhere within a change, its delivery and its answer. */
const mostDelay = 1_500
/** Longer than the lease of an attempt whose server is gone; only a test that fails waits this long. */
const recoveryLimit = 120_000
const settings = { TELLTALE_WEBHOOK_NETWORKS: '127.0.0.1', CLICKHOUSE_URL: 'http://127.0.0.1:9' }

let folder: string
let server: ServerProcess
let receiver: Receiver
let headers: Record<string, string>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-webhooks-'))
  receiver = await openReceiver()
  // Slow enough for blows that fall into the middle of an attempt.
  receiver.answer((response) => void setTimeout(() => response.end('ok'), randomInt(200)))
  server = await startServer(folder, settings)
  headers = { 'content-type': 'application/json' }
  const owner = { name: 'Mara', email: 'mara@pedal.example', password: 'seven green bottles' }
  const project = { key: 'shop', name: 'Shop' }
  const { cookies } = await post('/api/v1/setup', { code: server.setupCode, owner, project })
  headers.cookie = cookies[0]?.split(';')[0] ?? ''
  const channel = { kind: 'webhook', name: 'Ops', url: receiver.url, events: ['flag.created'] }
  expect(await post('/api/v1/projects/shop/channels', channel)).toMatchObject({ status: 201 })
})

afterEach(async () => {
  await server.end('SIGTERM')
  await receiver[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function post(path: string, body: object) {
  const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, cookies: answer.headers.getSetCookie() }
}

/** Creates flags until the server is gone; gives the keys that were acknowledged. */
async function write(round: number): Promise<string[]> {
  const acknowledged: string[] = []
  for (let index = 0; ; index++) {
    const key = `flag-${round}-${index}`
    try {
      const { status } = await post('/api/v1/projects/shop/flags', { key, name: key, valueType: 'boolean' })
      if (status === 201) acknowledged.push(key)
    } catch {
      return acknowledged
    }
  }
}

function heard(): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>()
  for (const { body } of receiver.received) {
    const { id, entity } = JSON.parse(body)
    ids.set(entity.name, new Set([...(ids.get(entity.name) ?? []), id]))
  }
  return ids
}

test(`${rounds} kills during work lose no notification`, { timeout: 2 * recoveryLimit }, async () => {
  const acknowledged: string[] = []
  for (let round = 0; round < rounds; round++) {
    const writing = write(round)
    await pause(randomInt(mostDelay))
    await server.end('SIGKILL')
    acknowledged.push(...(await writing))
    server = await startServer(folder, settings)
  }
  const missing = () => acknowledged.filter((key) => !heard().has(key))
  await expect.poll(missing, { timeout: recoveryLimit, interval: 200 }).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(0)
  expect([...heard().values()].filter(({ size }) => size !== 1)).toEqual([])
})
