// The body of an attachment: a line of JSON with metadata, then bytes. Both are limited while they arrive.

import { type Problem, problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { arrivingBytes } from '../../platform/memory/arriving-bytes.ts'
import { createGrowingBuffer } from '../../platform/memory/growing-buffer.ts'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import type { BodySource } from '../events/read-body.ts'

interface Attachment {
  /** The metadata in the first line. */
  header: unknown
  bytes: Buffer
}

const newline = 0x0a
/** A body this many times over the limit is not a mistake. */
const patience = 4

export async function readAttachment(
  { stream, encoding }: BodySource,
  { mostBytes, claim }: { mostBytes: number; claim: MemoryClaim },
): Promise<Attachment> {
  if (encoding !== undefined && encoding !== 'identity') {
    throw problem('unsupported-encoding', 'Only the part after the first line is compressed.')
  }
  const body = await readBounded(stream, mostBytes + limits.attachmentHeader, claim)
  const end = body.subarray(0, limits.attachmentHeader).indexOf(newline)
  if (end < 0) throw problem('malformed-body', 'It must begin with a JSON line that describes the rest.')
  const bytes = body.subarray(end + 1)
  if (bytes.length > mostBytes) throw tooLarge(mostBytes)
  if (bytes.length === 0) throw problem('malformed-body', 'The part after its first line is missing.')
  return { header: readJson(body.subarray(0, end)), bytes }
}

async function readBounded(
  stream: BodySource['stream'],
  mostBytes: number,
  claim: MemoryClaim,
): Promise<Buffer> {
  const body = createGrowingBuffer(claim)
  let size = 0
  for await (const chunk of arrivingBytes(stream)) {
    size += chunk.length
    // Read to its end and discarded: an unread rest would block the next request on the connection.
    if (size <= mostBytes) body.push(chunk)
    if (size > patience * mostBytes) {
      stream.destroy()
      break
    }
  }
  if (size > mostBytes) throw tooLarge(mostBytes)
  return body.bytes()
}

function tooLarge(mostBytes: number): Problem {
  return problem('payload-too-large', `It can have at most ${mostBytes} bytes as sent.`)
}

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw problem('malformed-body', 'Its first line must be JSON.')
  }
}
