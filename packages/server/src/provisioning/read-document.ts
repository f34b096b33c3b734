// Reads a JSON document from disk strictly, and finds everything that is wrong with it as JSON.

import { createReadStream } from 'node:fs'
import type { Fault } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'
import { isStorable, toPointer } from '../http/body.ts'

export type Document = { value: unknown } | { faults: Fault[] }

export async function readDocument(file: string): Promise<Document> {
  let bytes: Uint8Array
  try {
    bytes = await readBounded(file)
  } catch (error) {
    return wrong(`cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (bytes.byteLength > limits.setupFileSize) return wrong(`is larger than ${limits.setupFileSize} bytes`)

  const text = decode(bytes)
  return text === undefined ? wrong('is not valid UTF-8') : parseDocument(text)
}

/** One byte more than allowed is enough to know; a pipe tells its size to nobody. */
async function readBounded(file: string): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(file, { end: limits.setupFileSize })) {
    chunks.push(Buffer.from(chunk))
  }
  return Buffer.concat(chunks)
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

export function parseDocument(text: string): Document {
  const faults = findFaults(text)
  if (faults.length > 0) return { faults }
  try {
    return { value: JSON.parse(text) }
  } catch {
    // The reason quotes the file, and the file may hold passwords.
    return wrong('is not JSON')
  }
}

class Stop extends Error {}

/** The first error of syntax, or every member named twice and every text that can't be stored. */
function findFaults(text: string): Fault[] {
  const faults: Fault[] = []
  const open: Set<string>[] = []
  let depth = 0
  const deeper = () => {
    depth += 1
    if (depth > limits.bodyDepth) stop(`nests deeper than ${limits.bodyDepth}`)
  }
  const stop = (message: string) => {
    faults.splice(0, faults.length, { pointer: '', message })
    throw new Stop()
  }

  const visitor: Parameters<typeof visit>[1] = {
    onObjectBegin: () => {
      deeper()
      open.push(new Set())
    },
    onObjectEnd: () => {
      depth -= 1
      open.pop()
    },
    onArrayBegin: deeper,
    onArrayEnd: () => {
      depth -= 1
    },
    onObjectProperty: (...[name, , , , , path]) => {
      const names = open.at(-1)
      const pointer = () => toPointer([...path(), name])
      if (names?.has(name)) faults.push({ pointer: pointer(), message: 'is given twice' })
      if (!isStorable(name)) faults.push({ pointer: pointer(), message: unstorable })
      names?.add(name)
    },
    onLiteralValue: (...[value, , , , , path]) => {
      if (typeof value === 'string' && !isStorable(value)) {
        faults.push({ pointer: toPointer(path()), message: unstorable })
      }
    },
    onError: (...[code, , , line, character]) =>
      stop(`is not JSON: ${reasonOf(code)} at line ${line + 1}, column ${character + 1}`),
  }
  try {
    visit(text, visitor, { disallowComments: true })
  } catch (error) {
    if (!(error instanceof Stop)) throw error
  }
  return faults
}

const unstorable = 'holds a character that is none (NUL or a lone surrogate)'

/** `CommaExpected` as "comma expected". */
function reasonOf(code: ParseErrorCode): string {
  return printParseErrorCode(code)
    .replaceAll(/(?!^)([A-Z])/g, ' $1')
    .toLowerCase()
}

function wrong(message: string): Document {
  return { faults: [{ pointer: '', message }] }
}
