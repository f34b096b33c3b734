// Which events of foreign clients were here in the last 48 hours, by their own ids: the same one may come in two different
// batches. Written down every second; a server that is killed forgets the ids of a second, never an event.

import type { EventKind } from '@telltale/core/contract/events'
import type { RumEvent } from '@telltale/core/telemetry/datadog/rum-event'
import { openBatchIds, type SeenId } from '../spool/batch-ids.ts'
import { hashOfBatch } from '../spool/id-bytes.ts'

export interface Sifted {
  events: RumEvent[]
  repeated: EventKind[]
}

export interface EventIds {
  /** Those that are new. */
  sift(
    environmentId: string,
    events: readonly RumEvent[],
    offsetOf: (session: string) => number,
  ): Promise<Sifted>
  add(environmentId: string, events: readonly RumEvent[], receivedAt: number): void
  keep(): Promise<void>
  tidy(): Promise<void>
}

export async function openEventIds(folder: string, now: () => number): Promise<EventIds> {
  const ids = await openBatchIds(folder, { seen: [], now })
  let unwritten: SeenId[] = []

  return {
    async sift(environmentId, events, offsetOf) {
      const found: Sifted = { events: [], repeated: [] }
      const here = new Set<string>()
      for (const told of events) {
        const { event, about } = told
        const id = hashOfBatch(environmentId, event.id)
        const isRepeated =
          here.has(event.id) ||
          ids.isKnown(id) ||
          (await ids.isKnownOfOld(id, event.at + offsetOf(about.session)))
        here.add(event.id)
        if (isRepeated) found.repeated.push(event.kind)
        else found.events.push(told)
      }
      return found
    },
    add(environmentId, events, receivedAt) {
      for (const { event } of events) {
        const seen = { id: hashOfBatch(environmentId, event.id), receivedAt }
        ids.add(seen)
        unwritten.push(seen)
      }
    },
    async keep() {
      const written = unwritten
      unwritten = []
      try {
        await ids.keep(written)
      } catch (error) {
        unwritten = [...written, ...unwritten]
        throw error
      }
    },
    tidy: ids.tidy,
  }
}
