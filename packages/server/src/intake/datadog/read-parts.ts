// The parts of a multipart form from the client: the metadata of a segment or profile, and its content, each compressed
// or not. All of it is limited: the form's size, the number of parts, and the unpacked size of each.

import { Busboy } from '@fastify/busboy'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { isObject, type JsonObject } from '@telltale/core/telemetry/json'
import { createGrowingBuffer } from '../../platform/memory/growing-buffer.ts'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import { takeParseTurn } from '../../platform/memory/parse-turn.ts'
import { parsedSize } from '../../platform/memory/parsed-size.ts'
import { type Packing, unpackPieces, unpackWhole } from '../../platform/memory/unpack.ts'
import { readBody } from '../events/read-body.ts'
import type { DatadogRequest } from './request.ts'

export type Parts = ReadonlyMap<string, Buffer>

const partsAtMost = 8

export async function readParts({
  body,
  contentType,
  claim,
}: Pick<DatadogRequest, 'body' | 'contentType' | 'claim'>): Promise<Parts> {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw problem('malformed-body', 'It must be multipart/form-data.')
  }
  const form = createGrowingBuffer(claim)
  let sizeBytes = 0
  await readBody({ stream: body, encoding: undefined }, (chunk) => {
    sizeBytes += chunk.length
    // Datadog's client compresses the parts, not the form.
    if (sizeBytes > limits.intakeCompressedSize) throw tooLarge(limits.intakeCompressedSize)
    form.push(chunk)
  })
  // Each part is copied out of it.
  claim.grow(sizeBytes)
  return splitParts(form.bytes(), contentType)
}

function splitParts(form: Buffer, contentType: string): Promise<Parts> {
  const parts = new Map<string, Buffer>()
  return new Promise((resolve, reject) => {
    const refuse = () => reject(problem('malformed-body', 'Its parts cannot be separated.'))
    try {
      const splitting = new Busboy({
        headers: { 'content-type': contentType },
        // Each is handled alike, with or without a file name.
        isPartAFile: () => true,
        limits: { parts: partsAtMost, headerPairs: 20, headerSize: 8_192, fileSize: form.length },
      })
      splitting.on('file', (name, part) => {
        const chunks: Buffer[] = []
        part.on('data', (chunk: Buffer) => chunks.push(chunk))
        part.on('error', refuse)
        part.on('end', () => {
          if (!parts.has(name)) parts.set(name, Buffer.concat(chunks))
        })
      })
      splitting.on('error', refuse)
      splitting.on('finish', () => resolve(parts))
      splitting.end(form)
    } catch {
      // The boundary is missing or invalid.
      refuse()
    }
  })
}

/** The client's metadata. */
export async function eventOf(parts: Parts, claim: MemoryClaim): Promise<JsonObject> {
  const event = await readJson(parts.get('event'), claim)
  if (isObject(event)) return event
  throw problem('malformed-body', 'Its part `event` must be a JSON object.')
}

/** Undefined for invalid JSON. */
export async function readJson(part: Buffer | undefined, claim: MemoryClaim): Promise<unknown> {
  if (part === undefined) return undefined
  claim.grow(parsedSize(part))
  await takeParseTurn(part.length)
  try {
    return JSON.parse(part.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Handles gzip, zlib and plain bytes: no header names the format, so it is detected from the first bytes. */
export async function unpackPart(part: Buffer, mostBytes: number, claim: MemoryClaim): Promise<Buffer> {
  const packing = packingOf(part)
  if (packing !== undefined) return unpackWhole(part, { packing, mostBytes }, claim)
  if (part.length > mostBytes) throw tooLarge(mostBytes)
  return part
}

/** The same without keeping the output: each chunk is valid only during the call. Returns the number of bytes. */
export async function readPart(
  part: Buffer,
  mostBytes: number,
  take: (piece: Buffer) => void,
): Promise<number> {
  const packing = packingOf(part)
  if (packing !== undefined) return unpackPieces(part, { packing, mostBytes }, take)
  if (part.length > mostBytes) throw tooLarge(mostBytes)
  take(part)
  return part.length
}

export function packingOf([first = 0, second = 0]: Buffer): Packing | undefined {
  if (first === 0x1f && second === 0x8b) return 'gzip'
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0 ? 'zlib' : undefined
}

const tooLarge = (mostBytes: number) =>
  problem('payload-too-large', `It can have at most ${mostBytes} bytes, and so has each of its parts.`)
