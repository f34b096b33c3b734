// Events of the Datadog client: a batch is known again by the id of its request and by its bytes, an event by its own id.

import type { EventKind } from '@telltale/core/contract/events'
import { readBrowser } from '../browsers.ts'
import { hashOfBatch, idFromBytes } from '../spool/id-bytes.ts'
import { idOfText } from './identity.ts'
import { type GivenBatch, readBatch } from './read-batch.ts'
import { type DatadogParts, type DatadogRequest, datadogSource, type TakeRequest } from './request.ts'
import { createStoreEvents } from './store-events.ts'
import { createViewTeller } from './tell-views.ts'

const bytesPerId = 16

export interface TakeRum {
  take: TakeRequest
  /** Tells the vitals of views of which nothing was heard for long. */
  tellSilent(): Promise<void>
}

export function createTakeRum(parts: DatadogParts): TakeRum {
  const { intake, sessions, eventIds } = parts
  const { spool, batchIds, outcomes, quotas, now } = intake
  const teller = createViewTeller(parts)
  const storeEvents = createStoreEvents(parts)
  /** Batches that are being written to disk, by environment and id. */
  const underWay = new Map<string, Promise<unknown>>()

  const store = async (request: DatadogRequest, batch: GivenBatch, batchId: string) => {
    const { environment, isBeacon } = request
    const receivedAt = now()
    const origin = originOf(request, receivedAt)
    const offsetOf = (session: string) => sessions.offsetOf(environment.id, session) ?? 0
    const { events, repeated } = await eventIds.sift(environment.id, batch.events, offsetOf)
    const told = teller.take(batch.views, { environment, origin, isBeacon })
    try {
      const joined = events.map((event) => sessions.join(environment.id, event))
      await storeEvents({ environment, origin, batchId, events: [...joined, ...told.events] })
    } catch (error) {
      told.undo()
      throw error
    }
    eventIds.add(environment.id, events, receivedAt)
    const count = (kind: EventKind | 'unknown', reason: string) =>
      outcomes.count({ environmentId: environment.id, kind, source: datadogSource, reason }, 1)
    for (const kind of repeated) count(kind, 'repeated_event')
    for (const { reason, kind } of [...batch.dropped, ...told.dropped]) count(kind, reason)
    quotas.add(environment.id, batch.sizeBytes)
  }

  /** When its last event was: a client may keep a batch for hours. */
  const madeAt = (environmentId: string, { newest }: GivenBatch) =>
    newest && newest.at + (sessions.offsetOf(environmentId, newest.session) ?? 0)

  const take: TakeRequest = async (request) => {
    const { environment, parameters, body } = request
    quotas.require(environment.id)
    spool.requireRoom('essential', 0)
    const countRepeated = () =>
      outcomes.count(
        { environmentId: environment.id, kind: 'batch', source: datadogSource, reason: 'repeated' },
        1,
      )
    const requestId = parameters.get('dd-request-id')
    const named =
      requestId === null ? undefined : hashOfBatch(environment.id, idOfText(`request ${requestId}`))
    if (named !== undefined && batchIds.isKnown(named)) {
      body.resume()
      return countRepeated()
    }
    const arrivedAt = now()
    const batch = await readBatch(body)
    const heard = { arrivedAt, sentAt: batchTimeOf(request) }
    for (const about of batch.abouts) sessions.hear(environment.id, about, heard)

    // A retry of the client has another request id, and the same bytes.
    const batchId = idFromBytes(batch.digest.subarray(0, bytesPerId))
    const id = hashOfBatch(environment.id, batchId)
    const key = `${environment.id} ${batchId}`
    const first = underWay.get(key)
    if (first !== undefined) await first
    const isKnown = batchIds.isKnown(id) || (await batchIds.isKnownOfOld(id, madeAt(environment.id, batch)))
    if (first !== undefined || isKnown) return countRepeated()
    const storing = store(request, batch, batchId)
    underWay.set(key, storing)
    await storing.finally(() => underWay.delete(key))
    if (named !== undefined) batchIds.add({ id: named, receivedAt: now() })
  }

  return {
    take,
    async tellSilent() {
      for (const { view, told } of teller.takeSilent()) {
        const { environment, origin } = view
        const batchId = idOfText(`silent ${told.events.map(({ event }) => event.id).join(' ')}`)
        try {
          await storeEvents({
            environment,
            origin: { ...origin, receivedAt: now() },
            batchId,
            events: told.events,
          })
        } catch (error) {
          told.undo()
          view.isOver = false
          throw error
        }
      }
    },
  }
}

function originOf({ environment, browser, country }: DatadogRequest, receivedAt: number) {
  return {
    ...{ environmentId: environment.id, projectId: environment.projectId, receivedAt },
    ...{ source: datadogSource, country, ...readBrowser(browser) },
  }
}

function batchTimeOf({ parameters }: DatadogRequest): number | undefined {
  const given = Number(parameters.get('batch_time') ?? Number.NaN)
  return Number.isFinite(given) && given > 0 ? given : undefined
}
