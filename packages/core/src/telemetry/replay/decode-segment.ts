// Decodes a segment of the format `telltale-replay-1` into operations. A segment needs no other one: its strings are
// its own, and it says how many nodes were recorded before it.

import { framesAtMost, framesDeep, magic, pressKinds, records } from './codes.ts'
import type { ReplayOperation, SheetRef } from './operations.ts'
import { BrokenRecording, type ByteReader, frameIds, readBytes } from './read-bytes.ts'
import { readConsole, readRequest } from './read-details.ts'
import {
  type NodeIds,
  readDocument,
  readIds,
  readList,
  readNodes,
  readPoint,
  readShadow,
  readSheets,
  readState,
} from './read-tree.ts'

/**
 * Yields the operations of an unpacked segment, in order; those before a broken record are whole.
 * @throws BrokenRecording, RecordingTooLarge
 */
export function* decodeSegment(bytes: Uint8Array): Generator<ReplayOperation> {
  yield* decode(readBytes(bytes), 0)
}

/** `depth`: of frames of other origins. */
function* decode(reader: ByteReader, depth: number): Generator<ReplayOperation> {
  for (const expected of magic)
    if (reader.byte() !== expected) throw new BrokenRecording('not a segment of this format')
  const ids = { next: reader.id() }
  let at = reader.number()
  while (!reader.isAtEnd) {
    const code = reader.byte()
    if (code === records.time) at += reader.signed()
    else if (code === records.frame) yield* readFrame({ reader, at, depth })
    else yield readRecord(code, { reader, ids, at })
  }
}

interface FrameSource {
  readonly reader: ByteReader
  readonly at: number
  readonly depth: number
}

/** What a frame of another origin has recorded. A fault in it leaves the page whole. */
function* readFrame({ reader, at, depth }: FrameSource): Generator<ReplayOperation> {
  const frame = reader.id()
  const number = reader.number()
  if (number < 1 || number > framesAtMost || depth >= framesDeep)
    throw new BrokenRecording('more frames than are recorded')
  const length = reader.number()
  const inner = reader.frame(length, number * frameIds * (framesAtMost + 1) ** depth)
  if (length === 0)
    return yield { at, do: 'document', id: frame, document: { id: inner.unique(1), children: [] } }
  try {
    for (const operation of decode(inner, depth + 1)) {
      const shown = inFrame(operation, frame)
      if (shown !== undefined) yield shown
    }
  } catch (error) {
    if (!(error instanceof BrokenRecording)) throw error
    yield { at, do: 'note', note: { kind: 'lost' } }
  }
}

/** As its page shows it; undefined: it is about the window of the frame alone. */
function inFrame(operation: ReplayOperation, frame: number): ReplayOperation | undefined {
  switch (operation.do) {
    case 'page':
      return { at: operation.at, do: 'document', id: frame, document: operation.document }
    case 'note':
      return frameNotes.has(operation.note.kind) ? operation : undefined
    case 'viewport':
    case 'zoom':
    case 'console':
    case 'request':
      return undefined
    default:
      return operation
  }
}

/** Others describe a whole recording. */
const frameNotes = new Set<unknown>(['assets', 'lost', 'throttled', 'thinned'])

interface Source {
  readonly reader: ByteReader
  readonly ids: NodeIds
  readonly at: number
}

function readRecord(code: number, { reader, ids, at }: Source): ReplayOperation {
  switch (code) {
    case records.page: {
      ids.next = reader.unique(1)
      const size = readSize(reader)
      return { at, do: 'page', ...size, document: readDocument(reader, ids) }
    }
    case records.insert: {
      const parent = reader.id()
      const before = reader.id() || null
      return { at, do: 'insert', parent, before, nodes: readNodes(reader, ids) }
    }
    case records.remove:
      return { at, do: 'remove', ids: readIds(reader) }
    case records.text:
      return { at, do: 'text', id: reader.id(), text: reader.text() }
    case records.attribute:
      return { at, do: 'attribute', id: reader.id(), name: reader.text(), value: reader.text() }
    case records.attributeGone:
      return { at, do: 'attribute', id: reader.id(), name: reader.text(), value: null }
    case records.state: {
      const id = reader.id()
      return { at, do: 'state', id, state: readState(reader.byte(), reader) }
    }
    case records.shadow: {
      const id = reader.id()
      return { at, do: 'shadow', id, shadow: readShadow(reader, ids) }
    }
    case records.document: {
      const id = reader.id()
      return { at, do: 'document', id, document: readDocument(reader, ids) }
    }
    default:
      return readStyleRecord(code, { reader, ids, at })
  }
}

function readStyleRecord(code: number, { reader, ids, at }: Source): ReplayOperation {
  switch (code) {
    case records.sheet:
      return { at, do: 'sheet', sheet: readSheet(reader), text: reader.text() }
    case records.insertRule:
      return { at, do: 'insert-rule', sheet: readSheet(reader), path: readList(reader), text: reader.text() }
    case records.deleteRule:
      return { at, do: 'delete-rule', sheet: readSheet(reader), path: readList(reader) }
    case records.declare: {
      const rule = { sheet: readSheet(reader), path: readList(reader) }
      const declared = { property: reader.text(), value: reader.text(), important: reader.byte() === 1 }
      return { at, do: 'declare', ...rule, ...declared }
    }
    case records.undeclare: {
      const rule = { sheet: readSheet(reader), path: readList(reader) }
      return { at, do: 'declare', ...rule, property: reader.text(), value: null, important: false }
    }
    case records.adopt:
      return { at, do: 'adopt', id: reader.id(), sheets: readSheets(reader) }
    default:
      return readUseRecord(code, { reader, ids, at })
  }
}

function readUseRecord(code: number, { reader, at }: Source): ReplayOperation {
  switch (code) {
    case records.viewport:
      return { at, do: 'viewport', ...readSize(reader) }
    case records.zoom:
      return { at, do: 'zoom', scale: reader.number() / 1_000, ...readPoint(reader) }
    case records.pointer: {
      const positions = []
      for (let count = reader.number(); count > 0; count--) {
        positions.push({ at: at - reader.number(), ...readPoint(reader), id: reader.id() })
      }
      return { at, do: 'pointer', positions }
    }
    case records.press: {
      const kind = pressKinds[reader.byte()]
      if (kind === undefined) throw new BrokenRecording('unknown kind of press')
      return { at, do: 'press', kind, ...readPoint(reader), id: reader.id() }
    }
    case records.focus:
      return { at, do: 'focus', id: reader.id() || null }
    case records.canvas: {
      const id = reader.id()
      const mime = reader.text()
      return { at, do: 'canvas', id, mime, data: base64(reader.bytes(reader.number())) }
    }
    case records.console:
      return { at, do: 'console', ...readConsole(reader) }
    case records.request:
      return { at, do: 'request', ...readRequest(reader) }
    case records.note:
      return { at, do: 'note', note: noteOf(reader.text()) }
    default:
      throw new BrokenRecording(`unknown record ${code}`)
  }
}

const readSize = (reader: ByteReader) => ({ width: reader.number(), height: reader.number() })

/** Even: of the element with half this number. Odd: a constructed one. */
function readSheet(reader: ByteReader): SheetRef {
  const code = reader.number()
  const number = reader.unique(Math.floor(code / 2))
  return code % 2 === 0 ? { node: number } : { constructed: number }
}

function noteOf(text: string): Record<string, unknown> {
  try {
    const note: unknown = JSON.parse(text)
    if (typeof note === 'object' && note !== null && !Array.isArray(note)) return { ...note }
  } catch {
    // Reported below, as every other a note is not an object.
  }
  throw new BrokenRecording('a note is not an object')
}

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let from = 0; from < bytes.length; from += 8_192)
    text += String.fromCharCode(...bytes.subarray(from, from + 8_192))
  return btoa(text)
}
