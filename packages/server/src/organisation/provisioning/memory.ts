// What the setup file has made or found before, so that a start undoes no removal.

import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { provisioned } from '../../platform/engines/postgres/schema.ts'

export interface Memory {
  has(identity: string): boolean
  /** Whether something has to be made now. It is remembered either way. */
  isDue(identity: string, entry: { exists: boolean; manage: boolean; isPartOfNew?: boolean }): boolean
  /** Writes down what is new. */
  save(now: Date): Promise<void>
}

/** PostgreSQL takes 65 535 parameters in one statement. */
const rowsPerInsert = 10_000

export async function openMemory(db: Queryable): Promise<Memory> {
  const rows = await db.select({ identity: provisioned.identity }).from(provisioned)
  const known = new Set(rows.map(({ identity }) => identity))
  const found = new Set<string>()

  return {
    has: (identity) => known.has(identity),
    isDue: (identity, { exists, manage, isPartOfNew = false }) => {
      if (!known.has(identity)) found.add(identity)
      return !exists && (manage || isPartOfNew || !known.has(identity))
    },
    save: async (now) => {
      const entries = [...found].map((identity) => ({ identity, createdAt: now }))
      for (let first = 0; first < entries.length; first += rowsPerInsert) {
        await db.insert(provisioned).values(entries.slice(first, first + rowsPerInsert))
      }
    },
  }
}
