import { Readable } from 'node:stream'
import { deflateSync, gzipSync } from 'node:zlib'
import { Problem } from '@telltale/core/errors'
import { expect, test } from 'vitest'
import { createSplitter } from '../../intake/events/steps/split-body.ts'
import { createGrowingBuffer } from './growing-buffer.ts'
import { createMemoryBudget } from './memory-budget.ts'
import { parsedSize } from './parsed-size.ts'
import { unpackPieces, unpackWhole } from './unpack.ts'

const mebibyte = 1_024 * 1_024

function codeOf(work: () => void): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof Problem ? error.code : 'other'
  }
}

test('telemetry fills its share, and neither the management API nor flags are refused for it', () => {
  const memory = createMemoryBudget(100 * mebibyte)
  const claims = Array.from({ length: 6 }, () => memory.open('telemetry'))
  for (const claim of claims) claim.grow(10 * mebibyte)
  expect(codeOf(() => memory.open('telemetry').grow(1))).toBe('server-busy')
  memory.open('management').grow(20 * mebibyte)
  expect(codeOf(() => memory.open('management').grow(6 * mebibyte))).toBe('server-busy')
  memory.open('flags').grow(15 * mebibyte)
  expect(memory.condition().refused).toEqual(
    new Map([
      ['telemetry', 1],
      ['management', 1],
    ]),
  )

  for (const claim of claims) claim.release()
  memory.open('telemetry').grow(20 * mebibyte)
})

test('a full budget still accepts small bodies of flag requests', () => {
  const memory = createMemoryBudget(mebibyte)
  memory.open('flags').grow(mebibyte)
  expect(codeOf(() => memory.open('flags').grow(200_000))).toBe('server-busy')
  memory.open('flags').grow(4_096)
})

test('what can never fit is rejected, and a released claim takes no more', () => {
  const memory = createMemoryBudget(10 * mebibyte)
  expect(codeOf(() => memory.open('telemetry').grow(7 * mebibyte))).toBe('payload-too-large')
  const claim = memory.open('telemetry')
  claim.grow(mebibyte)
  claim.release()
  claim.release()
  expect(memory.condition().usedBytes).toBe(0)
  expect(codeOf(() => claim.grow(1))).toBe('server-busy')
})

test('bytes that come one by one take what they hold, and not a buffer each', () => {
  const memory = createMemoryBudget(10 * mebibyte)
  const text = Buffer.from('{"a":1}\n'.repeat(20_000))
  const body = createGrowingBuffer(memory.open('telemetry'))
  for (const byte of text) body.push(Buffer.from([byte]))
  expect(body.bytes().equals(text)).toBe(true)
  expect(memory.condition().usedBytes).toBeLessThan(3 * text.length)

  const pieces: string[] = []
  const claim = memory.open('telemetry')
  const splitter = createSplitter((piece) => pieces.push(String(piece)), { mostBytes: 1_000, claim })
  for (const byte of text.subarray(0, 80)) splitter.push(Buffer.from([byte]))
  splitter.end()
  expect(pieces).toEqual(Array.from({ length: 10 }, () => '{"a":1}'))
})

test.each([
  ['gzip', gzipSync],
  ['zlib', deflateSync],
] as const)(
  '%s with an extreme compression ratio ends early without holding memory',
  async (packing, pack) => {
    const memory = createMemoryBudget(64 * mebibyte)
    const bomb = pack(Buffer.alloc(39 * mebibyte))
    let most = 0
    const reading = unpackPieces(bomb, { packing, mostBytes: 40 * mebibyte }, () => {
      most = Math.max(most, memory.condition().usedBytes)
    })
    await expect(reading).rejects.toMatchObject({ code: 'payload-too-large' })
    expect(most).toBe(0)
  },
)

test('a fully decompressed body is claimed in advance', async () => {
  const memory = createMemoryBudget(16 * mebibyte)
  const packed = gzipSync(Buffer.alloc(12 * mebibyte, 'abcdefghij'))
  const unpacking = { packing: 'gzip', mostBytes: 40 * mebibyte } as const
  await expect(unpackWhole(packed, unpacking, memory.open('telemetry'))).rejects.toMatchObject({
    code: 'payload-too-large',
  })
  const whole = await unpackWhole(gzipSync('some text'), unpacking, memory.open('telemetry'))
  expect(String(whole)).toBe('some text')
})

test('many that unpack at once all come to their end, broken ones too', async () => {
  const memory = createMemoryBudget(64 * mebibyte)
  const text = 'line\n'.repeat(10_000)
  const packed = gzipSync(text)
  const unpacking = { packing: 'gzip', mostBytes: mebibyte } as const
  const all = Array.from({ length: 40 }, (_, index) => {
    const bytes = index % 4 === 0 ? packed.subarray(0, packed.length - 9) : packed
    return memory
      .during('telemetry', (claim) => unpackWhole(bytes, unpacking, claim))
      .then(String, (error) => error.code)
  })
  const results = await Promise.all(all)
  expect(results.filter((result) => result === text)).toHaveLength(30)
  expect(results.filter((result) => result === 'malformed-body')).toHaveLength(10)
  expect(memory.condition().usedBytes).toBe(0)
})

test.each([
  ['empty objects', '{},'.repeat(50_000)],
  ['empty lists', '[],'.repeat(50_000)],
  ['members', Array.from({ length: 30_000 }, (_, index) => `{"k${index}":${index}.5},`).join('')],
  ['numbers', '1.5,'.repeat(50_000)],
])('JSON of %s takes no more than was claimed for it', (_what, list) => {
  const text = Buffer.from(`[${list}0]`)
  // Keeps a reference, so that it counts as used.
  const kept: unknown[] = []
  const before = process.memoryUsage().heapUsed
  for (let count = 0; count < 5; count++) kept.push(JSON.parse(text.toString('utf8')))
  const taken = (process.memoryUsage().heapUsed - before) / 5
  expect(kept).toHaveLength(5)
  expect(taken).toBeLessThan(parsedSize(text))
})

test('a body is read from pieces of any size', async () => {
  const memory = createMemoryBudget(mebibyte)
  const body = createGrowingBuffer(memory.open('management'))
  for await (const chunk of Readable.from([Buffer.alloc(10, 'a'), Buffer.alloc(9_000, 'b')])) body.push(chunk)
  expect(body.bytes().length).toBe(9_010)
  body.release()
  expect(memory.condition().usedBytes).toBe(0)
})
