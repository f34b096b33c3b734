// Unpacks a body in chunks: its size is bounded while it grows, in bytes and as a ratio of the compressed size. Only
// a few at a time: the same threads write to the disk and compress responses.

import type { Transform } from 'node:stream'
import { createGunzip, createInflate } from 'node:zlib'
import { type Problem, problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { createGrowingBuffer } from './growing-buffer.ts'
import { type MemoryClaim, tooBusy } from './memory-budget.ts'

export type Packing = 'gzip' | 'zlib'

interface Unpacking {
  packing: Packing
  /** Maximum unpacked size. */
  mostBytes: number
}

const chunkSize = 65_536
/** Of the four threads in Node's pool. */
const atOnce = 2
const waitingAtMost = 200

let running = 0
const waiting: (() => void)[] = []

/** Passes on each chunk, valid only during the call, and returns the total number of bytes. */
export async function unpackPieces(
  bytes: Uint8Array,
  { packing, mostBytes }: Unpacking,
  take: (piece: Buffer) => void,
): Promise<number> {
  await begin()
  const stream = packing === 'gzip' ? createGunzip({ chunkSize }) : createInflate({ chunkSize })
  try {
    return await readAll(stream, bytes, (piece, sizeBytes) => {
      requireSize({ packedBytes: bytes.length, sizeBytes, mostBytes })
      take(piece)
    })
  } finally {
    stream.destroy()
    // The slot is passed directly to the next waiter, so later requests cannot overtake it.
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

/** Unpacks everything, into memory that is claimed as it grows. */
export async function unpackWhole(
  bytes: Uint8Array,
  unpacking: Unpacking,
  claim: MemoryClaim,
): Promise<Buffer> {
  const whole = createGrowingBuffer(claim)
  await unpackPieces(bytes, unpacking, whole.push)
  return whole.bytes()
}

/** Throws `payload-too-large` when the unpacked size or the compression ratio is too large. */
export function requireSize({
  packedBytes,
  sizeBytes,
  mostBytes,
}: {
  packedBytes: number
  sizeBytes: number
  mostBytes: number
}): void {
  if (sizeBytes > mostBytes)
    throw problem('payload-too-large', `It can have at most ${mostBytes} bytes uncompressed.`)
  const mostOfRatio = Math.max(limits.unpackedAlways, limits.unpackedRatio * packedBytes)
  if (sizeBytes <= mostOfRatio) return
  throw problem('payload-too-large', `It decompresses to more than ${limits.unpackedRatio} times its size.`)
}

async function begin(): Promise<void> {
  if (running < atOnce) {
    running += 1
    return
  }
  if (waiting.length >= waitingAtMost) throw tooBusy()
  await new Promise<void>((resolve) => waiting.push(resolve))
}

function readAll(
  stream: Transform,
  bytes: Uint8Array,
  take: (piece: Buffer, sizeBytes: number) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let sizeBytes = 0
    stream.on('data', (piece: Buffer) => {
      sizeBytes += piece.length
      try {
        take(piece, sizeBytes)
      } catch (error) {
        reject(error)
        stream.destroy()
      }
    })
    stream.once('error', () => reject(broken()))
    stream.once('end', () => resolve(sizeBytes))
    stream.end(bytes)
  })
}

function broken(): Problem {
  return problem('malformed-body', 'It cannot be decompressed.')
}
