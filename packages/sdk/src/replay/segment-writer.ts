// Writes records into segments: a new one by age, by size, and at each full snapshot. They are compressed piece by
// piece when the page is idle; when it is left, the rest is sent uncompressed.

import type { EventContext } from '@telltale/core/contract/events'
import { records } from '@telltale/core/telemetry/replay/codes'
import { guarded } from '../browser/guard.ts'
import { compress, type Piece } from '../browser/gzip.ts'
import { assetMark, type SheetMark } from './assets.ts'
import {
  type OpenSegment,
  openSegment,
  packRecords,
  type Segment,
  sealSegment,
  wrapRecords,
} from './segment.ts'
import { createStream, type Stream } from './stream.ts'

export interface SegmentWriter {
  readonly stream: Stream
  /** Before each record; `isPage`: a full snapshot, which may be written over some time. */
  begin(at: number, isPage?: boolean): void
  /** After each record. One that is empty does not count. */
  end(): void
  /** Writes the text of a style sheet: the mark of its asset. */
  writeMark(mark: SheetMark): void
  /** The open segment needs the asset. */
  use(asset: string): void
  /** Closes the open segment, after the record that is being written. */
  cut(): void
  /** Ends a record that cannot be finished, before it. */
  abandon(): void
  /** The page is being left: send as much as may outlive the page at once. False: something had no room. */
  cutNow(): boolean
  clear(): void
}

export interface SegmentWriterOptions {
  context(): EventContext
  /** The id that the next node gets. */
  nextNode(): number
  /** Resolves when all hashes are computed that are not known now. */
  settled(): Promise<unknown>
  onCut(segment: Segment): void
  /** Of a segment, milliseconds. */
  longest?: number
  /** Default: compresses. */
  pack?: (bytes: Piece) => Promise<Piece>
}

const longest = 5_000
const largest = 60 * 1024
/** Before compression: where the page is never idle. */
const largestRaw = 512 * 1024
/** So many bytes are compressed before their segment is complete: a page that is left then sends fewer uncompressed. */
const pieceBytes = 16 * 1024
/** For a page that is left, all segments together: larger requests do not outlive it. */
const exitBytes = 28 * 1024
/** What `wrap` adds. */
const memberBytes = 23
const idleLimit = 1_000
/** After the hash: the end of the comment. */
const hashLength = 36
const markEnd = 2

export function createSegmentWriter(options: SegmentWriterOptions): SegmentWriter {
  const stream = createStream()
  let open: OpenSegment | undefined
  let time = 0
  /** Where the record that is being written begins; undefined between records. */
  let start: number | undefined
  let isDue = false
  let isDraining = false
  const closing = createClosing(options)

  const cut = guarded(() => {
    isDue = start !== undefined
    const segment = open
    if (isDue || !segment) return
    open = undefined
    clearTimeout(timer)
    keepRest(segment, stream)
    stream.end()
    closing.push(segment)
  })
  let timer: ReturnType<typeof setTimeout>
  const drain = async (segment: OpenSegment) => {
    await closing.pack(segment)
    isDraining = false
    if (segment === open && segment.sizeBytes > largest) cut()
  }
  return {
    stream,
    begin(at, isPage = false) {
      // A record that failed ends its segment before it.
      if (open && (isPage || start !== undefined || stream.length > largestRaw)) {
        start = undefined
        cut()
      }
      if (!open) {
        stream.begin(options.nextNode(), at)
        time = at
        open = openSegment({ at, full: isPage, context: options.context(), read: stream.from })
        isDraining = false
        timer = setTimeout(cut, options.longest ?? longest)
      }
      if (at !== time) {
        stream.byte(records.time)
        stream.signed(at - time)
      }
      time = at
      start = stream.length
    },
    end() {
      const isEmpty = start === undefined || start === stream.length
      start = undefined
      if (!open || isEmpty) return
      open.ends.push(stream.length)
      open.startedAt = Math.min(open.startedAt, time)
      open.endedAt = Math.max(open.endedAt, time)
      if (isDue) cut()
      else if (!isDraining && stream.length - open.packed > pieceBytes) {
        isDraining = true
        closing.run(drain, open)
      }
    },
    writeMark(mark) {
      const { length } = stream
      stream.text(assetMark(mark.hash || mark.placeholder))
      if (mark.hash) open?.used.add(mark.hash)
      // Otherwise it is in the table of strings, and the first one was noted.
      else if (stream.length - length > hashLength)
        open?.marks.push({ offset: stream.length - markEnd - hashLength, mark })
    },
    use: (asset) => open?.used.add(asset),
    cut,
    abandon() {
      if (start === undefined) return
      start = undefined
      cut()
    },
    cutNow() {
      const isBetween = start === undefined
      start = undefined
      cut()
      return closing.finishNow() && isBetween
    },
    clear() {
      clearTimeout(timer)
      open = undefined
      closing.clear()
    },
  }
}

/** The stream goes on with the next segment. */
function keepRest(segment: OpenSegment, stream: Stream): void {
  const { packed } = segment
  const rest = stream.from(packed)
  segment.read = (offset) => rest.slice(offset - packed)
}

/** Segments that are complete, until all of their records are compressed. */
function createClosing({ settled, onCut, pack: packBytes = compress }: SegmentWriterOptions) {
  let closing: OpenSegment[] = []
  let working: Promise<unknown> = Promise.resolve()

  const finish = (segment: OpenSegment) => {
    if (segment.isDone) return
    closing = closing.filter((each) => each !== segment)
    const sealed = sealSegment(segment)
    if (sealed) onCut(sealed)
  }
  const pack = async (segment: OpenSegment) => {
    do await settled()
    while (segment.marks.some(({ mark }) => !mark.hash))
    await idle()
    if (!segment.isDone) await packRecords(segment, packBytes)
  }
  /** In order, each after the ones before; the browser may fail to compress. */
  const run = (work: (segment: OpenSegment) => Promise<unknown>, segment: OpenSegment) => {
    working = working.then(() => work(segment)).catch(() => undefined)
  }
  const close = async (segment: OpenSegment) => {
    try {
      await pack(segment)
    } finally {
      finish(segment)
    }
  }
  return {
    pack,
    run,
    push(segment: OpenSegment) {
      closing.push(segment)
      run(close, segment)
    },
    finishNow() {
      let room = exitBytes
      let isWhole = true
      for (const segment of closing) {
        isWhole = wrapRecords(segment, room - segment.sizeBytes - memberBytes) && isWhole
        room -= segment.sizeBytes
        finish(segment)
      }
      return isWhole
    },
    clear() {
      for (const segment of closing) segment.isDone = true
      closing = []
    },
  }
}

function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    // A hidden page may be closed at any moment, and the user is not waiting for it.
    if (document.hidden) resolve(undefined)
    else if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: idleLimit })
    else setTimeout(resolve, 50)
  })
}
