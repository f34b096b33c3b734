// What one event of the Datadog client is here: an event of our own, and what it says of who, where and under which flags.

import type { EventContext, TelemetryEvent } from '../../contract/events.ts'
import type { JsonObject } from './json.ts'

/** A context of our own, before it has a place in a batch. */
export type RumContext = Omit<EventContext, 'kind' | 'index'>

export interface RumEvent {
  /** Times are the client's. */
  event: TelemetryEvent
  about: RumContext
  /** Of the action that it belongs to: the client names two, and keeps one of them. */
  actions: readonly string[]
  /** The flags that the application read in this view, as the client sent them: the last value of each. */
  flags: JsonObject
  /** What flags may have been drawn by. */
  traits: RumTraits
}

export interface RumTraits {
  usr: JsonObject
  account: JsonObject
  context: JsonObject
}
