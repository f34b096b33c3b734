import {
  EventContext,
  type EventKind,
  eventKinds,
  eventSchemas,
  type TelemetryEvent,
} from '@telltale/core/contract/events'
import { Compile } from 'typebox/compile'

const context = Compile(EventContext)
const checks = new Map<EventKind, { Check(value: unknown): boolean }>(
  eventKinds.map((kind) => [kind, Compile(eventSchemas[kind])]),
)

/** Returns the event when it matches the schema of its kind. */
export function validateEvent(kind: EventKind, value: unknown): TelemetryEvent | undefined {
  return isEvent(kind, value) ? value : undefined
}

export function validateContext(value: unknown): EventContext | undefined {
  return context.Check(value) ? value : undefined
}

function isEvent(kind: EventKind, value: unknown): value is TelemetryEvent {
  return checks.get(kind)?.Check(value) === true
}
