import type { EventContext, TelemetryEvent } from '@telltale/core/contract/events'

/** What runs in a session of a sample. */
export interface Sampled {
  /** What leaves the page. Whether a replay shows it. */
  note(event: TelemetryEvent, context: EventContext): boolean
  /** Nothing leaves any more, unless it says that the rest may. */
  stop(sendsRest?: boolean): void
}
