// Unpacks what a body holds, piece by piece: how large it becomes is bounded while it grows, in bytes and as a multiple of
// what travelled. A few at a time: threads that unpack are those that write to the disk and pack answers, too.

import type { Transform } from 'node:stream'
import { createGunzip, createInflate } from 'node:zlib'
import { type Problem, problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { createGrowingBuffer } from './growing-buffer.ts'
import { type MemoryClaim, tooBusy } from './memory-budget.ts'

export type Packing = 'gzip' | 'zlib'

export interface Unpacking {
  packing: Packing
  /** What it may become, at most. */
  mostBytes: number
}

const chunkSize = 65_536
/** Of the four threads that Node has for it. */
const atOnce = 2
const waitingAtMost = 200

let running = 0
const waiting: (() => void)[] = []

/** Hands over piece after piece, each valid during the call alone, and gives how many bytes there were. */
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
    // Whoever waits takes this place over: nobody comes in between.
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

/** All of it, in memory that was claimed while it grew. */
export async function unpackWhole(
  bytes: Uint8Array,
  unpacking: Unpacking,
  claim: MemoryClaim,
): Promise<Buffer> {
  const whole = createGrowingBuffer(claim)
  await unpackPieces(bytes, unpacking, whole.push)
  return whole.bytes()
}

/** Throws `payload-too-large` for what unpacks to too much, or to too many times what it was. */
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
