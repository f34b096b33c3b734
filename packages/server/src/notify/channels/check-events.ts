import { problem } from '@telltale/core/errors'
import { auditEvent } from '@telltale/core/notices/notice'
import type { ChannelRow } from './queries.ts'

/** Throws `invalid-request` for events that a kind of channel cannot show. */
export function checkEvents(kind: ChannelRow['kind'], events: readonly string[]): void {
  if (kind === 'webhook' || !events.includes(auditEvent)) return
  const message = `"${auditEvent}" is for webhooks only`
  throw problem('invalid-request', { errors: [{ pointer: '/events', message }] })
}
