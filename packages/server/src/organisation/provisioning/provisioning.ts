// The state of applying a setup file in its transaction: changes, generated keys, managed entities and faults.

import type { Fault } from '@telltale/core/errors'
import type { SdkKeyKind } from '@telltale/core/keys'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { provisioned } from '../../platform/engines/postgres/schema.ts'
import { findRefusal } from './refusal.ts'

// Entities that the setup file has created or found before, so that a start does not undo deletions.
interface Memory {
  has(identity: string): boolean
  /** Whether an entity must be created now. It is remembered in both cases. */
  isDue(identity: string, entry: { exists: boolean; manage: boolean; isPartOfNew?: boolean }): boolean
  /** Stores new identities. */
  save(now: Date): Promise<void>
}

/** PostgreSQL allows 65 535 parameters in one statement. */
const rowsPerInsert = 10_000

async function openMemory(db: Queryable): Promise<Memory> {
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

export interface GeneratedKey {
  project: string
  environment: string
  kind: SdkKeyKind
  label: string
  value: string
}

export interface Provisioning extends ChangeContext {
  memory: Memory
  changes: EntityChange[]
  faults: Fault[]
  generatedKeys: GeneratedKey[]
  /** The ids of everything that is read-only elsewhere; for a membership, both of its ids. */
  managed: Set<string>
  /** The ids of the accounts created by this start. */
  newUsers: Set<string>
  /** Positions at which the file turns an owner into a member. */
  dismissedOwners: string[]
}

export async function beginProvisioning(context: ChangeContext, faults: Fault[]): Promise<Provisioning> {
  return {
    ...context,
    memory: await openMemory(context.db),
    changes: [],
    faults: [...faults],
    generatedKeys: [],
    managed: new Set(),
    newUsers: new Set(),
    dismissedOwners: [],
  }
}

/** Creates an entity; a refusal becomes a fault of the entry at this position. */
export async function attempt<Made extends { changes: EntityChange[] }>(
  provisioning: Provisioning,
  pointer: string,
  make: () => Promise<Made>,
): Promise<Made | undefined> {
  try {
    const made = await make()
    provisioning.changes.push(...made.changes)
    return made
  } catch (error) {
    provisioning.faults.push(...findRefusal(error, pointer))
    return undefined
  }
}
