// Splits the recording into segments: by age, by size, and at each playback starting point. Serializing and compressing
// happen when the page is idle; when it is left, uncompressed data is sent as is.

import type { EventContext } from '@telltale/core/contract/events'
import { guarded } from '../browser/guard.ts'
import { sinceBegin } from '../browser/time.ts'
import {
  addEvent,
  beginSegment,
  type OpenSegment,
  packText,
  type Segment,
  sealSegment,
  wrapRest,
} from './open-segment.ts'
import { type PageEvent, types } from './page-event.ts'

export interface Segments {
  add(event: PageEvent): void
  /** Of the segment that is open. */
  use(asset: string): unknown
  /** Closes the open segment, in order. */
  cut(): void
  /** The page is being left: send as much as may outlive the page at once. False: something had no room. */
  cutNow(): boolean
  clear(): void
}

export interface SegmentOptions {
  context(): EventContext
  /** What is hashed meanwhile. */
  settled(): Promise<unknown>
  onCut(segment: Segment): void
  /** How long recording blocked the page, milliseconds. */
  onWork(time: number): void
}

const longest = 5_000
const largest = 60 * 1024
/**
 * This much text is compressed before its segment is complete: a page that is left then sends less uncompressed data.
 */
const pieceLength = 16 * 1024
/** For a page that is left, all segments together: larger requests do not outlive it. */
const exitBytes = 28 * 1024
const idleLimit = 1_000

export function createSegments({ context, settled, onCut, onWork }: SegmentOptions): Segments {
  let open: OpenSegment | undefined
  let closing: OpenSegment[] = []
  let timer: ReturnType<typeof setTimeout>
  let working: Promise<unknown> = Promise.resolve()
  /** What is used while it is written belongs to it. */
  let writing: OpenSegment | undefined

  const write = (segment: OpenSegment) => {
    const beganAt = sinceBegin()
    writing = segment
    segment.text += segment.waiting.map((event) => `${JSON.stringify(event)}\n`).join('')
    segment.waiting = []
    writing = undefined
    onWork(sinceBegin() - beganAt)
  }
  const finish = (segment: OpenSegment) => {
    if (segment.isDone) return
    closing = closing.filter((each) => each !== segment)
    const sealed = sealSegment(segment)
    if (sealed) onCut(sealed)
  }
  const close = async (segment: OpenSegment) => {
    await settled()
    await idle()
    if (segment.isDone) return
    write(segment)
    await packText(segment)
    finish(segment)
  }
  const cut = guarded(() => {
    clearTimeout(timer)
    const segment = open
    open = undefined
    if (!segment) return
    closing.push(segment)
    // The browser failed to compress: this part is missing.
    working = working.then(() => close(segment)).catch(() => finish(segment))
  })
  const drain = async (segment: OpenSegment) => {
    await settled()
    await idle()
    if (segment !== open || segment.waiting.length === 0) return
    write(segment)
    if (segment.text.length - segment.packed > pieceLength) await packText(segment)
    if (segment === open && segment.sizeBytes > largest) cut()
  }
  return {
    add(event) {
      if (event.type === types.address) cut()
      if (!open) {
        open = beginSegment(event, context())
        timer = setTimeout(cut, longest)
      }
      const segment = open
      if (segment.waiting.length === 0) working = working.then(() => drain(segment)).catch(() => undefined)
      addEvent(segment, event)
    },
    use: (asset) => (writing ?? open)?.used.add(asset),
    cut,
    cutNow() {
      clearTimeout(timer)
      const left = open ? [...closing, open] : closing
      open = undefined
      let room = exitBytes
      let isWhole = true
      for (const segment of left) {
        write(segment)
        const { length } = segment.text
        wrapRest(segment, room - segment.sizeBytes)
        room -= segment.sizeBytes
        isWhole &&= segment.packed === length
        finish(segment)
      }
      return isWhole
    },
    clear() {
      clearTimeout(timer)
      open = undefined
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
