// The path of an event: split from its batch → parsed → validated → joined with the context it names → refused when its
// user was erased → clock corrected → sampled → scrubbed → enriched → one row. Each step keeps it, or drops it with a
// reason that is counted; one bad event never fails its batch. Then the batch is written to the spool
// (`spool/spool.ts`) and answered with 202, and the writer (`spool/writer.ts`) inserts it into the tables.

import type { DropReason, EventKind, EventOf, TelemetryEvent } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import { blankFor, blankViewEvent } from '@telltale/core/telemetry/blank-view'
import { eventRow, viewRow } from '@telltale/core/telemetry/event-row'
import type { SeenInHiddenSplit } from '@telltale/core/telemetry/hidden-split-rows'
import { parsedSize } from '../../platform/memory/parsed-size.ts'
import { correctClock } from './steps/correct-clock.ts'
import { enrichEvent } from './steps/enrich-event.ts'
import { openContext } from './steps/open-context.ts'
import { parseEvent } from './steps/parse-event.ts'
import { refuseErased } from './steps/refuse-erased.ts'
import { sampleSession } from './steps/sample-session.ts'
import { scrubEvent } from './steps/scrub-event.ts'
import type { Piece } from './steps/split-body.ts'
import type { Batch, BatchContext, EventInHand, Step } from './steps/step.ts'
import { validateContext, validateEvent } from './steps/validate-event.ts'

const steps: readonly Step[] = [refuseErased, correctClock, sampleSession, scrubEvent, enrichEvent]

type CountedKind = EventKind | 'context' | 'unknown'

export interface Pipeline {
  take(piece: Piece): void
  /** Accepts an event that is already parsed, with a prepared context. Returns whether it is kept. */
  carry(event: TelemetryEvent, context: BatchContext): boolean
  drop(reason: DropReason, kind: CountedKind): void
  outcome(): PipelineOutcome
}

export interface PipelineOutcome {
  /** Lines of JSON for the table of events. */
  events: string[]
  /** Lines of JSON for the table of views. */
  views: string[]
  sizeBytes: number
  /** Approximate memory taken by the contexts that events may refer to. */
  contextBytes: number
  /** Everything in the body, including contexts. */
  pieces: number
  accepted: Map<EventKind, number>
  dropped: Map<DropReason, Map<CountedKind, number>>
  /** How many events of each context were kept, without updates of views. */
  kept: Map<BatchContext, number>
  /** The arms of hidden splits, with the time from which they apply: by session, user and split. */
  hidden: Map<string, SeenInHiddenSplit>
}

/** Processes one batch. */
export function createPipeline(batch: Batch): Pipeline {
  const outcome: PipelineOutcome = {
    events: [],
    views: [],
    sizeBytes: 0,
    contextBytes: 0,
    pieces: 0,
    accepted: new Map(),
    dropped: new Map(),
    kept: new Map(),
    hidden: new Map(),
  }
  let contexts = 0
  let events = 0
  const drop = (reason: DropReason, kind: CountedKind) => {
    const kinds = outcome.dropped.get(reason) ?? new Map<CountedKind, number>()
    outcome.dropped.set(reason, kinds.set(kind, (kinds.get(kind) ?? 0) + 1))
  }

  const takeContext = (value: object, size: number) => {
    contexts += 1
    const context = validateContext(value)
    if (context === undefined) return drop('invalid', 'context')
    if (contexts > limits.contextsPerBatch) return drop('too_many', 'context')
    outcome.contextBytes += size
    batch.contexts.set(context.index, openContext(context, batch))
  }

  const takeEvent = (kind: EventKind, value: object) => {
    events += 1
    if (events > limits.eventsPerBatch) return drop('too_many', kind)
    const event = validateEvent(kind, value)
    if (event === undefined) return drop('invalid', kind)
    const context = batch.contexts.get(event.context)
    if (context === undefined) return drop('unknown_context', kind)
    carry(event, context)
  }

  const carry = (event: TelemetryEvent, context: BatchContext) => {
    const derived = { at: 0, startedAt: 0, host: '', endpoint: '', group: '0' }
    const hand: EventInHand = { event, context, derived }
    for (const step of steps) {
      const reason = step(hand, batch)
      if (reason !== undefined) {
        drop(reason, event.kind)
        return false
      }
    }
    return keep(hand)
  }

  const keep = ({ event, context, derived }: EventInHand) => {
    const isState = event.kind === 'view_state'
    const row = isState ? viewRow(event, derived, context.sharedByViews) : eventRow(event, derived, context)
    // Shared fields are copied into every event, so that a small body may become large.
    if (outcome.sizeBytes + row.length > limits.intakeRowsSize) {
      drop('too_many', event.kind)
      return false
    }
    outcome.sizeBytes += row.length
    if (isState) outcome.views.push(row)
    else outcome.events.push(row)
    if (event.kind === 'view_state') noteBlank(event, { event, context, derived })
    outcome.accepted.set(event.kind, (outcome.accepted.get(event.kind) ?? 0) + 1)
    outcome.kept.set(context, (outcome.kept.get(context) ?? 0) + (isState ? 0 : 1))
    noteHidden(context, derived.at)
    return true
  }

  const noteHidden = ({ context: { session }, hidden }: BatchContext, at: number) => {
    for (const one of hidden) {
      const key = `${session} ${one.unit} ${one.split}`
      const known = outcome.hidden.get(key)
      if (known === undefined) outcome.hidden.set(key, { ...one, at })
      else known.at = Math.min(known.at, at)
    }
  }

  /** Adds a row that the client did not send, derived from the state of a view. */
  const noteBlank = (state: EventOf<'view_state'>, { context, derived }: EventInHand) => {
    const duration = blankFor(state, batch.origin)
    if (duration === undefined) return
    const { id, at, context: index } = state
    const event = { kind: 'custom', name: blankViewEvent, id, at, context: index, duration } as const
    const row = eventRow(event, derived, context)
    outcome.sizeBytes += row.length
    outcome.events.push(row)
  }

  return {
    take(piece) {
      outcome.pieces += 1
      const parsed = parseEvent(piece)
      if ('dropped' in parsed) drop(parsed.dropped, parsed.kind)
      else if (parsed.kind === 'context')
        takeContext(parsed.value, piece === 'too large' ? 0 : parsedSize(piece))
      else takeEvent(parsed.kind, parsed.value)
    },
    carry,
    drop,
    outcome: () => outcome,
  }
}
