// Notes of the recorder in the replay: about itself and about the life of its page.

import { records as codes } from '@telltale/core/telemetry/replay/codes'
import type { PageRecords } from './page-records.ts'
import type { Stream } from './stream.ts'

/** A font that a program loaded: no style sheet names its file. */
export interface FaceInUse {
  family: string
  style: string
  weight: string
  stretch: string
  unicodeRange: string
  address: string
}

export type Note =
  /** With the first records of a page. */
  | { kind: 'recording'; level: string; reason: string }
  /** Addresses of style sheets and fonts, and the assets that hold them. */
  | { kind: 'assets'; byAddress: Record<string, string>; faces: FaceInUse[] }
  /** Over budget: changes are written once a second, those of the part that changes most, or all. */
  | { kind: 'throttled'; target?: string; share: number }
  /** Over budget: without positions of the pointer, and with fewer of scrolling. */
  | { kind: 'thinned'; share: number }
  | { kind: 'stopped'; why: 'over-budget' | 'refused' | 'too-large' | 'failed'; share?: number }
  /** Data between two segments was lost. */
  | { kind: 'lost' }
  | { kind: PageLife }

/** The last: a page that was rendered ahead is shown now. */
export type PageLife = 'hidden' | 'shown' | 'frozen' | 'resumed' | 'restored' | 'activated'

export function queueNote(records: Pick<PageRecords, 'queue'>, note: Note, at?: number): void {
  records.queue((stream) => writeNote(stream, note), at)
}

export function writeNote(stream: Stream, note: Note): void {
  stream.byte(codes.note)
  stream.text(JSON.stringify(note))
}
