// Converts client time to server time by the offset between the clocks. Times are never clamped: after conversion,
// times that are too old or in the future are rejected.

import { limits } from '../limits.ts'

interface ClockReading {
  arrivedAt: number
  /** Client time when the batch was sent, if the client reported it. */
  sentAt: number | undefined
}

/** The offset to add to client times. */
export function clockOffset({ arrivedAt, sentAt }: ClockReading): number {
  return sentAt === undefined ? 0 : arrivedAt - sentAt
}

/** `ageMaximum` is longer for imported history. */
export function isLikely(
  at: number,
  { arrivedAt, ageMaximum }: { arrivedAt: number; ageMaximum: number },
): boolean {
  return at >= arrivedAt - ageMaximum && at <= arrivedAt + limits.eventAheadMaximum
}
