// The lines of one request, compressed while they come. Whatever is not compressed yet can be sent as it is: a page that is
// left does not wait. The id stays the same however often it is sent.

import type { EventContext, TelemetryEvent } from '@telltale/core/contract/events'
import { canCompress, compress, type Piece, wrap } from '../browser/gzip.ts'
import { createUuid } from '../browser/uuid.ts'

export interface Batch {
  readonly id: string
  /** With an error or an exposure in it, or what else comes last when there is no room. */
  readonly isPrecious: boolean
  events: number
  /** Before compression. */
  sizeBytes: number
  add(event: TelemetryEvent, context: EventContext): void
  /** When everything is compressed, or cannot be. */
  settle(): Promise<unknown>
  body(): BlobPart[]
}

/** As much text at a time: less compresses badly, more would travel as it is when the page is left. */
const pieceLength = 8 * 1024

export function createBatch(isPrecious: boolean): Batch {
  const contexts = new Map<string, number>()
  const done: Piece[] = []
  let text = ''
  let underWay = ''
  let working: Promise<unknown> = Promise.resolve()

  const work = async () => {
    if (underWay || !text || !canCompress) return
    underWay = text
    text = ''
    try {
      done.push(await compress(underWay))
    } catch {
      done.push(wrap(underWay))
    }
    underWay = ''
  }
  const write = (value: object) => {
    const line = JSON.stringify(value, round)
    text += `${line}\n`
    batch.sizeBytes += line.length + 1
  }
  const batch: Batch = {
    ...{ id: createUuid(), isPrecious, events: 0, sizeBytes: 0 },
    add(event, context) {
      const known = JSON.stringify(context)
      const index = contexts.get(known) ?? contexts.size
      if (!contexts.has(known)) write({ ...context, index })
      contexts.set(known, index)
      write({ ...event, context: index })
      batch.events++
      if (text.length > pieceLength) working = work()
    },
    settle: () => working.then(work),
    body() {
      const rest = underWay + text
      if (done.length === 0) return [rest]
      return rest ? [...done, wrap(rest)] : done
    },
  }
  return batch
}

/** More digits than a measurement has only cost bytes. */
function round(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1e4) / 1e4 : value
}
