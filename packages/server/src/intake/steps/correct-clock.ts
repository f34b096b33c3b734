import { isLikely } from '@telltale/core/telemetry/likely-time'
import type { Step } from './step.ts'

/** The client's time to ours. What is unlikely even so is refused, never moved. */
export const correctClock: Step = ({ event, derived }, { clockOffset, origin }) => {
  derived.at = event.at + clockOffset
  if (!isLikely(derived.at, origin.receivedAt)) return 'timestamp_out_of_range'
  if (event.kind !== 'view_state') return undefined

  // The row of a view stands in the partition of its start.
  derived.startedAt = event.startedAt + clockOffset
  return isLikely(derived.startedAt, origin.receivedAt) ? undefined : 'timestamp_out_of_range'
}
