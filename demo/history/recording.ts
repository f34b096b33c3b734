// A visit that really happened in a browser, as `npm run record:demo` kept it: what the library sent, with the shop's address,
// its scripts and the places of errors left open, and the segments of its replay as they were.

import type { SegmentHeader } from '@telltale/core/contract/attachments'
import type { EventContext, TelemetryEvent } from '@telltale/core/contract/events'

export interface Recording {
  name: string
  device: 'desktop' | 'mobile'
  /** What it read of the flags: whoever lived it was served the same. */
  flags: Readonly<Record<string, string>>
  startedAt: number
  endedAt: number
  contexts: readonly EventContext[]
  /** `context` is the place in `contexts`. */
  events: readonly TelemetryEvent[]
  segments: readonly { header: SegmentHeader; body: string }[]
  assets: readonly { hash: string; type: string; body: string }[]
}

/** Stands for the address of the shop, without a slash at the end. */
export const shopPlace = '{shop}'
/** Stands for the shop's own script, below its address. */
export const scriptPlace = '{script}'

/** A frame of a stack, by what stands there in the source. */
export interface RecordedFrame {
  name: string
  source: string
  code: string
}
