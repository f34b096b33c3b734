// Files of the spool are deleted, truncated or partly unreadable: what remains arrives once, and what is lost is
// counted.

import {
  copyFile,
  type FileHandle,
  mkdtemp,
  open as openFile,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as newId } from 'uuid'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../../platform/process/log.ts'
import { openBatchIds } from './batch-ids.ts'
import type { Store } from './deliver-rows.ts'
import { hashOfBatch } from './id-bytes.ts'
import { openJournal } from './journal.ts'
import { type OpenSpool, openSpool } from './open-spool.ts'

const environmentId = '0198a2c4-0000-7000-8000-000000000001'
const log = createLog('silent')
const hour = 3_600_000
const waiting = { timeout: 10_000 }

let now: number
let folder: string
let opened: OpenSpool[]

beforeEach(async () => {
  now = 1_795_000_000_000
  folder = await mkdtemp(join(tmpdir(), 'telltale-deleted-'))
  opened = []
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const each of opened) await each.close(0)
  await rm(folder, { recursive: true, force: true })
})

const draft = (row: string) => ({
  kind: 'batch' as const,
  environmentId,
  batchId: newId(),
  receivedAt: now,
  rows: [`["${row}"]`],
  viewRows: [],
})

const away: Store = {
  untilUsable: (signal) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('stopped')))
    }),
  insert: async () => ({ kind: 'retry', reason: 'away', isKnown: true }),
}

/** Deduplicates by token, like the engine. */
function collecting() {
  const tokens = new Set<string>()
  const rows: string[] = []
  const store: Store = {
    untilUsable: async () => undefined,
    insert: async ({ token, rows: lines }) => {
      if (!tokens.has(token)) rows.push(...Buffer.from(lines).toString('utf8').trimEnd().split('\n'))
      tokens.add(token)
      return { kind: 'stored' }
    },
  }
  return { store, rows, tokens }
}

/** Unavailable until it is enabled. */
function sleeping() {
  const { store, rows } = collecting()
  let wake: () => void = () => undefined
  const awake = new Promise<void>((resolve) => {
    wake = resolve
  })
  return { store: { ...store, untilUsable: () => awake }, rows, wake }
}

async function open(store: Store): Promise<OpenSpool> {
  const spool = await openSpool({
    folder,
    largestBytes: 10_000_000,
    store,
    insertTimeout: 200,
    sharedDatabase: undefined,
    now: () => now,
    log,
    onRefused: () => undefined,
  })
  opened.push(spool)
  return spool
}

type PlainRead = (
  ...given: [bytes: Buffer, at: number, length: number, position: number]
) => Promise<{ bytesRead: number; buffer: Buffer }>

const appendAll = async ({ spool }: OpenSpool, rows: readonly string[]) => {
  for (const row of rows) await spool.append(draft(row), 'essential')
}
const fileOf = (segment: number) => join(folder, `${String(segment).padStart(10, '0')}.spool`)
const lastFile = async () => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.spool')).sort()
  return join(folder, names.at(-1) ?? '')
}

test('a file that is deleted before it is stored is counted, and the files after it are stored', async () => {
  const { store, rows, wake } = sleeping()
  const running = await open(store)
  // The contents of the first insert were already read.
  await appendAll(running, ['read'])
  await running.spool.rotate()
  await expect.poll(() => readFile(join(folder, 'writer.log'), 'utf8'), waiting).toContain('"plan"')
  await appendAll(running, ['lost'])
  await running.spool.rotate()
  await appendAll(running, ['kept'])
  await rm(fileOf(2))
  wake()
  await expect.poll(() => rows, waiting).toEqual(['["read"]', '["kept"]'])
  await expect.poll(() => running.spool.waitingBytes(), waiting).toBe(0)
  expect(running.damage.recent()?.records).toBe(1)
})

test('a file that is deleted while it is written is restored with its content', async () => {
  const first = await open(away)
  await appendAll(first, ['one', 'two'])
  await rm(await lastFile())
  await appendAll(first, ['three'])
  await first.close(0)

  const { store, rows } = collecting()
  const second = await open(store)
  await expect.poll(() => rows, waiting).toEqual(['["one"]', '["two"]', '["three"]'])
  expect(second.damage.recent()).toBeUndefined()
})

test('after the whole folder is deleted during writing, newly accepted events survive a restart', async () => {
  const first = await open(away)
  await appendAll(first, ['one'])
  await rm(folder, { recursive: true })
  await appendAll(first, ['two'])
  await first.close(0)

  const { store, rows } = collecting()
  await open(store)
  await expect.poll(() => rows, waiting).toEqual(['["one"]', '["two"]'])
})

test.each<[string, (path: string) => Promise<void>]>([
  ['is empty', (path) => truncate(path, 0)],
  ['ends within a record', async (path) => truncate(path, Math.floor((await stat(path)).size / 2))],
  ['is gone', (path) => rm(path)],
  ['holds something else', (path) => writeFile(path, 'something else')],
])(
  'a file that %s after a restart is not mistaken for one torn by a crash: the loss is counted',
  async (_what, harm) => {
    const first = await open(away)
    await appendAll(first, ['one', 'two', 'three'])
    await first.close(0)
    await harm(await lastFile())

    const second = await open(away)
    expect(second.damage.recent()?.bytes).toBeGreaterThan(0)
  },
)

test('a restart after everything was stored, and one after a tear that nobody was told of, is no loss', async () => {
  const { store, rows } = collecting()
  const first = await open(store)
  await appendAll(first, ['one', 'two'])
  await expect.poll(() => rows.length, waiting).toBe(2)
  await first.close(1_000)
  const second = await open(away)
  await appendAll(second, ['three'])
  await second.close(0)
  const path = await lastFile()
  await writeFile(path, Buffer.concat([await readFile(path), Buffer.alloc(30, 1)]))
  const third = await open(away)
  expect(third.damage.recent()).toBeUndefined()
})

test('a sector that cannot be read costs its own records', async () => {
  const sector = 4_096
  const first = await open(away)
  // Each record fills a sector and a little of the next one.
  await appendAll(
    first,
    ['one', 'two', 'three', 'four'].map((name) => name.padEnd(sector, '.')),
  )
  await first.close(0)

  const probe = await openFile(folder, 'r')
  const fileHandles: FileHandle = Object.getPrototypeOf(probe)
  await probe.close()
  const read: PlainRead = fileHandles.read
  const badFrom = sector
  vi.spyOn(fileHandles, 'read').mockImplementation(async function (this: FileHandle, ...given: unknown[]) {
    const [bytes, at, length, position] = given as [Buffer, number, number, number]
    if (position < badFrom + sector && position + length > badFrom) {
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
    }
    return read.call(this, bytes, at, length, position)
  } as FileHandle['read'])
  const { store, rows } = collecting()
  const second = await open(store)
  await expect.poll(() => rows.map((row) => row.replace(/\W/g, '')), waiting).toEqual(['three', 'four'])
  expect(second.damage.recent()?.records).toBeGreaterThan(0)
})

test('either file of the journal is enough, and of two the later entry counts', async () => {
  const path = join(folder, 'writer.log')
  const last = { position: { segment: 3, offset: 80 }, plan: { end: { segment: 3, offset: 160 }, void: [] } }
  const journal = await openJournal(path)
  await journal.write({ position: { segment: 3, offset: 80 } })
  await copyFile(path, join(folder, 'earlier'))
  await journal.write(last)
  await journal.close()
  const harms = [
    (file: string) => rm(file),
    (file: string) => truncate(file, 0),
    (file: string) => copyFile(join(folder, 'earlier'), file),
  ]
  for (const file of [path, `${path}.copy`]) {
    for (const harm of harms) {
      await harm(file)
      const again = await openJournal(path)
      expect(again.last()).toEqual(last)
      expect(again.isNew).toBe(false)
      await again.close()
    }
  }
})

test('a journal that is deleted while it is written is there again with the next entry', async () => {
  const path = join(folder, 'writer.log')
  const journal = await openJournal(path)
  await journal.write({ position: { segment: 1, offset: 10 } })
  for (const file of [path, `${path}.copy`]) await rm(file)
  await journal.write({ position: { segment: 1, offset: 20 } })
  await journal.close()
  const again = await openJournal(path)
  expect(again.last()).toEqual({ position: { segment: 1, offset: 20 } })
  await again.close()
})

test('without a journal no row is sent under a token that the store knows', async () => {
  const { store, rows, tokens } = collecting()
  const first = await open(store)
  await appendAll(first, ['one'])
  await expect.poll(() => rows.length, waiting).toBe(1)
  await first.close(1_000)
  const second = await open(away)
  await appendAll(second, ['two'])
  await second.close(0)
  for (const name of ['writer.log', 'writer.log.copy']) await rm(join(folder, name))
  const known = new Set(tokens)
  await open(store)
  await expect.poll(() => rows, waiting).toContain('["two"]')
  expect([...tokens].filter((token) => !known.has(token)).length).toBeGreaterThan(0)
})

test('whatever byte of the name of this server is changed, its tokens stay the same', async () => {
  const path = join(folder, 'server-id')
  await (await open(away)).close(0)
  const whole = await readFile(path, 'utf8')
  for (const at of [0, 7, 14, 20, 35, 36, 40, 73, 80, 110]) {
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] ?? 0) ^ 0x01
    await writeFile(path, bytes)
    await (await open(away)).close(0)
    expect((await readFile(path, 'utf8')).trim()).toBe(whole.trim())
  }
  // In the format of the first version.
  const [id = ''] = whole.split('\n')
  await writeFile(path, id)
  await (await open(away)).close(0)
  expect(await readFile(path, 'utf8')).toBe(whole)
})

test('a clock that jumps ahead and back forgets no batch, of before, during or after the jump', async () => {
  const start = now
  const ids = await openBatchIds(join(folder, 'ids'), { seen: [], now: () => now, log })
  const [before, during, after] = [newId(), newId(), newId()].map((id) => hashOfBatch(environmentId, id))
  if (before === undefined || during === undefined || after === undefined) throw new Error('there are three')
  ids.add({ id: before, receivedAt: now })
  for (const jump of [5 * hour, 400 * 24 * hour]) {
    now = start + jump
    await ids.tidy()
    ids.add({ id: during, receivedAt: now })
  }
  now = start + 1_000
  await ids.tidy()
  ids.add({ id: after, receivedAt: now })
  const isKnown = async (id: typeof before) => ids.isKnown(id) || (await ids.isKnownOfOld(id, now))
  expect(await Promise.all([before, during, after].map(isKnown))).toEqual([true, true, true])
  now += 3 * hour
  await ids.tidy()
  const madeAt = start
  expect(await ids.isKnownOfOld(before, madeAt)).toBe(true)
  expect(await ids.isKnownOfOld(after, madeAt)).toBe(true)
})

test('deleted files of ids cost no batch: ids of that hour count as new', async () => {
  const ids = await openBatchIds(join(folder, 'ids'), { seen: [], now: () => now, log })
  const id = hashOfBatch(environmentId, newId())
  ids.add({ id, receivedAt: now })
  now += 3 * hour
  await ids.tidy()
  expect(await ids.isKnownOfOld(id, now - 3 * hour)).toBe(true)
  await rm(join(folder, 'ids'), { recursive: true })
  expect(await ids.isKnownOfOld(id, now - 3 * hour)).toBe(false)
  await ids.keep([{ id, receivedAt: now }])
  ids.add({ id, receivedAt: now })
  now += 3 * hour
  await ids.tidy()
  expect(await ids.isKnownOfOld(id, now - 3 * hour)).toBe(true)
})
