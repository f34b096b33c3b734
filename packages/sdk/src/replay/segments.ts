// Cuts what is recorded into segments: by age, by size, and wherever a player may begin. Writing and compressing happen when
// the page has time; when it is left, what is not compressed yet goes as it is.

import type { EventContext } from '@telltale/core/contract/events'
import { compress, type Piece, wrap } from '../browser/gzip.ts'
import { sinceBegin } from '../browser/time.ts'
import { createUuid } from '../browser/uuid.ts'
import { guarded } from '../guard.ts'
import { type PageEvent, types } from './page-event.ts'

export interface Segment {
  id: string
  context: EventContext
  startedAt: number
  endedAt: number
  records: number
  /** A player can begin with it. */
  full: boolean
  assets: string[]
  /** Gzip, in pieces. */
  body: Piece[]
  sizeBytes: number
}

export interface Segments {
  add(event: PageEvent): void
  /** Of the segment that is open. */
  use(asset: string): unknown
  /** Closes what is open, in its turn. */
  cut(): void
  /** The page is being left: all at once, as much of it as may outlive the page. */
  cutNow(): void
  clear(): void
}

export interface SegmentOptions {
  context(): EventContext
  /** What is hashed meanwhile. */
  settled(): Promise<unknown>
  onCut(segment: Segment): void
  /** How long the page waited for us, milliseconds. */
  onWork(time: number): void
}

const longest = 5_000
const largest = 60 * 1024
/** As much text at a time: more would keep the page for too long. */
const pieceLength = 64 * 1024
/** Of a page that is left: what is larger does not outlive it. */
const exitLength = 28 * 1024
const idleLimit = 1_000

interface Open extends Segment {
  waiting: PageEvent[]
  used: Set<string>
  text: string
  underWay: string
  isDone?: boolean
}

export function createSegments({ context, settled, onCut, onWork }: SegmentOptions): Segments {
  let open: Open | undefined
  let closing: Open[] = []
  let timer: ReturnType<typeof setTimeout>
  let working: Promise<unknown> = Promise.resolve()

  const begin = ({ type, timestamp }: PageEvent): Open => {
    timer = setTimeout(cut, longest)
    return {
      ...{ id: createUuid(), context: { ...context() }, startedAt: timestamp, endedAt: timestamp },
      ...{ records: 0, full: type === types.address, assets: [], body: [], sizeBytes: 0 },
      ...{ waiting: [], used: new Set(), text: '', underWay: '' },
    }
  }
  /** What is used while it is written belongs to it. */
  let writing: Open | undefined
  const write = (segment: Open) => {
    const beganAt = sinceBegin()
    writing = segment
    segment.text += segment.waiting.map((event) => `${JSON.stringify(event)}\n`).join('')
    segment.waiting = []
    writing = undefined
    onWork(sinceBegin() - beganAt)
  }
  const pack = async (segment: Open) => {
    segment.underWay = segment.text
    segment.text = ''
    if (!segment.underWay) return
    const piece = await compress(segment.underWay)
    if (segment.isDone) return
    segment.underWay = ''
    segment.body.push(piece)
    segment.sizeBytes += piece.length
  }
  const finish = (segment: Open) => {
    if (segment.isDone) return
    segment.isDone = true
    segment.assets = [...segment.used]
    closing = closing.filter((each) => each !== segment)
    onCut(segment)
  }
  const close = async (segment: Open) => {
    await settled()
    await idle()
    if (segment.isDone) return
    write(segment)
    await pack(segment)
    finish(segment)
  }
  const cut = guarded(() => {
    clearTimeout(timer)
    const segment = open
    open = undefined
    if (!segment) return
    closing.push(segment)
    // A browser that fails to compress: this part is missing.
    working = working.then(() => close(segment)).catch(() => finish(segment))
  })
  const drain = async (segment: Open) => {
    await settled()
    await idle()
    if (segment !== open || segment.waiting.length === 0) return
    write(segment)
    if (segment.text.length > pieceLength) await pack(segment)
    if (segment === open && segment.sizeBytes > largest) cut()
  }
  return {
    add(event) {
      if (event.type === types.address) cut()
      open ??= begin(event)
      if (open.waiting.length === 0) {
        const segment = open
        working = working.then(() => drain(segment)).catch(() => undefined)
      }
      open.waiting.push(event)
      open.endedAt = Math.max(open.endedAt, event.timestamp)
      open.records++
    },
    use: (asset) => (writing ?? open)?.used.add(asset),
    cut,
    cutNow() {
      clearTimeout(timer)
      const left = open ? [...closing, open] : closing
      open = undefined
      for (const segment of left) {
        write(segment)
        wrapRest(segment)
        finish(segment)
      }
    },
    clear() {
      clearTimeout(timer)
      open = undefined
      for (const segment of closing) segment.isDone = true
      closing = []
    },
  }
}

/** As it is: compressing takes a moment that a page which is left does not have. */
function wrapRest(segment: Open): void {
  const text = segment.underWay + segment.text
  const lines = fitting(text)
  segment.records -= countLines(text) - countLines(lines)
  if (lines) segment.body.push(wrap(lines))
  segment.sizeBytes += lines.length
}

const countLines = (text: string) => text.split('\n').length

/** Whole lines. */
function fitting(text: string): string {
  return text.length <= exitLength ? text : text.slice(0, text.lastIndexOf('\n', exitLength) + 1)
}

function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: idleLimit })
    else setTimeout(resolve, 50)
  })
}
