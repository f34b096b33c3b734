// One application of a setup file, inside its transaction: what it changes, makes, keeps managed and stumbles over.

import type { Fault } from '@telltale/core/errors'
import type { SdkKeyKind } from '@telltale/core/keys'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { provisioned } from '../../platform/engines/postgres/schema.ts'
import { findRefusal } from './refusal.ts'

// What the setup file has made or found before, so that a start undoes no removal.
interface Memory {
  has(identity: string): boolean
  /** Whether something has to be made now. It is remembered either way. */
  isDue(identity: string, entry: { exists: boolean; manage: boolean; isPartOfNew?: boolean }): boolean
  /** Writes down what is new. */
  save(now: Date): Promise<void>
}

/** PostgreSQL takes 65 535 parameters in one statement. */
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
  /** The ids of everything that stays read-only elsewhere; of a membership, both of its ids. */
  managed: Set<string>
  /** The ids of the accounts made by this start. */
  newUsers: Set<string>
  /** Where the file makes a member of somebody who was an owner. */
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

/** Makes something; what refuses it becomes a fault of the entry at this place, and nothing is made. */
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
