// The built server in front of a store: the latency of a 202 at a fixed rate, and the throughput into the tables.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Measured, startMeasured } from '../delivery/measured.ts'
import type { Orders, Sent } from './generator.ts'
import { patience, type Store, waitForRows } from './store.ts'

export const program = new URL('../../packages/server/dist/main.js', import.meta.url)
const generator = fileURLToPath(new URL('generator.ts', import.meta.url))
/** Milliseconds to wait for duplicates, which would arrive later. */
const afterglow = 2_000

export const owner = { email: 'bench@example.com', name: 'Bench', password: 'a password for benchmarks' }

/** A server with one environment that accepts the generator's key. */
export async function startServer(
  folder: string,
  environment: NodeJS.ProcessEnv,
  main: URL = program,
): Promise<Measured> {
  const setup = join(folder, 'setup.json')
  const environments = [{ key: 'production', keys: [{ kind: 'client', value: 'bench-client-key' }] }]
  await writeFile(setup, JSON.stringify({ owner, projects: [{ key: 'shop', environments }] }))
  Object.assign(process.env, environment)
  const args = ['--port', '0', '--data', join(folder, 'data'), '--setup', setup, '--log-level', 'error']
  return startMeasured(main, args)
}

export interface Load extends Sent {
  /** From the last 202 until everything was in the tables. */
  drain: number
  /** Positive: lost. Negative: duplicated. */
  missing: number
  /** The server's processor time, in seconds per second of load. */
  cores: number
  memory: number
}

export async function loadAtRate(
  server: Measured,
  store: Store,
  orders: { rate: number; seconds: number },
): Promise<Load> {
  const before = await store.countRows()
  const begun = await server.measure()
  const sent = await sendLoad(server.url, orders)
  const ended = await server.measure()
  const answered = performance.now()
  await waitForRows(store, before + sent.events)
  const drain = (performance.now() - answered) / 1_000
  await pause(afterglow)
  const missing = before + sent.events - (await store.countRows())
  const cores = (ended.cpu - begun.cpu) / 1e6 / sent.seconds
  return { ...sent, drain, missing, cores, memory: ended.memory }
}

/** Rows per second from the first request to the last row in the tables, at full speed. */
export async function measureWholePath(server: Measured, store: Store, events: number): Promise<number> {
  const before = await store.countRows()
  const child = startGenerator(server.url, { events })
  await said<'ready'>(child)
  const begun = performance.now()
  child.send('begin')
  const sent = await said<Sent>(child)
  await waitForRows(store, before + sent.events)
  return sent.events / ((performance.now() - begun) / 1_000)
}

/** Sends at a fixed rate from another process. */
export function sendLoad(url: string, orders: { rate: number; seconds: number }): Promise<Sent> {
  return said<Sent>(startGenerator(url, orders), orders.seconds * 1_000 + patience)
}

function startGenerator(url: string, orders: Orders): ChildProcess {
  return fork(generator, [url, JSON.stringify(orders)], { execArgv: ['--import', 'tsx'] })
}

async function said<Message>(child: ChildProcess, wait = patience): Promise<Message> {
  const failed = once(child, 'exit').then(() => {
    throw new Error('the generator ended before it was done')
  })
  const [message] = await Promise.race([
    once(child, 'message', { signal: AbortSignal.timeout(wait) }),
    failed,
  ])
  return message
}
