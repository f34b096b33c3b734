// The clock of a segment or a profile, which say nothing of when they were sent: that of the events of their session. Before the
// first of these, the client's clock is believed as long as it can be right.

import { isLikely } from '@telltale/core/telemetry/likely-time'

export interface Clues {
  /** What the events of the session told. */
  known: number | undefined
  /** The last moment it tells of, by the client's clock; it leaves seconds after. */
  end: number
  arrivedAt: number
  ageMaximum: number
}

/** A clock that is a little fast is no wrong one. */
const fast = 30_000

/** What to add to times of the client. */
export function clockOf({ known, end, arrivedAt, ageMaximum }: Clues): number {
  if (known !== undefined) return known
  const isAhead = end > arrivedAt + fast
  return isAhead || !isLikely(end, { arrivedAt, ageMaximum }) ? arrivedAt - end : 0
}
