import type { EventContext, TelemetryEvent } from '@telltale/core/contract/events'

/** What runs in a session of a sample. */
export interface Sampled {
  /** Called for each sent event. Returns whether a replay shows it. */
  note(event: TelemetryEvent, context: EventContext): boolean
  /** Stops sending, unless pending data may still be sent. */
  stop(sendsRest?: boolean): void
}
