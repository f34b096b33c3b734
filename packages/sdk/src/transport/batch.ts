// The lines of one request. They are compressed before they are sent, unless the page is left: then nothing waits, and they go
// as they are. The id stays the same however often it is sent.

import type { EventContext, TelemetryEvent } from '@telltale/core/contract/events'
import { compress } from '../browser/gzip.ts'
import { createUuid } from '../browser/uuid.ts'

export interface Batch {
  readonly id: string
  /** With an error or an exposure in it, or what else comes last when there is no room. */
  readonly isPrecious: boolean
  events: number
  /** Before compression: what it takes when the page is left. */
  sizeBytes: number
  add(event: TelemetryEvent, context: EventContext): void
  /** When everything is compressed, or cannot be. */
  settle(): Promise<unknown>
  body(): BlobPart[]
}

export function createBatch(isPrecious: boolean): Batch {
  const contexts = new Map<string, number>()
  const encoder = new TextEncoder()
  let body: BlobPart
  let text = ''

  const write = (value: object) => {
    const line = `${JSON.stringify(value, round)}\n`
    text += line
    batch.sizeBytes += encoder.encode(line).length
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
    },
    async settle() {
      try {
        body ??= text && (await compress(text))
      } catch {
        // Where the browser cannot compress, it travels as it is.
      }
    },
    body: () => [body ?? text],
  }
  return batch
}

/** More digits than a measurement has only cost bytes. */
function round(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1e4) / 1e4 : value
}
