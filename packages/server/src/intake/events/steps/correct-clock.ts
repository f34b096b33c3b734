import { isLikely } from '@telltale/core/telemetry/likely-time'
import type { Step } from './step.ts'

/** Converts client time to server time. Events with implausible times are refused, never moved. */
export const correctClock: Step = ({ event, derived }, { clockOffset, ageMaximum, origin }) => {
  const arrival = { arrivedAt: origin.receivedAt, ageMaximum }
  derived.at = event.at + clockOffset
  if (!isLikely(derived.at, arrival)) return 'timestamp_out_of_range'
  if (event.kind !== 'view_state') return undefined

  // The row of a view is in the partition of its start.
  derived.startedAt = event.startedAt + clockOffset
  return isLikely(derived.startedAt, arrival) ? undefined : 'timestamp_out_of_range'
}
