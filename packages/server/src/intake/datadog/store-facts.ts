// Facts, of which there is one however often, in whatever batch and by whichever server they are told: each is known again by
// its id, from before it is on disk until 48 hours later.

import type { Intake } from '../intake.ts'
import { hashOfBatch, type IdHash } from '../spool/id-bytes.ts'

export interface Fact {
  /** A UUID. */
  id: string
  /** By our clock. */
  at: number
}

/** Calls `write` with those that are new, and gives them once they are on disk. */
export type StoreFacts = <Found extends Fact>(
  environmentId: string,
  facts: readonly Found[],
  write: (fresh: readonly Found[]) => Promise<void>,
) => Promise<Found[]>

/** What happened later than that is looked for in memory alone. */
const lookedUpAfter = 600_000

export function createStoreFacts({ batchIds, now }: Pick<Intake, 'batchIds' | 'now'>): StoreFacts {
  const underWay = new Map<string, Promise<unknown>>()

  return async (environmentId, facts, write) => {
    const early = now() - lookedUpAfter
    const keyed = new Map<string, { fact: (typeof facts)[number]; hash: IdHash }>()
    for (const fact of facts) {
      const hash = hashOfBatch(environmentId, fact.id)
      const isOld = fact.at < early && (await batchIds.isKnownOfOld(hash, fact.at))
      if (!isOld) keyed.set(fact.id, { fact, hash })
    }
    // The same one may be on its way to the disk in another batch: what becomes of it there holds here.
    const others = () => [...keyed.keys()].flatMap((id) => underWay.get(`${environmentId} ${id}`) ?? [])
    for (let found = others(); found.length > 0; found = others()) await Promise.all(found)
    const fresh = [...keyed.values()].filter(({ hash }) => !batchIds.isKnown(hash))
    const keys = fresh.map(({ fact }) => `${environmentId} ${fact.id}`)
    const storing = write(fresh.map(({ fact }) => fact)).then(() => {
      for (const { hash } of fresh) batchIds.add({ id: hash, receivedAt: now() })
    })
    for (const key of keys) underWay.set(key, storing)
    await storing.finally(() => {
      for (const key of keys) underWay.delete(key)
    })
    return fresh.map(({ fact }) => fact)
  }
}
