// Stores the events of an envelope. It is deduplicated by its bytes, and each event by its id: a client without a
// network keeps envelopes and sends them again.

import { clockOffset } from '@telltale/core/telemetry/likely-time'
import { timeIn } from '@telltale/core/telemetry/sentry/sentry-time'
import { readBrowser } from '../events/browsers.ts'
import { noteViews } from '../foreign-events/note-views.ts'
import { createReserveEvents } from '../foreign-events/reserve-events.ts'
import { createStoreEvents, type StoredForeign } from '../foreign-events/store-events.ts'
import type { ReadFinder } from '../otlp/find-reads.ts'
import { idFromBytes } from '../spool/id-bytes.ts'
import { createSessionOf, readItems } from './read-items.ts'
import { type SentryParts, type SentryRequest, sentrySource } from './request.ts'
import { joinServerFlags } from './server-flags.ts'

const bytesPerId = 16

/** Accepted data is on disk when it returns. */
export type TakeEvents = (request: SentryRequest) => Promise<StoredForeign>

export function createTakeEvents(parts: SentryParts, readFinder: ReadFinder): TakeEvents {
  const { intake, eventIds, views } = parts
  const { once, outcomes, now } = intake
  const storeEvents = createStoreEvents(parts)
  const reserve = createReserveEvents()

  const store = async (request: SentryRequest, batchId: string) => {
    const { environment, browser } = request
    const receivedAt = now()
    const { events, dropped } = readItems(request, createSessionOf(parts, request))
    const count = (kind: string, reason: string, times: number) =>
      outcomes.count({ environmentId: environment.id, kind, source: sentrySource, reason }, times)
    const release = await reserve(
      environment.id,
      events.map(({ event }) => event.id),
    )
    try {
      const offset = offsetOf(request, receivedAt)
      const sifted = await eventIds.sift(environment.id, events, () => offset)
      const joined = browser.isServer
        ? await joinServerFlags(readFinder, environment, sifted.events)
        : sifted.events
      const noted = noteViews(views, environment.id, joined)
      const given = { environment, origin: originOf(request, receivedAt), batchId, events: noted.events }
      const stored = await storeEvents({ ...given, offsetOf: () => offset }).catch((error: unknown) => {
        noted.undo()
        throw error
      })
      eventIds.add(sifted.ids, receivedAt)
      for (const kind of sifted.repeated) count(kind, 'repeated_event', 1)
      for (const { reason, kind, count: times } of dropped) count(kind, reason, times)
      return stored
    } finally {
      release()
    }
  }

  return async (request) => {
    const { environment, envelope } = request
    const id = idFromBytes(envelope.digest.subarray(0, bytesPerId))
    let stored: StoredForeign = { isDropped: false }
    const fresh = await once([{ environmentId: environment.id, id, madeAt: undefined }], async () => {
      stored = await store(request, id)
    })
    if (fresh.length > 0) return stored
    outcomes.count(
      { environmentId: environment.id, kind: 'batch', source: sentrySource, reason: 'repeated' },
      1,
    )
    return stored
  }
}

/** The client sets the time of sending anew at each attempt. */
function offsetOf({ envelope }: SentryRequest, arrivedAt: number): number {
  return clockOffset({ arrivedAt, sentAt: timeIn(envelope.headers, 'sent_at') })
}

function originOf({ environment, browser, country }: SentryRequest, receivedAt: number) {
  return {
    environmentId: environment.id,
    projectId: environment.projectId,
    ...{ receivedAt, source: sentrySource, country },
    ...readBrowser(browser),
  }
}
