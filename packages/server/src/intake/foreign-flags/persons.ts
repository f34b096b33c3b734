// Whose events they are. An application names its user a moment after a page begins: whoever one event of a view names, the
// whole view is of, and the first names count.

import type { RumEvent } from '@telltale/core/telemetry/datadog/rum-event'
import type { KnownSession } from './known-sessions.ts'

export interface Persons {
  of(event: RumEvent): { userKey: string; anonymousId: string }
}

export function personsOfViews(events: readonly RumEvent[]): Persons {
  const userKeys = new Map<string, string>()
  for (const { about } of events) {
    const { view = '', userKey = '' } = about
    if (userKey !== '' && !userKeys.has(view)) userKeys.set(view, userKey)
  }
  return {
    of: ({ about: { view = '', userKey = '', anonymousId = '' } }) => ({
      userKey: userKey === '' ? (userKeys.get(view) ?? '') : userKey,
      anonymousId,
    }),
  }
}

/** Keeps what is known of the person. What one event alone says of itself is not about them. */
export function noteTraits(known: KnownSession, { event, about, traits }: RumEvent): void {
  const { userKey = '' } = about
  const isOfView = event.kind === 'view' || event.kind === 'view_state'
  const isFirst = known.userKey !== userKey && userKey !== ''
  if (!isOfView && !isFirst) return
  if (userKey === '' && known.userKey !== '') return
  const { id: _id, anonymous_id: _anonymousId, ...person } = traits.usr
  known.userKey = userKey
  known.attributes = { ...(isOfView ? traits.context : {}), ...person, account: traits.account }
}
