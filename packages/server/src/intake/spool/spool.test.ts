// The spool and its writer against a store that is unavailable, hangs, fails or never responds: what was accepted
// arrives once and in order.

import {
  appendFile,
  type FileHandle,
  mkdtemp,
  open as openFile,
  readdir,
  readFile,
  rm,
  truncate,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventColumns } from '@telltale/core/telemetry/event-row'
import { v7 as newId } from 'uuid'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { InsertOutcome } from '../../platform/engines/clickhouse/insert-outcome.ts'
import { createLog } from '../../platform/process/log.ts'
import type { Store } from './deliver-rows.ts'
import { hashOfBatch } from './id-bytes.ts'
import { type OpenSpool, openSpool } from './open-spool.ts'

/** Only a failing test waits this long. */
const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 20_000, interval: 20 })

const environmentId = '0198a2c4-0000-7000-8000-000000000001'
const log = createLog('silent')
const stored: InsertOutcome = { kind: 'stored' }

let folder: string
let opened: OpenSpool | undefined
let now = Date.now()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-spool-'))
  now = Date.now()
})
afterEach(async () => {
  await opened?.close(0)
  opened = undefined
  await rm(folder, { recursive: true, force: true })
})

/** Deduplicates by token, like the engine; `answer` may override this. */
function createStore(
  answer: (rows: string[], token: string) => InsertOutcome | Promise<InsertOutcome> = () => stored,
) {
  const tokens = new Set<string>()
  const rows: string[] = []
  const calls: string[] = []
  const store: Store = {
    untilUsable: async () => undefined,
    insert: async (batch) => {
      const lines = Buffer.from(batch.rows).toString('utf8').trimEnd().split('\n')
      calls.push(batch.token)
      const outcome = await answer(lines, batch.token)
      if (outcome.kind === 'stored' && !tokens.has(batch.token)) {
        tokens.add(batch.token)
        rows.push(...lines)
      }
      return outcome
    },
  }
  return { store, rows, calls, tokens }
}

async function open(store: Store, largestBytes = 10_000_000): Promise<OpenSpool> {
  opened = await openSpool({
    folder,
    largestBytes,
    store,
    insertTimeout: 200,
    sharedDatabase: undefined,
    now: () => now,
    log,
    onRefused: () => undefined,
  })
  return opened
}

const away: Store = {
  untilUsable: (signal) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('stopped')))
    }),
  insert: async () => ({ kind: 'retry', reason: 'away', isKnown: true }),
}

function append({ spool }: OpenSpool, rows: string[], batchId = newId()): Promise<void> {
  const draft = { kind: 'batch' as const, environmentId, batchId, receivedAt: now, rows, viewRows: [] }
  return spool.append(draft, 'essential')
}

const numbered = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `[${first + index}]`)

async function lastSegment(): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.spool')).sort()
  for (const name of names.reverse()) {
    const path = join(folder, name)
    if ((await readFile(path)).length > 0) return path
  }
  throw new Error('nothing is in the spool')
}

test('after an outage of the store the spool is shipped in order, and its files are deleted', async () => {
  const first = await open(away)
  await Promise.all([append(first, numbered(0, 3)), append(first, numbered(3, 3))])
  await append(first, numbered(6, 3))
  await first.close(0)

  const { store, rows } = createStore()
  const second = await open(store)
  await eventually(() => rows).toEqual(numbered(0, 9))
  await eventually(() => second.spool.waitingBytes()).toBe(0)
  await eventually(async () =>
    (await readdir(folder)).filter((name) => name.endsWith('.spool')),
  ).toHaveLength(1)
})

test('a torn tail is cut at the last complete record, and writing continues', async () => {
  const first = await open(away)
  await append(first, numbered(0, 3))
  await append(first, numbered(3, 3))
  await first.close(0)
  const path = await lastSegment()
  const whole = await readFile(path)
  await truncate(path, whole.length - 5)

  const { store, rows } = createStore()
  const second = await open(store)
  await append(second, numbered(10, 2))
  await eventually(() => rows).toEqual([...numbered(0, 3), ...numbered(10, 2)])
})

test('zeros and noise after the last record are cut too', async () => {
  for (const noise of [Buffer.alloc(5_000), Buffer.from('noise'.repeat(100))]) {
    const first = await open(away)
    await append(first, numbered(0, 2))
    await first.close(0)
    await appendFile(await lastSegment(), noise)

    const { store, rows } = createStore()
    const second = await open(store)
    await eventually(() => rows).toEqual(numbered(0, 2))
    await second.close(1_000)
  }
})

test('after a crash before the response, the same rows are sent with the same token', async () => {
  const { store, rows, calls, tokens } = createStore()
  let isDead = true
  const dying: Store = {
    ...store,
    insert: async (batch) => {
      const outcome = await store.insert(batch)
      return isDead ? { kind: 'retry', reason: 'the answer was lost', isKnown: true } : outcome
    },
  }
  const first = await open(dying)
  await append(first, numbered(0, 3))
  await eventually(() => tokens.size).toBe(1)
  await first.close(0)
  isDead = false

  const second = await open(store)
  await append(second, numbered(3, 3))
  await eventually(() => rows).toEqual(numbered(0, 6))
  expect(new Set(calls).size).toBe(2)
})

test('a journal with a torn last line repeats the plan before it', async () => {
  const { store, rows } = createStore()
  const first = await open(store)
  await append(first, numbered(0, 3))
  await eventually(() => rows).toEqual(numbered(0, 3))
  await first.close(1_000)
  await appendFile(join(folder, 'writer.log'), '{"position":{"segm')

  const second = await open(store)
  await append(second, numbered(3, 1))
  await eventually(() => rows).toEqual(numbered(0, 4))
  await second.close(1_000)
})

test('nothing is sent before it is recorded, also if the disk fails repeatedly', async () => {
  const { store, rows, calls } = createStore()
  const spool = await open(store)
  const handles = await findFileHandles()
  const refuse = () => Promise.reject(new Error('ENOSPC'))
  const refused = vi.spyOn(handles, 'appendFile').mockImplementation(refuse)
  const alsoRefused = vi.spyOn(handles, 'writeFile').mockImplementation(refuse)
  await append(spool, numbered(0, 3))
  await eventually(() => alsoRefused.mock.calls.length).toBeGreaterThan(1)
  expect(calls).toEqual([])
  refused.mockRestore()
  alsoRefused.mockRestore()
  await eventually(() => rows).toEqual(numbered(0, 3))
})

test('rejected rows are found by bisection, quarantined once, and affect no other row', async () => {
  const isPoison = (row: string) => row === '[17]' || row === '[403]'
  const { store, rows } = createStore((lines) =>
    lines.some(isPoison) ? { kind: 'refused', code: 27, message: 'cannot parse' } : stored,
  )
  const spool = await open(store)
  await append(spool, numbered(0, 500))
  await eventually(() => rows.length).toBe(498)
  expect(rows).toEqual(numbered(0, 500).filter((row) => !isPoison(row)))
  await eventually(() => spool.quarantine.sizeBytes()).toBeGreaterThan(0)
  const [name = ''] = await readdir(join(folder, 'quarantine'))
  const kept = await spool.quarantine.read(name)
  expect(kept.map(({ row }) => row)).toEqual(['[17]', '[403]'])
  expect(kept[0]).toMatchObject({
    table: 'events',
    columns: [...eventColumns],
    code: 27,
    message: 'cannot parse',
  })
})

test('a store that recovers gets everything', async () => {
  let failures = 5
  const { store, rows } = createStore(() =>
    failures-- > 0 ? { kind: 'retry', reason: 'too many parts', isKnown: true } : stored,
  )
  await append(await open(store), numbered(0, 5))
  await eventually(() => rows).toEqual(numbered(0, 5))
})

test('a request to a hanging store is abandoned and repeated with the same token', async () => {
  const { store, rows, calls } = createStore()
  let isHanging = true
  const hanging: Store = {
    ...store,
    insert: (batch) =>
      isHanging
        ? new Promise((resolve) => {
            calls.push(batch.token)
            isHanging = false
            const giveUp = () => resolve({ kind: 'retry', reason: 'aborted', isKnown: true })
            batch.signal?.addEventListener('abort', giveUp)
          })
        : store.insert(batch),
  }
  await append(await open(hanging), numbered(0, 5))
  await eventually(() => rows).toEqual(numbered(0, 5))
  expect(calls).toHaveLength(2)
  expect(new Set(calls).size).toBe(1)
})

test('more rows than fit an insert are split deterministically', async () => {
  const { store, rows, calls } = createStore()
  const spool = await open(store)
  await append(spool, numbered(0, 30_000))
  await eventually(() => rows.length).toBe(30_000)
  expect(rows).toEqual(numbered(0, 30_000))
  expect(calls.map((token) => token.slice(-2))).toEqual(['e0', 'e1', 'e2'])
})

test('a full spool rejects lane by lane, and accepts again with space', async () => {
  const first = await open(away, 100_000)
  const { spool } = first
  const row = 'x'.repeat(10_000)
  for (let count = 0; count < 7; count++) await append(first, [row])

  const refusal = (lanes: string[]) =>
    expect.objectContaining({ code: 'spool-full', context: expect.objectContaining({ lanes }) })
  const attempt = (lane: 'replay' | 'detail' | 'essential', rows: string[]) =>
    spool.append(
      { kind: 'batch', environmentId, batchId: newId(), receivedAt: now, rows, viewRows: [] },
      lane,
    )
  await expect(attempt('replay', ['1'])).rejects.toEqual(refusal(['replay', 'profile']))
  await attempt('detail', [row.slice(0, 9_000)])
  await expect(attempt('detail', [row])).rejects.toEqual(refusal(['replay', 'profile', 'detail']))
  await attempt('essential', [row])
  await expect(attempt('essential', [row, row])).rejects.toEqual(
    refusal(['replay', 'profile', 'detail', 'essential']),
  )
  await first.close(0)

  const { store, rows } = createStore()
  const second = await open(store, 100_000)
  await eventually(() => rows.length).toBe(9)
  await eventually(() => second.spool.waitingBytes()).toBe(0)
  await append(second, [row])
})

test('a spool file that could not be created is created next time', async () => {
  const spool = await open(away, 100_000)
  await append(spool, ['x'.repeat(20_000)])
  const sync = vi.spyOn(await findFileHandles(), 'sync').mockRejectedValueOnce(new Error('ENOSPC'))
  await expect(append(spool, ['[2]'])).rejects.toMatchObject({ code: 'spool-full' })
  sync.mockRestore()
  await append(spool, ['[3]'])
})

/** The prototype of every open file handle. */
async function findFileHandles(): Promise<FileHandle> {
  const handle = await openFile(folder, 'r')
  await handle.close()
  return Object.getPrototypeOf(handle)
}

test('ids are known for 48 hours, across restarts, shipped or not', async () => {
  const hour = 3_600_000
  const [early, late, waiting] = [newId(), newId(), newId()]
  const { store, rows } = createStore()
  const first = await open(store)
  const seen = async ({ spool, batchIds }: OpenSpool, batchId: string) => {
    await append({ spool } as OpenSpool, ['[1]'], batchId)
    batchIds.add({ id: hashOfBatch(environmentId, batchId), receivedAt: now })
  }
  await seen(first, early)
  await eventually(() => rows.length).toBe(1)
  await first.close(1_000)

  // The next start deletes the shipped files.
  now += 3 * hour
  const second = await open(store)
  await seen(second, late)
  await eventually(() => rows.length).toBe(2)
  await second.batchIds.tidy()
  const isKnown = async ({ batchIds }: OpenSpool, batchId: string, madeAt: number | undefined = undefined) =>
    batchIds.isKnown(hashOfBatch(environmentId, batchId)) ||
    batchIds.isKnownOfOld(hashOfBatch(environmentId, batchId), madeAt)
  expect(await isKnown(second, early)).toBe(true)
  expect(await isKnown(second, early, now - 3 * hour)).toBe(true)
  expect(await isKnown(second, late)).toBe(true)
  expect(await isKnown(second, newId())).toBe(false)
  await second.close(1_000)

  const third = await open(away)
  await seen(third, waiting)
  await third.close(0)
  const fourth = await open(away)
  expect(await Promise.all([early, late, waiting].map((id) => isKnown(fourth, id)))).toEqual([
    true,
    true,
    true,
  ])
  now += 50 * hour
  await fourth.batchIds.tidy()
  expect(await isKnown(fourth, early)).toBe(false)
})

test('facts of one record are identified separately, before and after shipping', async () => {
  const ids = [newId(), newId(), newId()]
  const areKnown = ({ batchIds }: OpenSpool) =>
    ids.map((id) => batchIds.isKnown(hashOfBatch(environmentId, id)))
  const first = await open(away)
  const shared = { environmentId, batchId: newId(), receivedAt: now, viewRows: [] }
  await first.spool.append(
    [
      { ...shared, kind: 'facts', rows: numbered(1, 3), ids },
      { ...shared, kind: 'batch', rows: numbered(4, 2) },
    ],
    'essential',
  )
  await first.close(0)

  const { store, rows } = createStore()
  const second = await open(store)
  expect(areKnown(second)).toEqual([true, true, true])
  await eventually(() => rows).toEqual(numbered(1, 5))
  await second.close(1_000)

  // By now its file is deleted.
  const third = await open(away)
  expect(areKnown(third)).toEqual([true, true, true])
})
