// One application of a setup file, inside its transaction: what it changes, makes, keeps managed and stumbles over.

import type { Fault } from '@telltale/core/errors'
import type { SdkKeyKind } from '@telltale/core/keys'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { type Memory, openMemory } from './memory.ts'
import { findRefusal } from './refusal.ts'

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
