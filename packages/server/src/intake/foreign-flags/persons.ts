// The user of each event. Applications identify the user a moment after a page begins: a user named in one event of a
// view applies to the whole view, and the first one counts.

import { limits } from '@telltale/core/limits'
import type { RumEvent } from '@telltale/core/telemetry/rum-event'
import { parsedSize } from '../../platform/memory/parsed-size.ts'
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

/** Keeps what is known of the user. Attributes of a single event are not about the user. */
export function noteTraits(known: KnownSession, { event, about, traits }: RumEvent): void {
  const { userKey = '' } = about
  const isOfView = event.kind === 'view' || event.kind === 'view_state'
  const isFirst = known.userKey !== userKey && userKey !== ''
  if (!isOfView && !isFirst) return
  if (userKey === '' && known.userKey !== '') return
  const { id: _id, anonymous_id: _anonymousId, ...person } = traits.usr
  known.userKey = userKey
  const attributes = { ...(isOfView ? traits.context : {}), ...person, account: traits.account }
  Object.assign(known, withinBound(attributes))
}

/** User attributes from the application, as many as an identity may have; the rest is dropped. */
function withinBound(
  given: Readonly<Record<string, unknown>>,
): Pick<KnownSession, 'attributes' | 'attributeBytes'> {
  let room: number = limits.identityTraitsSize
  let attributeBytes = 0
  const kept = Object.entries(given).filter(([name, value]) => {
    const text = JSON.stringify({ [name]: value })
    if (text.length > room) return false
    room -= text.length
    attributeBytes += parsedSize(Buffer.from(text))
    return true
  })
  return { attributes: Object.fromEntries(kept), attributeBytes }
}
