// Reads a JSON document from disk strictly, and finds everything that is wrong with it as JSON.

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

/** One byte more than allowed is enough to know; a pipe tells its size to nobody. */
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
