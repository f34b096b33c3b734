// Reads the nodes of a page from a replay segment: pre-order, each element closed by `end`.

import { openStates, parts, pixelParts } from './codes.ts'
import type {
  ElementState,
  OpenState,
  ReplayDocument,
  ReplayElement,
  ReplayNode,
  ReplayShadow,
} from './operations.ts'
import { BrokenRecording, type ByteReader, RecordingTooLarge } from './read-bytes.ts'

export interface NodeIds {
  /** Of the node that is read next. */
  next: number
}

type Writable<Shape> = { -readonly [Name in keyof Shape]: Shape[Name] }

/** What `end` closes. */
interface Open {
  readonly kind: 'document' | 'element' | 'shadow' | 'list'
  readonly children: ReplayNode[]
  readonly element?: Writable<ReplayElement>
  readonly document?: Writable<ReplayDocument>
  readonly shadow?: Writable<ReplayShadow>
}

/** Deeper trees than browsers build. */
const deepest = 600
const nodesAtMost = 300_000

/** Until the `end` of the list. */
export function readNodes(reader: ByteReader, ids: NodeIds): ReplayNode[] {
  const children: ReplayNode[] = []
  readInto({ kind: 'list', children }, reader, ids)
  return children
}

export function readDocument(reader: ByteReader, ids: NodeIds): ReplayDocument {
  const document = newDocument(ids)
  readInto({ kind: 'document', document, children: document.children }, reader, ids)
  return document
}

export function readShadow(reader: ByteReader, ids: NodeIds): ReplayShadow {
  const shadow = newShadow(ids)
  readInto({ kind: 'shadow', shadow, children: shadow.children }, reader, ids)
  return shadow
}

const newDocument = (ids: NodeIds) => ({ id: ids.next++, children: [] as ReplayNode[] })
const newShadow = newDocument

function readInto(root: Open, reader: ByteReader, ids: NodeIds): void {
  const open = [root]
  const from = ids.next
  for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
    const part = reader.byte()
    if (part === parts.end) open.pop()
    else {
      const opened = readPart(part, at, { reader, ids })
      if (opened !== undefined) open.push(opened)
    }
    if (open.length > deepest || ids.next - from > nodesAtMost) throw new RecordingTooLarge()
  }
}

interface Source {
  readonly reader: ByteReader
  readonly ids: NodeIds
}

/** What it opened, if it has content of its own. */
function readPart(part: number, at: Open, { reader, ids }: Source): Open | undefined {
  switch (part) {
    case parts.element:
    case parts.svg:
    case parts.math: {
      const element = readElement(part, { reader, ids })
      at.children.push(element)
      return { kind: 'element', element, children: element.children }
    }
    case parts.text:
      at.children.push({ kind: 'text', id: ids.next++, text: reader.text() })
      return undefined
    case parts.doctype:
      at.children.push({ kind: 'doctype', id: ids.next++ })
      return undefined
    case parts.known:
      at.children.push({ kind: 'known', id: reader.id() })
      return undefined
    case parts.shadow: {
      const shadow = newShadow(ids)
      elementOf(at).shadow = shadow
      return { kind: 'shadow', shadow, children: shadow.children }
    }
    case parts.document: {
      const document = newDocument(ids)
      elementOf(at).document = document
      return { kind: 'document', document, children: document.children }
    }
    case parts.adopted: {
      const root = at.document ?? at.shadow
      if (root === undefined) throw new BrokenRecording('style sheets adopted by an element')
      root.adopted = readSheets(reader)
      return undefined
    }
    case parts.quirks:
      if (at.document === undefined) throw new BrokenRecording('quirks mode outside a document')
      at.document.isQuirky = true
      return undefined
    case parts.scroll:
      if (at.document === undefined) break
      at.document.scroll = readPoint(reader)
      return undefined
  }
  const element = elementOf(at)
  element.state = { ...element.state, ...readState(part, reader) }
  return undefined
}

function elementOf({ element }: Open): Writable<ReplayElement> {
  if (element === undefined) throw new BrokenRecording('part of an element outside one')
  return element
}

type Built = Writable<ReplayElement> & { readonly children: ReplayNode[] }

function readElement(part: number, { reader, ids }: Source): Built {
  const id = ids.next++
  const tag = reader.text()
  const attributes: Record<string, string> = Object.create(null)
  for (let count = reader.number(); count > 0; count--) {
    const name = reader.text()
    attributes[name] = reader.text()
  }
  const space = part === parts.svg ? 'svg' : part === parts.math ? 'math' : undefined
  return { kind: 'element', id, tag, ...(space && { space }), attributes, children: [] }
}

/** One state of an element; `part` says which. */
export function readState(part: number, reader: ByteReader): ElementState {
  switch (part) {
    case parts.value:
      return { value: reader.text() }
    case parts.checked:
    case parts.unchecked:
      return { checked: part === parts.checked }
    case parts.scroll:
      return { scroll: readPoint(reader) }
    case parts.box:
      return { box: { width: reader.number() / pixelParts, height: reader.number() / pixelParts } }
    case parts.open:
      return { open: openStateOf(reader.number()) }
    case parts.sheet:
      return { sheet: reader.text() }
    case parts.defined:
      return { defined: true }
    case parts.playing:
    case parts.paused:
      return { playing: part === parts.playing }
    default:
      throw new BrokenRecording(`unknown part ${part}`)
  }
}

function openStateOf(code: number): OpenState {
  const state = openStates[code]
  if (state === undefined) throw new BrokenRecording('unknown state of a dialog')
  return state
}

export const readPoint = (reader: ByteReader) => ({ x: reader.signed(), y: reader.signed() })

export const readList = (reader: ByteReader) => readMany(reader, reader.number)
/** Numbers of constructed sheets. */
export const readSheets = (reader: ByteReader) => readList(reader).map(reader.unique)
export const readIds = (reader: ByteReader) => readMany(reader, reader.id)

function readMany(reader: ByteReader, readOne: () => number): number[] {
  const list: number[] = []
  for (let count = reader.number(); count > 0; count--) list.push(readOne())
  return list
}
