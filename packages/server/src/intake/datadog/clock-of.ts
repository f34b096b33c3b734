// The clock of a segment or profile, neither of which contains the time of sending: taken from the events of their
// session. Before the first of these, the client's clock is trusted as long as it is plausible.

import { isLikely } from '@telltale/core/telemetry/likely-time'

interface Clues {
  /** The clock from the events of the session. */
  known: number | undefined
  /** The last moment it covers, by the client's clock; it is sent seconds later. */
  end: number
  arrivedAt: number
  ageMaximum: number
}

/** Tolerate small clock skew. */
const fast = 30_000

/** Added to client times. */
export function clockOf({ known, end, arrivedAt, ageMaximum }: Clues): number {
  if (known !== undefined) return known
  const isAhead = end > arrivedAt + fast
  return isAhead || !isLikely(end, { arrivedAt, ageMaximum }) ? arrivedAt - end : 0
}
