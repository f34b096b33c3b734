// What a page and the frames of other origins in it say to each other, so that a replay shows both. Neither trusts the
// other: a page answers the origins in `replayFrames` alone, and a frame the one in `replayParents`.

import type { PrivacyLevel } from '../settings.ts'

export type FrameMessage =
  /** From the page, to all its frames: it is recorded. */
  | { telltale: 'replay-ready' }
  /** From a frame: it could report what it shows. */
  | { telltale: 'replay-frame' }
  /** From the page, with a port for what is recorded. At most as much is shown as it says. */
  | ({ telltale: 'replay-record' } & FrameLimit)

interface FrameLimit {
  level: PrivacyLevel
  permitsUnmask: boolean
}

/** From the page through the port: the whole frame is wanted anew; nothing is wanted any more. */
export type PortMessage = 'snapshot' | 'stop'

/** From the frame through the port. */
export interface FrameRecords {
  /** A segment of the format `telltale-replay-1`, not compressed; empty: the frame is not recorded any more. */
  bytes: ArrayBuffer
  /** It begins with the whole frame. */
  full: boolean
  /** Style sheets and fonts that it needs. */
  assets: readonly string[]
}

/** `kind`: of a message that may come from any script. */
export const isMessage = (data: unknown, kind: FrameMessage['telltale']): boolean =>
  Object(data).telltale === kind
