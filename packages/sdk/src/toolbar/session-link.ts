// Addresses of a session in the console.

import type { TelemetryEvent } from '@telltale/core/contract/events'
import type { Grant } from './kept.ts'

/** At the moment of an event. Undefined while the address of the console is unknown. */
export function sessionLink(
  grant: Grant | undefined,
  session: string,
  event?: Pick<TelemetryEvent, 'id' | 'at'>,
): string | undefined {
  if (!grant) return undefined
  const { console, project, env } = grant
  // A session's id begins with its start, in milliseconds.
  const startedAt = Number.parseInt(session.replace('-', '').slice(0, 12), 16)
  const moment = event ? `#t=${Math.max(0, event.at - startedAt) / 1_000}&event=${event.id}` : ''
  return `${console}/p/${project}/sessions/${session}?env=${encodeURIComponent(env)}${moment}`
}
