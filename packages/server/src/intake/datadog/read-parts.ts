// The parts of a form that the client sends: what it says of a segment or a profile, and the thing itself, each packed or not.
// All of it is bounded: the form as it travels, how many parts it has, and what one unpacks to.

import { promisify } from 'node:util'
import { unzip } from 'node:zlib'
import { Busboy } from '@fastify/busboy'
import { problem } from '@telltale/core/errors'
import { isObject, type JsonObject } from '@telltale/core/telemetry/datadog/json'
import { readBody } from '../read-body.ts'
import type { DatadogRequest } from './request.ts'

export type Parts = ReadonlyMap<string, Buffer>

const partsAtMost = 8
const unpack = promisify(unzip)

export async function readParts({
  body,
  contentType,
}: Pick<DatadogRequest, 'body' | 'contentType'>): Promise<Parts> {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw problem('malformed-body', 'It is a form of parts: multipart/form-data.')
  }
  const chunks: Buffer[] = []
  await readBody({ stream: body, encoding: undefined }, (chunk) => chunks.push(chunk))
  return splitParts(Buffer.concat(chunks), contentType)
}

function splitParts(form: Buffer, contentType: string): Promise<Parts> {
  const parts = new Map<string, Buffer>()
  return new Promise((resolve, reject) => {
    const refuse = () => reject(problem('malformed-body', 'Its parts cannot be told from each other.'))
    try {
      const splitting = new Busboy({
        headers: { 'content-type': contentType },
        // Each alike, whether it has the name of a file or not.
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
      // It has no boundary, or one that is none.
      refuse()
    }
  })
}

/** What the client says of what it sends. */
export function eventOf(parts: Parts): JsonObject {
  const event = readJson(parts.get('event'))
  if (isObject(event)) return event
  throw problem('malformed-body', 'Its part `event` is no JSON object.')
}

export function readJson(part: Buffer | undefined): unknown {
  try {
    return JSON.parse(part?.toString('utf8') ?? '')
  } catch {
    return undefined
  }
}

/** The same for gzip, zlib and plain bytes: no header says which, the first ones do. */
export async function unpackPart(part: Buffer, mostBytes: number): Promise<Buffer> {
  const packing = packingOf(part)
  if (packing === undefined) {
    if (part.length > mostBytes) throw tooLarge(mostBytes)
    return part
  }
  try {
    return await unpack(part, { maxOutputLength: mostBytes })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(mostBytes)
    throw problem('malformed-body', 'A part of it cannot be unpacked.')
  }
}

export function packingOf([first = 0, second = 0]: Buffer): 'gzip' | 'zlib' | undefined {
  if (first === 0x1f && second === 0x8b) return 'gzip'
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0 ? 'zlib' : undefined
}

const tooLarge = (mostBytes: number) =>
  problem('payload-too-large', `A part of it has at most ${mostBytes} bytes unpacked.`)
