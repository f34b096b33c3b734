// The body of a request of Sentry's clients: a line of JSON about all of it, then items, each a line of JSON about the
// item followed by its bytes (https://develop.sentry.dev/sdk/data-model/envelopes/).

import type { Readable } from 'node:stream'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { isObject, type JsonObject, numberIn, textIn } from '@telltale/core/telemetry/json'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import { parsedSize } from '../../platform/memory/parsed-size.ts'
import { readDigestedBody } from '../events/read-body.ts'
import { isDeeper } from '../events/steps/parse-event.ts'

export interface EnvelopeItem {
  type: string
  headers: JsonObject
  payload: Buffer
}

export interface Envelope {
  headers: JsonObject
  items: EnvelopeItem[]
  sizeBytes: number
  /** Of the unpacked bytes. */
  digest: Buffer
}

interface GivenBody {
  stream: Readable
  encoding: string | undefined
  /** Called with the first line before the rest is read; throws to refuse it. */
  admit(headers: JsonObject): void
}

const newline = 0x0a
const longestFirstLine = 65_536

/** Throws `malformed-body` when its first line or an item's line is no JSON, or an item is cut off. */
export async function readEnvelope(given: GivenBody, claim: MemoryClaim): Promise<Envelope> {
  const chunks: Buffer[] = []
  let first = 0
  let headers: JsonObject | undefined
  const readFirst = (isWhole: boolean) => {
    const bytes = Buffer.concat(chunks)
    first = endOfLine(bytes, 0)
    if (first > longestFirstLine) throw problem('malformed-body', 'Its first line is too long.')
    if (first === bytes.length && !isWhole) return
    headers = readObject(bytes.subarray(0, first), claim)
    if (headers === undefined) throw problem('malformed-body', 'An envelope begins with a line of JSON.')
    given.admit(headers)
  }
  const read = await readDigestedBody(given, (chunk) => {
    claim.grow(chunk.length)
    chunks.push(chunk)
    if (headers === undefined) readFirst(false)
  })
  if (headers === undefined) readFirst(true)
  const bytes = Buffer.concat(chunks)
  const items: EnvelopeItem[] = []
  for (let at = first + 1; at < bytes.length; ) {
    if (bytes[at] === newline) {
      at += 1
      continue
    }
    if (items.length >= limits.eventsPerBatch) throw problem('payload-too-large', 'Too many items.')
    const end = endOfLine(bytes, at)
    const about = readObject(bytes.subarray(at, end), claim)
    const type = about && textIn(about, 'type')
    if (about === undefined || type === undefined) {
      throw problem('malformed-body', 'An item begins with a line of JSON that has its type.')
    }
    const length = numberIn(about, 'length')
    const last = length === undefined ? endOfLine(bytes, end + 1) : end + 1 + length
    if (last > bytes.length) throw problem('malformed-body', 'An item is cut off.')
    items.push({ type, headers: about, payload: bytes.subarray(end + 1, last) })
    at = last + 1
  }
  return { headers: headers ?? {}, items, ...read }
}

/** Undefined when it is no JSON object, or nested too deeply. */
export function readObject(bytes: Buffer, claim: MemoryClaim): JsonObject | undefined {
  claim.grow(parsedSize(bytes))
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return isObject(value) && !isDeeper(value, limits.bodyDepth) ? value : undefined
  } catch {
    return undefined
  }
}

function endOfLine(bytes: Buffer, from: number): number {
  const found = bytes.indexOf(newline, from)
  return found < 0 ? bytes.length : found
}
