// A real visit in a browser, recorded by `npm run record:demo`: what the SDK sent, with placeholders for the shop's
// address, its scripts and error locations, and its replay segments unchanged.

import type { SegmentHeader } from '@telltale/core/contract/attachments'
import type { EventContext, TelemetryEvent } from '@telltale/core/contract/events'

export interface Recording {
  name: string
  /** Of each story there is a recording for every variation that is part of a split, and for each kind of device. */
  story: 'categories' | 'product' | 'search' | 'order' | 'order-in-vain'
  device: 'desktop' | 'mobile'
  /** The flags it evaluated: only users who are served the same repeat it. */
  flags: Readonly<Record<string, string>>
  startedAt: number
  endedAt: number
  contexts: readonly EventContext[]
  /** `context` is an index into `contexts`. */
  events: readonly TelemetryEvent[]
  segments: readonly { header: SegmentHeader; body: string }[]
  assets: readonly { hash: string; type: string; body: string }[]
}

/** Placeholder for the shop's address, without a trailing slash. */
export const shopPlace = '{shop}'
/** Placeholder for the shop's own script, relative to its address. */
export const scriptPlace = '{script}'

/** A stack frame, identified by its source code. */
export interface RecordedFrame {
  name: string
  source: string
  code: string
}
