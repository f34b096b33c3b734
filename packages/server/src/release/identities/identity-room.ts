// How many identities are stored. A client key is public: whoever has it can invent users, each with traits of their own. One
// address brings so many new ones a minute, an environment has so many in all. Beyond that an evaluation is answered as
// ever, and its identity is counted instead of stored. Identities that are stored already are always kept up to date.

import { limits } from '@telltale/core/limits'
import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { identities } from '../../platform/engines/postgres/schema.ts'
import { addressKey, createRateLimit } from '../../platform/http/rate-limit.ts'

export type NotStored = 'address' | 'environment'

export interface RoomCondition {
  /** Since the start: identities that were not stored, by the limit that was reached. */
  notStored: ReadonlyMap<NotStored, number>
  /** Environments that have as many as they may. */
  full: readonly string[]
}

export interface NewIdentity {
  environmentId: string
  /** Of the client; unknown for a server key, whose application speaks for many users. */
  address: string | undefined
}

export interface IdentityRoom {
  /** Whether a new one may be stored. Counts it when not. */
  admits(identity: NewIdentity): boolean
  /** Those of these environments that are full, counted anew where they may be. */
  findFull(added: ReadonlyMap<string, number>): Promise<ReadonlySet<string>>
  /** Counts one that was not stored because its environment is full. */
  countFull(count: number): void
  condition(): RoomCondition
}

const countAgainAfter = 60_000

export interface RoomParts {
  db: Db
  elapsed: () => number
  /** Of one environment. */
  most: number
}

export function createIdentityRoom({ db, elapsed, most }: RoomParts): IdentityRoom {
  const byAddress = createRateLimit(limits.identitiesPerAddress, elapsed)
  const counts = new Map<string, { count: number; countedAt: number }>()
  const notStored = new Map<NotStored, number>()
  const note = (why: NotStored, count: number) => notStored.set(why, (notStored.get(why) ?? 0) + count)
  const isFull = (environmentId: string) => (counts.get(environmentId)?.count ?? 0) >= most

  const measure = async (environmentId: string) => {
    // Counted no further than it matters.
    const { rows } = await db.execute<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM (
        SELECT 1 FROM ${identities} WHERE environment_id = ${environmentId} LIMIT ${most}
      ) AS counted`)
    counts.set(environmentId, { count: rows[0]?.count ?? 0, countedAt: elapsed() })
  }

  return {
    admits({ environmentId, address }) {
      if (isFull(environmentId)) {
        note('environment', 1)
        return false
      }
      if (address === undefined || byAddress.tryTake(`${environmentId} ${addressKey(address)}`)) return true
      note('address', 1)
      return false
    },
    async findFull(added) {
      for (const [environmentId, more] of added) {
        const known = counts.get(environmentId)
        // Some of them were there before: counted anew before it is believed to be full.
        const isDoubtful = known === undefined || known.count + more >= most
        if (isDoubtful || elapsed() - known.countedAt > countAgainAfter) await measure(environmentId)
        const found = counts.get(environmentId)
        if (found !== undefined) found.count += more
      }
      return new Set(
        [...added].filter(([id, more]) => (counts.get(id)?.count ?? 0) - more >= most).map(([id]) => id),
      )
    },
    countFull: (count) => void note('environment', count),
    condition: () => ({ notStored, full: [...counts.keys()].filter(isFull) }),
  }
}
