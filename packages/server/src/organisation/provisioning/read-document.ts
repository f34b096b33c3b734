// Reads a JSON document from disk strictly, and reports all of its JSON errors.

import { createReadStream } from 'node:fs'
import type { Fault } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { readStrictJson } from '../../platform/http/strict-json.ts'

export type Document = { value: unknown } | { faults: Fault[] }

export async function readDocument(file: string): Promise<Document> {
  let bytes: Uint8Array
  try {
    bytes = await readBounded(file)
  } catch (error) {
    return wrong(`cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  return bytes.byteLength > limits.setupFileSize
    ? wrong(`is larger than ${limits.setupFileSize} bytes`)
    : readStrictJson(bytes)
}

/** Reads one byte more than allowed, because a pipe does not report its size. */
async function readBounded(file: string): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(file, { end: limits.setupFileSize })) {
    chunks.push(Buffer.from(chunk))
  }
  return Buffer.concat(chunks)
}

function wrong(message: string): Document {
  return { faults: [{ pointer: '', message }] }
}
