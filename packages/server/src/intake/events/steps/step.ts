import type {
  DropReason,
  EventContext,
  EventKind,
  FlagRead,
  TelemetryEvent,
} from '@telltale/core/contract/events'
import type { SeenInAaTest } from '@telltale/core/telemetry/aa-test-rows'
import type { ContextFields, FlagsOfContext, Origin } from '@telltale/core/telemetry/context-row'
import type { Derived, RowContext } from '@telltale/core/telemetry/event-row'
import type { BoundName } from './bound-names.ts'
import type { Scrub } from './scrub-rules.ts'

/** A context of the batch, made ready once for all events that name it. */
export interface BatchContext extends RowContext {
  context: EventContext
  fields: ContextFields
  reads: readonly FlagRead[] | undefined
  /** The same for the table of views. */
  sharedByViews: string
  flags: FlagsOfContext
  /** The session is one of those that the environment does not sample. */
  isSampledOut: boolean
  /** The person asked to be forgotten a moment ago. */
  isErased: boolean
  /** The hidden half that its person is in; nothing where there is none. */
  aaTest: Omit<SeenInAaTest, 'at'> | undefined
}

/** What holds for a whole batch. */
export interface Batch {
  origin: Origin
  /** What to add to the client's times. */
  clockOffset: number
  /** How long ago an event may have happened. */
  ageMaximum: number
  /** The share of sessions that the environment samples, 0 to 1. */
  share: number
  contexts: Map<number, BatchContext>
  boundName: BoundName
  /** The route of a path whose private parts are hidden. */
  routeOf(path: string): string
  /** What the environment wants hidden. */
  scrub: Scrub
  /** The round of the A/A test; undefined while it is off. */
  aaTestEpoch?: number | undefined
  isErased(context: Pick<EventContext, 'anonymousId' | 'userKey' | 'sessionUserKey'>): boolean
}

/** An event on its way. Steps change it in place. */
export interface EventInHand {
  event: TelemetryEvent
  context: BatchContext
  derived: Derived
}

/** Keeps the event, or says why it is dropped. Never throws. */
export type Step = (hand: EventInHand, batch: Batch) => DropReason | undefined

export interface Dropped {
  dropped: DropReason
  /** As far as it is known. */
  kind: EventKind | 'context' | 'unknown'
}
