// chDB pitfalls that the engine's process hides from its users. An upgrade could bring each of them back.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusalCode } from './insert-outcome.ts'
import type { TelemetryStore } from './open.ts'
import type { EmbeddedClickhouse } from './start.ts'
import { ask, openStage } from './testing/stage.ts'

let stage: Awaited<ReturnType<typeof openStage>>
let engine: EmbeddedClickhouse
let store: TelemetryStore

beforeAll(async () => {
  stage = await openStage()
  ;({ engine, store } = await stage.start())
  await store.command('CREATE DATABASE telltale ENGINE = Atomic')
  await store.command(
    'CREATE TABLE telltale.notes (id UInt64, text String) ENGINE = MergeTree ORDER BY id SETTINGS non_replicated_deduplication_window = 100',
  )
})
afterAll(() => stage[Symbol.asyncDispose]())

const endless = 'SELECT count() AS n FROM numbers(1000000000000) WHERE sipHash64(number) % 7 = 1'
const failing = 'SELECT number, throwIf(number = 90000) AS x FROM numbers(95000)'
const rows = (...values: unknown[][]) => Buffer.from(values.map((row) => JSON.stringify(row)).join('\n'))
const insertWith = (token: string) =>
  `INSERT INTO telltale.notes (id, text) SETTINGS async_insert=0, insert_deduplication_token='${token}' FORMAT JSONCompactEachRow`
const countNotes = async () =>
  (await store.read<{ n: string }>('SELECT count() AS n FROM telltale.notes'))[0]?.n
const codeOf = (work: Promise<unknown>) => work.then(() => 'no refusal', refusalCode)
const runningNow = () =>
  store.read<{ query: string }>(
    "SELECT query FROM system.processes WHERE query LIKE '%sipHash64%' AND query NOT LIKE '%system.processes%'",
  )

test('values of every type are returned unchanged', async () => {
  const text = 'a\'b\\n\t\n\r\0é"`;{x:UInt8}\\N--/*$$'
  const found = await store.read(
    'SELECT {text:String} AS text, {list:Array(String)} AS list, {none:Nullable(String)} AS none',
    {
      values: { text, list: ["x'", 'y\\'], none: null },
    },
  )
  expect(found).toEqual([{ text, list: ["x'", 'y\\'], none: null }])
})

test('a value never comes from an earlier statement', async () => {
  await Promise.all(
    Array.from({ length: 8 }, (_, x) => store.read('SELECT {x:UInt8} AS x', { values: { x } })),
  )
  expect(await codeOf(store.read('SELECT {x:UInt8} AS x'))).toBe(456)
})

test('concurrent statements get their own results, besides failing ones', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, x) => {
      if (x % 3 === 0) return codeOf(store.read(failing))
      return (await store.read<{ x: number }>('SELECT {x:UInt8} AS x', { values: { x } }))[0]?.x
    }),
  )
  expect(answers).toEqual(answers.map((_, x) => (x % 3 === 0 ? 395 : x)))
})

test('the same rows with the same token are stored once, and a batch with an invalid row not at all', async () => {
  await store.insert(insertWith('a-1'), rows([1, 'one; "two"'], [2, 'é']))
  await store.insert(insertWith('a-1'), rows([1, 'one; "two"'], [2, 'é']))
  expect(await countNotes()).toBe('2')
  expect(await codeOf(store.insert(insertWith('a-2'), rows([3, 'three'], ['x', 'four'])))).toBe(27)
  expect(await countNotes()).toBe('2')
  await store.insert(insertWith('a-2'), rows([3, 'three']))
  expect(await countNotes()).toBe('3')
})

test('a read opens no file, writes nothing and keeps no setting', async () => {
  expect(await codeOf(store.read("SELECT * FROM file('/etc/passwd', 'LineAsString')"))).toBe(164)
  expect(await codeOf(store.read('SELECT * FROM `/etc/passwd`'))).not.toBe('no refusal')
  const hidden = "SELECT * FROM (SELECT * FROM file('/etc/passwd', 'LineAsString') SETTINGS readonly=0)"
  expect((await ask(engine, { body: hidden })).text).toContain('READONLY')
  expect((await ask(engine, { body: "SELECT 1 INTO OUTFILE '/tmp/telltale-outfile'" })).status).toBe(400)
  const limits = "SELECT getSetting('readonly') AS r, getSetting('max_execution_time') AS t FORMAT TSV"
  for (let turn = 0; turn < 6; turn++) expect((await ask(engine, { body: limits })).text).toBe('1\t300\n')
})

test('one request has one statement, with settings in its text', async () => {
  expect((await ask(engine, { body: 'SELECT 1; SELECT 2' })).text).toContain('Code: 62.')
  expect((await ask(engine, { address: '/?max_threads=1', body: 'SELECT 1' })).text).toContain(
    'max_threads belongs in',
  )
  expect((await ask(engine, { body: 'SET max_threads=1' })).status).toBe(400)
  expect((await ask(engine, { address: '/?query=SELECT%201', body: 'SELECT 2' })).status).toBe(400)
  expect((await ask(engine, { body: 'SELECT 1', withPassword: false })).text).toContain(
    'AUTHENTICATION_FAILED',
  )
})

test('time and memory of a read are limited', async () => {
  expect(await codeOf(store.read(endless, { limit: 1_000 }))).toBe(159)
  expect(await codeOf(store.read('SELECT length(groupArray(number)) AS n FROM numbers(1000000000)'))).toBe(
    241,
  )
})

test('a disconnected client leaves no running statement, and a clean session', async () => {
  const requested = new AbortController()
  const reads = Array.from({ length: 3 }, () => store.read(endless, { signal: requested.signal }))
  const ended = Promise.allSettled(reads)
  await expect.poll(async () => (await runningNow()).length, { interval: 20, timeout: 10_000 }).toBe(3)
  requested.abort()
  await ended
  await expect.poll(async () => (await runningNow()).length, { interval: 20, timeout: 10_000 }).toBe(0)
  const after = await Promise.all(Array.from({ length: 4 }, () => store.read('SELECT 1 AS one')))
  expect(after.flat()).toEqual(Array(4).fill({ one: 1 }))
})

test('a small query is answered while three large ones run, and rows are inserted', async () => {
  const requested = new AbortController()
  const large = Promise.allSettled(
    Array.from({ length: 3 }, () => store.read(endless, { signal: requested.signal })),
  )
  expect(await store.read('SELECT 1 AS one')).toEqual([{ one: 1 }])
  await store.insert(insertWith('b-1'), rows([9, 'nine']))
  requested.abort()
  await large
})

test('memory is limited when the engine opens', async () => {
  const [found] = await store.read<{ value: string }>(
    "SELECT value FROM system.server_settings WHERE name = 'mark_cache_size'",
  )
  expect(found?.value).toBe(String(256 * 1024 * 1024))
  expect(engine.brokenParts()).toEqual([])
})
