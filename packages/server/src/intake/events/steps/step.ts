import type {
  DropReason,
  EventContext,
  EventKind,
  FlagRead,
  TelemetryEvent,
} from '@telltale/core/contract/events'
import type { RecordingRates } from '@telltale/core/recording/chance'
import type { ContextFields, FlagsOfContext, Origin } from '@telltale/core/telemetry/context-row'
import type { Derived, RowContext } from '@telltale/core/telemetry/event-row'
import type { SeenInHiddenSplit } from '@telltale/core/telemetry/hidden-split-rows'
import type { KnownEnvironment } from '../../../organisation/keys/known-keys.ts'
import type { BoundName } from './bound-names.ts'
import type { UserCheck } from './check-users.ts'
import type { Scrub } from './scrub-rules.ts'

/** A context of the batch, prepared once for all events that refer to it. */
export interface BatchContext extends RowContext {
  context: EventContext
  fields: ContextFields
  reads: readonly FlagRead[] | undefined
  /** The same for the table of views. */
  sharedByViews: string
  flags: FlagsOfContext
  /** The session is not sampled in this environment. */
  isSampledOut: boolean
  /** The user was erased recently. */
  isErased: boolean
  /** The user's arms of hidden splits: of the A/A test, and of holdouts. */
  hidden: readonly Omit<SeenInHiddenSplit, 'at'>[]
}

/** The settings shared by a whole batch. */
export interface Batch {
  origin: Origin
  /** Added to client times. */
  clockOffset: number
  /** The maximum age of an event. */
  ageMaximum: number
  /** The share of sessions that is stored, 0 to 1. */
  share: number
  /** Why it is lower than what the environment samples; undefined unless it is. */
  reduced?: { from: number; reason: DropReason } | undefined
  /** With what probability replays and profiles of the session are in the sample; 0 if it is not. */
  inclusionOf?: ((context: EventContext) => RecordingRates) | undefined
  /** The client sampled by another position, so that the probabilities multiply. */
  isSampledApart?: boolean | undefined
  contexts: Map<number, BatchContext>
  boundName: BoundName
  /** The route of a path, with private parts hidden. */
  routeOf(path: string): string
  /** The scrubbing rules of the environment. */
  scrub: Scrub
  /** The round of the A/A test; undefined while it is off. */
  aaTestEpoch?: number | undefined
  holdouts?: KnownEnvironment['holdouts']
  /** Undefined when users need no signature. */
  userCheck: UserCheck | undefined
  isErased(context: Pick<EventContext, 'anonymousId' | 'userKey' | 'sessionUserKey'>): boolean
}

/** An event in the pipeline. Steps modify it in place. */
export interface EventInHand {
  event: TelemetryEvent
  context: BatchContext
  derived: Derived
}

/** Keeps the event, or returns why it is dropped. Never throws. */
export type Step = (hand: EventInHand, batch: Batch) => DropReason | undefined

export interface Dropped {
  dropped: DropReason
  /** As far as known. */
  kind: EventKind | 'context' | 'unknown'
}
