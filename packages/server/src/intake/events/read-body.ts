// Reads and decompresses a body as it arrives. The encoding is taken from the header or, for a beacon, which cannot set
// one, detected from the first bytes. Both sizes are limited while reading: a zip bomb stops at the limit.

import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
  inflateSync,
} from 'node:zlib'
import { type Problem, problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { arrivingBytes } from '../../platform/memory/arriving-bytes.ts'
import { readBeginning } from '../../platform/memory/read-beginning.ts'
import { requireSize } from '../../platform/memory/unpack.ts'

type Coding = 'none' | 'gzip' | 'deflate'

export interface BodySource {
  stream: Readable
  /** The content-encoding header. */
  encoding: string | undefined
}

interface ReadBody {
  /** Unpacked. */
  sizeBytes: number
}

type TakeChunk = (chunk: Buffer) => void

/** Passes on chunk after chunk. Throws `unsupported-encoding`, `malformed-body` and `payload-too-large`. */
export async function readBody({ stream, encoding }: BodySource, take: TakeChunk): Promise<ReadBody> {
  const declared = codingOf(encoding)
  const { bytes, isWhole } = await readBeginning(stream, smallBytes)
  if (bytes.length === 0) throw problem('malformed-body', 'The body is empty.')

  const coding = declared ?? seenIn(bytes)
  const unpacked = isWhole ? unpackSmall(coding, bytes) : undefined
  if (unpacked === undefined) return readLarge({ coding, beginning: bytes, stream, isWhole }, take)
  requireSize({
    packedBytes: bytes.length,
    sizeBytes: unpacked.length,
    mostBytes: limits.intakeInflatedSize,
  })
  if (unpacked.length > 0) take(unpacked)
  return { sizeBytes: unpacked.length }
}

/** The same, with the SHA-256 of the unpacked bytes: it identifies a body whose client sends no id. */
export async function readDigestedBody(
  source: BodySource,
  take: TakeChunk,
): Promise<ReadBody & { digest: Buffer }> {
  const digest = createHash('sha256')
  const read = await readBody(source, (chunk) => {
    digest.update(chunk)
    take(chunk)
  })
  return { ...read, digest: digest.digest() }
}

interface LargeBody {
  coding: Coding
  beginning: Buffer
  stream: Readable
  /** The beginning is all of it, and unpacks to more than a small body. */
  isWhole: boolean
}

async function readLarge(
  { coding, beginning, stream, isWhole }: LargeBody,
  take: TakeChunk,
): Promise<ReadBody> {
  const travelled = { sizeBytes: beginning.length }
  const arriving = isWhole ? nothingMore() : bounded(stream, travelled)
  try {
    const unpacked = coding === 'none' ? chunks(beginning, arriving) : inflate(coding, beginning, arriving)
    let sizeBytes = 0
    for await (const chunk of unpacked) {
      sizeBytes += chunk.length
      requireSize({ packedBytes: travelled.sizeBytes, sizeBytes, mostBytes: limits.intakeInflatedSize })
      take(chunk)
    }
    return { sizeBytes }
  } finally {
    // A body that was refused early is still being read here, or not even that.
    await arriving.return()
    stream.resume()
  }
}

/** As declared; undefined when the bytes show it. Throws `unsupported-encoding`. */
export function codingOf(encoding: string | undefined): Coding | undefined {
  const named = (encoding ?? '').trim().toLowerCase()
  // A client that compresses in its own code may omit the header, or a proxy may set it to `identity`.
  if (named === '' || named === 'identity') return undefined
  if (named === 'gzip' || named === 'x-gzip') return 'gzip'
  if (named === 'deflate') return 'deflate'
  throw problem('unsupported-encoding', 'Send the lines uncompressed, or with gzip or deflate.')
}

/** JSON begins with none of these bytes. */
function seenIn(chunk: Buffer): Coding {
  const [first, second] = chunk
  if (first === 0x1f && (second === undefined || second === 0x8b)) return 'gzip'
  const isZlib = first !== undefined && (first & 0x0f) === 8 && first >> 4 <= 7
  return isZlib && second !== undefined && ((first << 8) | second) % 31 === 0 ? 'deflate' : 'none'
}

async function* bounded(stream: Readable, travelled: { sizeBytes: number }): AsyncGenerator<Buffer, void> {
  for await (const chunk of arrivingBytes(stream)) {
    travelled.sizeBytes += chunk.length
    if (travelled.sizeBytes > limits.intakeCompressedSize) throw tooLarge(limits.intakeCompressedSize)
    if (chunk.length > 0) yield chunk
  }
}

async function* chunks(first: Buffer, rest: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  yield first
  yield* rest
}

async function* nothingMore(): AsyncGenerator<Buffer, void> {}

/**
 * Undefined when the output exceeds the size of a small body. Passing one to another thread costs more than
 * decompressing it here.
 */
function unpackSmall(coding: Coding, bytes: Buffer): Buffer | undefined {
  if (coding === 'none') return bytes
  try {
    const bounds = { maxOutputLength: atOnceBytes }
    if (coding === 'gzip') return gunzipSync(bytes, bounds)
    return seenIn(bytes) === 'deflate' ? inflateSync(bytes, bounds) : inflateRawSync(bytes, bounds)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw malformed(error)
  }
}

async function* inflate(
  coding: 'gzip' | 'deflate',
  first: Buffer,
  rest: AsyncGenerator<Buffer, void>,
): AsyncGenerator<Buffer, void> {
  const unpacking = createUnpacking(coding, first)
  let failure: unknown
  const feeding = feed().catch((error: unknown) => {
    failure = error
    unpacking.destroy(error instanceof Error ? error : new Error(String(error)))
  })
  try {
    for await (const chunk of unpacking) if (Buffer.isBuffer(chunk)) yield chunk
  } catch (error) {
    throw failure ?? malformed(error)
  } finally {
    unpacking.destroy()
    await feeding
  }

  async function feed(): Promise<void> {
    for await (const chunk of chunks(first, rest)) {
      if (unpacking.destroyed) return
      await new Promise<void>((resolve) => {
        unpacking.once('close', resolve)
        unpacking.write(chunk, () => {
          unpacking.off('close', resolve)
          resolve()
        })
      })
    }
    unpacking.end()
  }
}

const chunkSize = 65_536
const smallBytes = 32 * 1_024
/** Takes a millisecond. */
const atOnceBytes = 512 * 1_024

/** Some clients send a raw deflate stream as `deflate`. */
function createUnpacking(coding: 'gzip' | 'deflate', first: Buffer) {
  if (coding === 'gzip') return createGunzip({ chunkSize })
  return seenIn(first) === 'deflate' ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize })
}

function malformed(error: unknown): Problem {
  return problem(
    'malformed-body',
    `It cannot be decompressed: ${error instanceof Error ? error.message : error}.`,
  )
}

export function tooLarge(mostBytes: number): Problem {
  return problem('payload-too-large', `A batch has at most ${mostBytes} bytes as sent.`)
}
