// The last part of the way of the Datadog client's events: the flags of their session, rows, and the spool. Facts, of which
// there is one, go into records of their own, each known by its id.

import type { EventKind } from '@telltale/core/contract/events'
import type { Origin } from '@telltale/core/telemetry/context-row'
import type { RumEvent } from '@telltale/core/telemetry/datadog/rum-event'
import type { KnownEnvironment } from '../../delivery/known-keys.ts'
import { createStoreOnce } from '../attachments/store-once.ts'
import { hashOfBatch } from '../spool/id-bytes.ts'
import { renderEvents } from './render-events.ts'
import { type DatadogParts, datadogSource } from './request.ts'

export interface EventsToStore {
  environment: KnownEnvironment
  origin: Origin
  batchId: string
  events: readonly RumEvent[]
}

/** On disk when it returns, and counted. */
export type StoreEvents = (given: EventsToStore) => Promise<void>

export function createStoreEvents(parts: DatadogParts): StoreEvents {
  const { intake, live, sessions, carryFlags } = parts
  const { spool, batchIds, outcomes } = intake
  const storeOnce = createStoreOnce(intake)

  return async ({ environment, origin, batchId, events }) => {
    const { environmentId, receivedAt } = origin
    const offsetOf = (session: string) => sessions.offsetOf(environmentId, session) ?? 0
    const carried = await carryFlags({ environment, events, offsetOf, receivedAt })
    const { pipeline, facts } = renderEvents(parts, carried.events, { origin, environment, offsetOf })
    const { events: rows, views: viewRows, accepted, dropped } = pipeline.outcome()
    const store = async () => {
      // First: a batch that is known again is not looked into.
      const found = await Promise.all(
        facts.map(({ told, row, at }) =>
          storeOnce(
            { environmentId, identity: `fact ${told.event.id}`, madeAt: at, lane: 'essential' },
            () => ({
              ...{ kind: 'batch', rows: [row], viewRows: [] },
            }),
          ),
        ),
      )
      if (rows.length + viewRows.length > 0) {
        await spool.append({ kind: 'batch', environmentId, batchId, receivedAt, rows, viewRows }, 'essential')
        batchIds.add({ id: hashOfBatch(environmentId, batchId), receivedAt })
      }
      return found
    }
    const receipts = await store().catch((error: unknown) => {
      carried.undo()
      throw error
    })
    const stored = facts.filter((_, index) => (receipts[index]?.accepted ?? 0) > 0)
    live.take(environmentId, [...stored.map(({ row }) => row), ...rows])

    const count = (kind: EventKind | 'context' | 'unknown', reason: string, times: number) =>
      outcomes.count({ environmentId, kind, source: datadogSource, reason }, times)
    for (const { told } of stored) count(told.event.kind, 'accepted', 1)
    for (const [kind, times] of accepted) count(kind, 'accepted', times)
    for (const [reason, kinds] of dropped) for (const [kind, times] of kinds) count(kind, reason, times)
  }
}
