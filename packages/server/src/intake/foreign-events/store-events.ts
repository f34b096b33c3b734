// The last step for events of foreign clients: the flags of their session, rows, and the spool. Facts, which exist
// once each, are written to a separate record in which each is identified by its ID.

import type { EventKind } from '@telltale/core/contract/events'
import type { Origin } from '@telltale/core/telemetry/context-row'
import type { RumEvent } from '@telltale/core/telemetry/rum-event'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import { aaTestEpochOf } from '../events/hidden-exposures.ts'
import type { IntakeServices } from '../events/intake-services.ts'
import { meterEvents, reductions } from '../events/meter-events.ts'
import type { CarryFlags } from '../foreign-flags/carry-flags.ts'
import { hashOfBatch } from '../spool/id-bytes.ts'
import type { SpoolDraft } from '../spool/record.ts'
import { type RenderedFact, renderEvents } from './render-events.ts'

interface EventsToStore {
  environment: KnownEnvironment
  origin: Origin
  batchId: string
  events: readonly RumEvent[]
  /** Added to client times, by session. */
  offsetOf(session: string): number
}

export interface ForeignParts extends Pick<IntakeServices, 'intake' | 'live' | 'erasedPeople'> {
  carryFlags: CarryFlags
}

export interface StoredForeign {
  /** A quota or a spike dropped everything, so that its bytes were not used. */
  isDropped: boolean
}

/** On disk when it returns, and counted. */
export type StoreEvents = (given: EventsToStore) => Promise<StoredForeign>

export function createStoreEvents(parts: ForeignParts): StoreEvents {
  const { intake, live, carryFlags } = parts
  const { spool, batchIds, once, outcomes, hiddenExposures } = intake

  return async ({ environment, origin, batchId, events, offsetOf }) => {
    const { environmentId, receivedAt, waited = 0, source } = origin
    const arrivedAt = receivedAt - waited
    const carried = await carryFlags({ environment, events, offsetOf, arrivedAt })
    const {
      pipeline,
      facts,
      hidden: seen,
    } = renderEvents(parts, carried.events, {
      origin,
      environment,
      offsetOf,
      aaTestEpoch: aaTestEpochOf(environment, arrivedAt),
    })
    const { events: rows, views: viewRows, accepted, dropped, kept } = pipeline.outcome()
    const batch = { environmentId, batchId, receivedAt, rows, viewRows }
    const hasMore = rows.length + viewRows.length > 0
    // Together, facts first: if a crash cuts off the end of the batch, they are recognised when it arrives again.
    let isWritten = false
    const write = async (fresh: readonly RenderedFact[]) => {
      isWritten = true
      const drafts: SpoolDraft[] = []
      if (fresh.length > 0) {
        const [factRows, ids] = [fresh.map(({ row }) => row), fresh.map(({ id }) => id)]
        drafts.push({ ...batch, kind: 'facts', rows: factRows, viewRows: [], ids })
      }
      if (hasMore) drafts.push({ ...batch, kind: 'batch' })
      if (drafts.length === 0) return
      await hiddenExposures.store({ environmentId, receivedAt, seen }, (beside) =>
        spool.append([...drafts, ...beside], 'essential'),
      )
    }
    const given = facts.map((fact) => ({ environmentId, id: fact.id, madeAt: fact.at, fact }))
    const storeAll = async () => {
      const fresh = await once(given, (items) => write(items.map(({ fact }) => fact)))
      // Every fact was a duplicate: the rest is stored on its own.
      if (!isWritten) await write([])
      return fresh.map(({ fact }) => fact)
    }
    const stored = await storeAll().catch((error: unknown) => {
      carried.undo()
      throw error
    })
    if (hasMore) batchIds.add({ id: hashOfBatch(environmentId, batchId), receivedAt })
    live.take(environmentId, [...stored.map(({ row }) => row), ...rows])

    meterEvents(intake.usage, environment, {
      kept: [...stored.map(({ context }) => [context, 1] as const), ...kept],
      dropped,
    })
    const count = (kind: EventKind | 'context' | 'unknown', reason: string, times: number) =>
      outcomes.count({ environmentId, kind, source, reason }, times)
    for (const { kind } of stored) count(kind, 'accepted', 1)
    for (const [kind, times] of accepted) count(kind, 'accepted', times)
    for (const [reason, kinds] of dropped) for (const [kind, times] of kinds) count(kind, reason, times)
    return { isDropped: stored.length === 0 && !hasMore && reductions.some((reason) => dropped.has(reason)) }
  }
}
