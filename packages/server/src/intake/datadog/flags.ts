// The flags of a foreign client's sessions: it empties them at every view, so what a session read is carried forward here;
// arms and exposures are derived from what was read.

import type { RumEvent } from '@telltale/core/telemetry/datadog/rum-event'
import type { KnownEnvironment } from '../../delivery/known-keys.ts'

export interface FlagsToCarry {
  environment: KnownEnvironment
  /** Of one batch, in the order in which they came; views after the rest. */
  events: readonly RumEvent[]
  /** What to add to times of the client. */
  offsetOf(session: string): number
  receivedAt: number
}

/**
 * Gives the events with `about.reads`, and exposures among them: each is stored once, by its id. Events with the same reads
 * should share the list.
 */
export type CarryFlags = (given: FlagsToCarry) => Promise<readonly RumEvent[]>

export function createCarryFlags(): CarryFlags {
  return async ({ events }) => events
}
