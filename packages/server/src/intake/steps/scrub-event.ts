import type { EventOf, TelemetryEvent } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import { readAddress } from '@telltale/core/telemetry/address'
import { cutLine, cutText } from '@telltale/core/telemetry/clean-text'
import { scrubText } from '@telltale/core/telemetry/scrub'
import type { Step } from './step.ts'

const { eventNameLength, eventTextLength, errorMessageLength, errorStackLength, attributesPerEvent } = limits

/** Takes out what names a person, and cuts what is too long. */
export const scrubEvent: Step = ({ event }) => {
  if (event.attributes !== undefined) event.attributes = scrubAttributes(event.attributes)
  switch (event.kind) {
    case 'vital':
      event.target = scrubLine(event.target ?? '')
      break
    case 'action':
      event.name = scrubName(event.name)
      event.target = scrubLine(event.target ?? '')
      break
    case 'resource':
      scrubResource(event)
      break
    case 'error':
      scrubError(event)
      break
    case 'long_frame':
      for (const script of event.scripts ?? []) {
        script.source = readAddress(cutText(script.source, eventTextLength)).kept
        script.function = cutLine(script.function, eventNameLength)
      }
      break
    case 'custom':
      event.name = scrubName(event.name)
      break
    case 'exposure':
      event.flag = cutText(event.flag, limits.keyLength)
      break
    case 'view':
    case 'view_state':
      break
  }
  return undefined
}

function scrubResource(event: EventOf<'resource'>): void {
  event.url = cutText(event.url, eventTextLength)
  event.type = cutLine(event.type, eventNameLength)
  event.method = cutLine(event.method ?? '', eventNameLength).toUpperCase()
  event.traceId = cutLine(event.traceId ?? '', limits.keyLength)
  if (event.endpoint !== undefined) event.endpoint = scrubName(event.endpoint)
}

function scrubError(event: EventOf<'error'>): void {
  event.type = scrubName(event.type ?? 'Error')
  event.message = scrubText(cutText(event.message, errorMessageLength))
  event.stack = scrubText(cutText(event.stack ?? '', errorStackLength))
  if (event.componentStack !== undefined) {
    event.componentStack = scrubText(cutText(event.componentStack, errorMessageLength))
  }
}

export function scrubAttributes(
  attributes: NonNullable<TelemetryEvent['attributes']>,
): NonNullable<TelemetryEvent['attributes']> {
  const pairs = Object.entries(attributes).slice(0, attributesPerEvent)
  return Object.fromEntries(
    pairs.map(([name, value]) => [
      cutLine(name, eventNameLength),
      typeof value === 'string' ? scrubText(cutText(value, eventTextLength)) : value,
    ]),
  )
}

const scrubName = (text: string) => scrubText(cutLine(text, eventNameLength))
const scrubLine = (text: string) => scrubText(cutLine(text, eventTextLength))
