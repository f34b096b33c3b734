// A converted event of the Datadog client: the event, its context, the user's traits and the flags that were read.

import type { EventContext, TelemetryEvent } from '../contract/events.ts'
import type { JsonObject } from './json.ts'

/** An event context before it gets its index in a batch. */
export type RumContext = Omit<EventContext, 'kind' | 'index'>

export interface RumEvent {
  /** Its times follow the client's clock. */
  event: TelemetryEvent
  about: RumContext
  /** Ids of the action it belongs to: the client names two and later keeps one. */
  actions: readonly string[]
  /** The flags read in this view as the client sent them: the last value of each. */
  flags: JsonObject
  /** Attributes that flags may have bucketed on. */
  traits: RumTraits
}

interface RumTraits {
  usr: JsonObject
  account: JsonObject
  context: JsonObject
}
