// The embedded engine with files damaged on disk: every damaged part is reported.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../process/config.ts'
import { type ConnectedTelemetry, connectTelemetry } from './connect.ts'
import { openClickhouse } from './open.ts'
import { startClickhouse } from './start.ts'

const patiently = { interval: 20, timeout: 40_000 }
let dataFolder: string
let connected: ConnectedTelemetry | undefined

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'damaged-parts-'))
})
afterEach(async () => {
  await connected?.close()
  await rm(dataFolder, { recursive: true })
})

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

async function connect(): Promise<ConnectedTelemetry> {
  connected = connectTelemetry({
    config: readConfig(['--data', dataFolder], {}),
    log: silent,
    withLock: (work) => work(),
  })
  connected.open()
  await connected.telemetry.untilUsable()
  return connected
}

/** A table of three parts in our database, in a folder that no engine has open. */
async function writeParts(): Promise<void> {
  const engine = await startClickhouse({ dataFolder, log: silent })
  const store = openClickhouse(engine.target)
  await store.command('CREATE DATABASE telltale ENGINE = Atomic')
  await store.command('CREATE TABLE telltale.notes (id UInt64, text String) ENGINE = MergeTree ORDER BY id')
  await store.command('SYSTEM STOP MERGES telltale.notes')
  for (const part of [0, 1, 2]) {
    const rows = Array.from({ length: 1_000 }, (_, index) => `[${part * 1_000 + index},"note ${index}"]`)
    await store.insert('INSERT INTO telltale.notes FORMAT JSONCompactEachRow', Buffer.from(rows.join('\n')))
  }
  await store.close()
  await engine.stop()
}

async function damage(file: string): Promise<void> {
  const names = await readdir(dataFolder, { recursive: true })
  const path = join(dataFolder, names.find((name) => name.endsWith(`notes/${file}`)) ?? '')
  const bytes = await readFile(path)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  await writeFile(path, bytes)
}

const reason = () => connected?.telemetry.state().reason ?? ''

test('a changed byte in the rows is found without a query, and its part is named', {
  timeout: 120_000,
}, async () => {
  await writeParts()
  await damage('all_2_2_0/data.bin')
  const { telemetry } = await connect()
  await expect.poll(reason, patiently).toContain('Part notes all_2_2_0 is damaged on disk')
  expect(reason()).toContain('contain no telemetry')
  expect(telemetry.state().state).toBe('running')
  await expect(telemetry.read('SELECT sum(length(text)) AS n FROM notes')).rejects.toMatchObject({
    code: 'engine-unavailable',
    message: expect.stringContaining('damaged'),
  })
  expect(await telemetry.read('SELECT sum(length(text)) AS n FROM notes WHERE id >= 2000')).toHaveLength(1)
})

test('a part detached at the start is named too', { timeout: 120_000 }, async () => {
  await writeParts()
  await damage('all_1_1_0/checksums.txt')
  await connect()
  expect(reason()).toMatch(
    /^1 part of its rows can't be read and was set aside \(notes broken-on-start_all_1_1_0\)/,
  )
  expect(reason()).not.toContain('restore')
})

test('undamaged tables report nothing', { timeout: 120_000 }, async () => {
  await writeParts()
  const { telemetry } = await connect()
  expect(await telemetry.read('SELECT count() AS n FROM notes')).toEqual([{ n: '3000' }])
  expect(telemetry.state()).toEqual({ state: 'running' })
})
