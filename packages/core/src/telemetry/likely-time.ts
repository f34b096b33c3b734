// When something happened, by our clock: the client's time moved by as much as its clock differs from ours. Never moved
// to fit: what is too old or lies ahead even so is refused.

import { limits } from '../limits.ts'

export interface ClockReading {
  arrivedAt: number
  /** The client's clock when it sent the batch, if it said so. */
  sentAt: number | undefined
}

/** What to add to times of the client. */
export function clockOffset({ arrivedAt, sentAt }: ClockReading): number {
  return sentAt === undefined ? 0 : arrivedAt - sentAt
}

/** `ageMaximum` is longer for history that somebody hands in. */
export function isLikely(
  at: number,
  { arrivedAt, ageMaximum }: { arrivedAt: number; ageMaximum: number },
): boolean {
  return at >= arrivedAt - ageMaximum && at <= arrivedAt + limits.eventAheadMaximum
}
