// A disk that is full when a killed server starts again: flags are served from what is there, health says what is full, and
// everything comes back when there is room. A folder that can't be written gets one sentence.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer } from './server.ts'

const run = promisify(execFile)
const program = fileURLToPath(new URL('../../packages/server/dist/main.js', import.meta.url))
const patience = { timeout: 120_000, interval: 200 }

let disk: string
/** Only who may mount has a small disk. */
let mayMount = false

beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'telltale-small-disk-'))
  mayMount = await run('mount', ['-t', 'tmpfs', '-o', 'size=600m,mode=755', 'tmpfs', disk]).then(
    () => true,
    () => false,
  )
})
afterAll(async () => {
  if (mayMount) await run('umount', ['-l', disk])
  await rm(disk, { recursive: true, force: true })
})

async function fill(): Promise<void> {
  const { bavail, bsize } = await statfs(disk)
  await writeFile(join(disk, 'filler'), Buffer.alloc(bavail * bsize)).catch(() => undefined)
  for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
    await writeFile(join(disk, `filler-${size}`), Buffer.alloc(size)).catch(() => undefined)
  }
}

async function makeRoom(): Promise<void> {
  for (let size = 65_536; size >= 1; size = Math.floor(size / 2))
    await rm(join(disk, `filler-${size}`), { force: true })
  await rm(join(disk, 'filler'), { force: true })
}

async function ask(url: string, init: RequestInit = {}) {
  const answer = await fetch(url, {
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
}

/** A project with one flag, and a client key that reads it. */
async function setUp({ url, setupCode }: { url: string; setupCode: string | undefined }) {
  const post = (path: string, body: object, headers = {}) =>
    ask(`${url}${path}`, { method: 'POST', body: JSON.stringify(body), headers: { origin: url, ...headers } })
  const owner = { name: 'Owner', email: 'owner@example.com', password: 'correct horse battery' }
  const { headers } = await post('/api/v1/setup', { code: setupCode, owner })
  const cookie = { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' }
  const once = () => ({ ...cookie, 'idempotency-key': crypto.randomUUID() })
  expect((await post('/api/v1/projects', { key: 'shop', name: 'Shop' }, once())).status).toBe(201)
  const flag = {
    key: 'checkout',
    name: 'Checkout',
    valueType: 'boolean',
    clientVisible: true,
    variations: [
      { key: 'on', value: true },
      { key: 'off', value: false },
    ],
  }
  const made = await post('/api/v1/projects/shop/flags', flag, once())
  expect(made).toMatchObject({ status: 201 })
  const keys = await ask(`${url}/api/v1/projects/shop/environments/production/keys`, { headers: cookie })
  return String(keys.body.items[0].value)
}

const readFlag = (url: string, key: string) =>
  ask(`${url}/ofrep/v1/evaluate/flags/checkout`, {
    method: 'POST',
    body: JSON.stringify({ context: { targetingKey: 'ada' } }),
    headers: { authorization: `Bearer ${key}` },
  })

const health = async (url: string) => (await ask(`${url}/health/ready`)).body

test('after kill -9 on a full disk flags are served, and everything recovers with space', {
  timeout: 240_000,
}, async ({ skip }) => {
  if (!mayMount) return skip('only root may mount a small disk')
  const data = join(disk, 'data')
  const settings = { TELLTALE_OWN_PROJECT: 'off' }
  const first = await startServer(data, settings)
  const key = await setUp(first)
  expect((await readFlag(first.url, key)).body).toMatchObject({ value: false })
  await expect
    .poll(() => readdir(join(data, 'delivery')), patience)
    .toContainEqual(expect.stringMatching(/^[0-9a-f-]{36}\.json$/))
  await first.end('SIGKILL')
  await fill()

  const second = await startServer(data, settings)
  try {
    const reported = await health(second.url)
    expect(reported.degraded).toEqual(expect.arrayContaining(['disk', 'postgres']))
    expect(JSON.stringify(reported.details)).toContain(
      'the disk of the data folder is full: 0 MB of 600 MB are free',
    )
    expect(await readFlag(second.url, key)).toMatchObject({ status: 200, body: { value: false } })
    await makeRoom()
    await expect.poll(async () => (await health(second.url)).degraded, patience).toEqual([])
    expect(await readFlag(second.url, key)).toMatchObject({ status: 200, body: { value: false } })
  } finally {
    await second.end('SIGTERM')
  }
  const third = await startServer(data, settings)
  expect((await readFlag(third.url, key)).body).toMatchObject({ value: false })
  await third.end('SIGTERM')
})

test('a read-only data folder gives one sentence and an exit code', { timeout: 60_000 }, async ({ skip }) => {
  if (!mayMount) return skip('only root may mount a read-only disk')
  const closed = await mkdtemp(join(tmpdir(), 'telltale-closed-disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', closed])
  await mkdir(join(closed, 'data'))
  await run('mount', ['-o', 'remount,ro', closed])
  try {
    for (const folder of ['data', 'none']) {
      const server = spawn(process.execPath, [program, '--data', join(closed, folder)], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: process.env.PATH },
      })
      let said = ''
      server.stderr.on('data', (chunk: Buffer) => {
        said += chunk
      })
      const [code] = await once(server, 'exit')
      expect(code).toBe(1)
      expect(said.trim().split('\n')).toEqual([
        expect.stringMatching(/^The server can't write .*Make the data folder writable/),
      ])
    }
  } finally {
    await run('umount', ['-l', closed])
    await rm(closed, { recursive: true, force: true })
  }
})
