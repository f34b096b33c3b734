// One line about an event that left the page.

import type { TelemetryEvent } from '@telltale/core/contract/events'

export function eventText(event: TelemetryEvent): string {
  switch (event.kind) {
    case 'view':
      return event.name ?? ''
    case 'view_state':
      return `revision ${event.rev}, ${Math.round(event.duration)} ms`
    case 'vital':
      return `${event.name} ${Math.round(event.value * 1_000) / 1_000}`
    case 'resource':
      return [event.method, event.status, event.url].filter(Boolean).join(' ')
    case 'error':
      return `${event.type ?? 'Error'}: ${event.message}`
    case 'exposure':
      return event.flag
    case 'long_frame':
      return `${Math.round(event.duration)} ms`
    case 'action':
    case 'custom':
      return event.name
  }
}
