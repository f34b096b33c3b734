// The IDs of foreign clients' events from the last 48 hours: the same event may arrive in two different batches.
// Written every second; a server that is killed loses the IDs of a second, never an event.

import type { EventKind } from '@telltale/core/contract/events'
import type { RumEvent } from '@telltale/core/telemetry/rum-event'
import type { Log } from '../../platform/process/log.ts'
import { openBatchIds, type SeenId } from '../spool/batch-ids.ts'
import type { IdHash } from '../spool/id-bytes.ts'

interface Sifted {
  events: RumEvent[]
  /** Of these events. */
  ids: IdHash[]
  repeated: EventKind[]
}

export interface EventIds {
  /** Those that are new. */
  sift(
    environmentId: string,
    events: readonly RumEvent[],
    offsetOf: (session: string) => number,
  ): Promise<Sifted>
  add(ids: readonly IdHash[], receivedAt: number): void
  keep(): Promise<void>
  tidy(): Promise<void>
}

/** Events newer than this are looked up in memory only. */
const lookedUpAfter = 600_000

export async function openEventIds(
  folder: string,
  { now, log }: { now: () => number; log: Log },
): Promise<EventIds> {
  const ids = await openBatchIds(folder, { seen: [], now, log })
  let unwritten: SeenId[] = []

  return {
    async sift(environmentId, events, offsetOf) {
      const found: Sifted = { events: [], ids: [], repeated: [] }
      const here = new Set<string>()
      const hash = createHashOf(environmentId)
      const early = now() - lookedUpAfter
      for (const reported of events) {
        const { event, about } = reported
        const id = hash(event.id)
        const at = event.at + offsetOf(about.session)
        const isKnown = here.has(event.id) || ids.isKnown(id)
        const isRepeated = isKnown || (at < early && (await ids.isKnownOfOld(id, at)))
        here.add(event.id)
        if (isRepeated) found.repeated.push(event.kind)
        else {
          found.events.push(reported)
          found.ids.push(id)
        }
      }
      return found
    },
    add(found, receivedAt) {
      for (const id of found) {
        ids.add({ id, receivedAt })
        unwritten.push({ id, receivedAt })
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

const primes = [0x9e3779b1, 0x85ebca6b] as const

/** IDs are mostly random, and there are many: a cheap mix is enough. */
function createHashOf(environmentId: string): (id: string) => IdHash {
  const begin = mix({ high: 1, low: 2 }, environmentId)
  return (id) => mix(begin, id)
}

function mix({ high, low }: IdHash, id: string): IdHash {
  const parts = [id.slice(0, 8), id.slice(9, 13) + id.slice(14, 18)]
  let [one, two] = [high, low]
  for (const part of [...parts, id.slice(19, 23) + id.slice(24, 28), id.slice(28)]) {
    const word = Number.parseInt(part, 16)
    one = Math.imul(one ^ word, primes[0])
    one ^= one >>> 15
    two = Math.imul(two ^ word ^ (one >>> 7), primes[1])
    two ^= two >>> 13
  }
  return { high: one >>> 0, low: two >>> 0 }
}
