// Limits on stored identities. A client key is public, and its holder can invent users with arbitrary traits:
// new identities are limited per address and minute, and per environment in total. Beyond that, evaluations
// still work, but the identity is counted instead of stored. Stored identities are always updated.

import { limits } from '@telltale/core/limits'
import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { identities } from '../../platform/engines/postgres/schema.ts'
import { addressKey, createRateLimit } from '../../platform/http/rate-limit.ts'

type NotStored = 'address' | 'environment'

interface RoomCondition {
  /** Identities not stored since startup, by the limit reached. */
  notStored: ReadonlyMap<NotStored, number>
  /** Environments at their limit. */
  full: readonly string[]
}

export interface NewIdentity {
  environmentId: string
  /** Of the client; undefined for a server key, whose application evaluates many users. */
  address: string | undefined
}

export interface IdentityRoom {
  /** Whether a new identity may be stored. Counts it otherwise. */
  admits(identity: NewIdentity): boolean
  /** The full ones among these environments, counted again where necessary. */
  findFull(added: ReadonlyMap<string, number>): Promise<ReadonlySet<string>>
  /** Counts identities not stored because their environment is full. */
  countFull(count: number): void
  condition(): RoomCondition
}

const countAgainAfter = 60_000

interface RoomParts {
  db: Db
  elapsed: () => number
  /** Per environment. */
  most: number
}

export function createIdentityRoom({ db, elapsed, most }: RoomParts): IdentityRoom {
  const byAddress = createRateLimit(limits.identitiesPerAddress, elapsed)
  const counts = new Map<string, { count: number; countedAt: number }>()
  const notStored = new Map<NotStored, number>()
  const note = (why: NotStored, count: number) => notStored.set(why, (notStored.get(why) ?? 0) + count)
  const isFull = (environmentId: string) => (counts.get(environmentId)?.count ?? 0) >= most

  const measure = async (environmentId: string) => {
    // Counts no further than the limit.
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
        // Some may have existed before, so count again before treating the environment as full.
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
