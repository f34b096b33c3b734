// A disk that corrupts bytes: the damaged record is lost and counted, every other one arrives.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { v7 as newId } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../platform/process/log.ts'
import { openDamageLog } from './damage-log.ts'
import type { Store } from './deliver-rows.ts'
import { openJournal } from './journal.ts'
import { type OpenSpool, openSpool } from './open-spool.ts'
import { openQuarantine } from './quarantine.ts'
import { encodeRecord } from './record.ts'
import { openSegments, type Segments } from './segments.ts'

const environmentId = '0198a2c4-0000-7000-8000-000000000001'
const log = createLog('silent')
const now = () => 1_795_000_000_000

let folder: string
let opened: OpenSpool | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-damage-'))
})
afterEach(async () => {
  await opened?.close(0)
  opened = undefined
  await rm(folder, { recursive: true, force: true })
})

const draft = (row: string) => ({
  kind: 'batch' as const,
  environmentId,
  batchId: newId(),
  receivedAt: now(),
  rows: [row],
  viewRows: [],
})
const three = () => ['["one"]', '["two"]', '["three"]'].map((row) => encodeRecord(draft(row)))
const fileName = '0000000001.spool'

/** The records read from a segment with these bytes, and the damage reported. */
async function readBack(bytes: Buffer, { isLast = true } = {}) {
  const place = await mkdtemp(join(folder, 'segment-'))
  await writeFile(join(place, fileName), bytes)
  if (!isLast) await writeFile(join(place, '0000000002.spool'), encodeRecord(draft('["next"]')))
  const damage = await openDamageLog(join(place, 'damage.json'), { now, log })
  const segments = await openSegments({ folder: place, firstNumber: 0, segmentBytes: 1e6, damage, log })
  const rows = await readAll(segments)
  const known = await segments.knownIn(1)
  await segments.close()
  await damage.close()
  return { rows, known: known.length, lost: damage.recent()?.records ?? 0 }
}

async function readAll(segments: Segments): Promise<string[]> {
  const rows: string[] = []
  for (let at = { segment: 0, offset: 0 }; ; ) {
    const record = await segments.read(at)
    if (record === undefined) return rows
    rows.push(...record.body.toString('utf8').trimEnd().split('\n'))
    at = record.next
  }
}

/** In the format of the first version: without a checksum of the header. */
function asBefore(record: Buffer): Buffer {
  const old = Buffer.from(record)
  old.writeUInt32LE(0, 36)
  old.writeUInt32LE(crc32(old.subarray(8)), 4)
  return old
}

test('a changed byte of a file loses at most its record, and is counted', {
  timeout: 60_000,
}, async () => {
  const records = three()
  const whole = Buffer.concat(records)
  const all = ['["one"]', '["two"]', '["three"]']
  let start = 0
  for (const [index, record] of records.entries()) {
    for (let at = start; at < start + record.length; at++) {
      for (const bits of [0x01, 0xff]) {
        const bytes = Buffer.from(whole)
        bytes[at] = (bytes[at] ?? 0) ^ bits
        const { rows, lost } = await readBack(bytes)
        expect({ at, rows, lost }).toEqual({ at, rows: all.filter((_, other) => other !== index), lost: 1 })
      }
    }
    start += record.length
  }
})

test('files of an earlier version are read, and damage in them is skipped too', async () => {
  const records = three().map(asBefore)
  expect(await readBack(Buffer.concat(records))).toEqual({
    rows: ['["one"]', '["two"]', '["three"]'],
    known: 3,
    lost: 0,
  })
  const length = records[0]?.length ?? 0
  for (let at = length; at < length * 2; at++) {
    const bytes = Buffer.concat(records)
    bytes[at] = (bytes[at] ?? 0) ^ 0x55
    const { rows, lost } = await readBack(bytes)
    expect({ at, rows, lost }).toEqual({ at, rows: ['["one"]', '["three"]'], lost: 1 })
  }
})

test('an incomplete tail after a crash is not damage: truncated at any byte, or filled with zeros', async () => {
  const records = three()
  const whole = Buffer.concat(records)
  const twoLength = whole.length - (records[2]?.length ?? 0)
  for (let size = twoLength; size < whole.length; size += 7) {
    expect(await readBack(whole.subarray(0, size))).toMatchObject({ rows: ['["one"]', '["two"]'], lost: 0 })
  }
  for (const zeros of [1, 71, 72, 4_096, 1_500_000]) {
    const bytes = Buffer.concat([whole, Buffer.alloc(zeros)])
    expect(await readBack(bytes)).toEqual({ rows: ['["one"]', '["two"]', '["three"]'], known: 3, lost: 0 })
  }
})

test('garbage between, before and after records does not affect them', async () => {
  const [one, two, last] = three() as [Buffer, Buffer, Buffer]
  // Contains the magic bytes of a record, and fragments of records.
  const garbage = Buffer.concat([
    Buffer.from('1LET garbage 1LET\u0000'),
    one.subarray(0, 70),
    Buffer.alloc(3_000_000, 0x5a),
  ])
  for (const parts of [
    [garbage, one, two, last],
    [one, garbage, two, garbage, last],
    [one, two, last, garbage],
  ]) {
    const { rows, lost } = await readBack(Buffer.concat(parts), { isLast: false })
    expect(rows).toEqual(['["one"]', '["two"]', '["three"]', '["next"]'])
    expect(lost).toBeGreaterThan(0)
  }
})

test('after damage in the last file the rest is stored once, and health reports the loss, also after a restart', async () => {
  const first = await open(away)
  for (const row of ['["one"]', '["two"]', '["three"]']) await first.spool.append(draft(row), 'essential')
  await first.close(0)
  await flip(join(folder, fileName), 75)

  const { store, rows } = collecting()
  const second = await open(store)
  await expect.poll(() => rows, { timeout: 10_000 }).toEqual(['["two"]', '["three"]'])
  await expect.poll(() => second.spool.waitingBytes(), { timeout: 10_000 }).toBe(0)
  expect(second.damage.recent()).toMatchObject({ records: 1 })
  await second.close(1_000)
  expect((await open(away)).damage.recent()).toMatchObject({ records: 1 })
})

test('an unreadable file is skipped, and later ones are stored', async () => {
  const first = await open(away)
  await first.spool.append(draft('["one"]'), 'essential')
  await first.close(0)
  await flip(join(folder, fileName), 3)

  const { store, rows } = collecting()
  const second = await open(store)
  await second.spool.append(draft('["later"]'), 'essential')
  await expect.poll(() => rows, { timeout: 10_000 }).toEqual(['["later"]'])
  await expect.poll(() => second.spool.waitingBytes(), { timeout: 10_000 }).toBe(0)
})

test('with any changed byte in the journal, its last entry is known, also without its copy', async () => {
  const path = join(folder, 'writer.log')
  const last = { position: { segment: 3, offset: 80 }, plan: { end: { segment: 3, offset: 160 }, void: [] } }
  const journal = await openJournal(path)
  await journal.write({ position: { segment: 3, offset: 0 } })
  await journal.write(last)
  await journal.close()
  const whole = await readFile(path)
  for (let at = 0; at < whole.length; at++) {
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] ?? 0) ^ 0x04
    await writeFile(path, bytes)
    await rm(`${path}.copy`, { force: true })
    const again = await openJournal(path)
    expect({ at, last: again.last() }).toEqual({ at, last })
    await again.close()
  }
  await writeFile(path, `${JSON.stringify(last)}\n{"position":{"segm`)
  await rm(`${path}.copy`)
  const old = await openJournal(path)
  expect(old.last()).toEqual(last)
  await old.close()
})

test('a damaged line of the quarantine only loses that line, and is counted', async () => {
  const damage = await openDamageLog(join(folder, 'damage.json'), { now, log })
  const quarantine = await openQuarantine(join(folder, 'quarantine'), { now, damage })
  const refused = ['[1]', '[2]', '[3]'].map((row) => ({
    table: 'events' as const,
    columns: ['a'],
    row,
    code: 1,
    message: 'm',
  }))
  await quarantine.keep('token', refused)
  const path = join(folder, 'quarantine', 'token.jsonl')
  const whole = await readFile(path)
  const lineLength = whole.indexOf('\n') + 1
  for (let at = 0; at < whole.length; at++) {
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] ?? 0) ^ 0x20
    await writeFile(path, bytes)
    const rows = (await quarantine.read('token.jsonl')).map(({ row }) => row)
    const damaged = Math.floor(at / lineLength)
    const isBreak = at % lineLength === lineLength - 1
    expect({ at, rows }).toEqual({
      at,
      rows: ['[1]', '[2]', '[3]'].filter((_, index) => isBreak || index !== damaged),
    })
  }
  expect(damage.recent()?.records).toBeGreaterThan(0)
  await writeFile(path, `${JSON.stringify({ ...refused[0], at: 5 })}\n{"table":"ev`)
  expect(await quarantine.read('token.jsonl')).toMatchObject([{ row: '[1]', at: 5 }])
  await damage.close()
})

async function flip(path: string, at: number): Promise<void> {
  const bytes = await readFile(path)
  bytes[at] = (bytes[at] ?? 0) ^ 0x01
  await writeFile(path, bytes)
}

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
  return { store, rows }
}

async function open(store: Store): Promise<OpenSpool> {
  opened = await openSpool({
    folder,
    largestBytes: 10_000_000,
    store,
    insertTimeout: 200,
    sharedDatabase: undefined,
    now,
    log,
    onRefused: () => undefined,
  })
  return opened
}
