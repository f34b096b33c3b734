// The lines of one request. Compressed before they are sent, unless the page is being left: then they are sent
// uncompressed at once. The id is the same for every retry.

import type { EventContext, TelemetryEvent } from '@telltale/core/contract/events'
import { compress } from '../browser/gzip.ts'
import { createUuid } from '../browser/uuid.ts'

export interface Batch {
  readonly id: string
  /** Contains an error, an exposure, or another event that is dropped last when there is no room. */
  readonly isPrecious: boolean
  events: number
  /** Before compression: its size when the page is left. */
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
    id: createUuid(),
    isPrecious,
    events: 0,
    sizeBytes: 0,
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
        // Sent uncompressed where the browser cannot compress.
      }
    },
    body: () => [body ?? text],
  }
  return batch
}

/** Digits beyond the measurement's precision only cost bytes. */
function round(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1e4) / 1e4 : value
}
