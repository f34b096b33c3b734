import type { EventOf, TelemetryEvent } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import { readAddress } from '@telltale/core/telemetry/address'
import { cutLine, cutText } from '@telltale/core/telemetry/clean-text'
import type { Scrub } from './scrub-rules.ts'
import type { Step } from './step.ts'

const { eventNameLength, eventTextLength, errorMessageLength, errorStackLength, attributesPerEvent } = limits

/** Removes personal data and truncates long texts. */
export const scrubEvent: Step = ({ event }, { scrub }) => {
  const { attributes } = event
  if (attributes !== undefined) event.attributes = scrubAttributes(attributes, scrub)
  switch (event.kind) {
    case 'vital':
      event.target = scrub.text(cutLine(event.target ?? '', eventTextLength))
      break
    case 'action':
      event.name = scrubName(event.name, scrub)
      event.target = scrub.text(cutLine(event.target ?? '', eventTextLength))
      break
    case 'resource':
      scrubResource(event, scrub)
      break
    case 'error':
      scrubError(event, scrub)
      break
    case 'long_frame':
      for (const script of event.scripts ?? []) {
        script.source = scrub.hide(readAddress(cutText(script.source, eventTextLength)).kept)
        // For a script without a function, the browser reports its URL as the function name.
        script.function = scrubName(script.function, scrub)
      }
      break
    case 'custom':
      event.name = scrubName(event.name, scrub)
      break
    case 'exposure':
      event.flag = cutText(event.flag, limits.keyLength)
      event.traceId = cutLine(event.traceId ?? '', limits.keyLength)
      break
    case 'view':
    case 'view_state':
      break
  }
  return undefined
}

function scrubResource(event: EventOf<'resource'>, scrub: Scrub): void {
  event.url = cutText(event.url, eventTextLength)
  event.type = scrubName(event.type, scrub)
  event.method = scrubName(event.method ?? '', scrub).toUpperCase()
  event.traceId = cutLine(event.traceId ?? '', limits.keyLength)
  if (event.endpoint !== undefined) event.endpoint = scrubName(event.endpoint, scrub)
}

function scrubError(event: EventOf<'error'>, scrub: Scrub): void {
  event.type = scrubName(event.type ?? 'Error', scrub)
  event.traceId = cutLine(event.traceId ?? '', limits.keyLength)
  event.message = scrub.text(cutText(event.message, errorMessageLength))
  event.stack = scrub.text(cutText(event.stack ?? '', errorStackLength))
  if (event.request) event.request = cutLine(event.request, eventTextLength)
  if (event.fingerprint !== undefined) event.fingerprint = scrubName(event.fingerprint, scrub)
  if (event.componentStack !== undefined) {
    event.componentStack = scrub.text(cutText(event.componentStack, errorStackLength))
  }
}

type Attributes = NonNullable<TelemetryEvent['attributes']>

export function scrubAttributes(attributes: Attributes, scrub: Scrub): Attributes {
  const pairs = Object.entries(attributes)
    .filter(([name]) => !scrub.dropsAttribute(name))
    .slice(0, attributesPerEvent)
  return Object.fromEntries(
    pairs.map(([name, value]) => [
      scrubName(name, scrub),
      typeof value === 'string' ? scrub.text(cutText(value, eventTextLength)) : value,
    ]),
  )
}

const scrubName = (text: string, scrub: Scrub) => scrub.text(cutLine(text, eventNameLength))
