import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import { areSameRoles, auditedEnvironments } from '../members/environment-roles.ts'
import type { EnvironmentRole } from '../members/queries.ts'
import { attempt, type Provisioning } from './provisioning.ts'

interface Declared {
  pointer: string
  before: readonly EnvironmentRole[]
  wanted: readonly EnvironmentRole[] | undefined
  store: (wanted: readonly EnvironmentRole[]) => Promise<EnvironmentRole[]>
  /** Its audit entry, without what changed. */
  entry: EntityChange
}

/** Roles in single environments, of a member or a team. Those that the file does not declare stay. */
export async function provisionEnvironmentRoles(
  run: Provisioning,
  { pointer, before, wanted, store, entry }: Declared,
): Promise<void> {
  if (wanted === undefined || areSameRoles(before, wanted)) return
  await attempt(run, pointer, async () => {
    const after = auditedEnvironments(await store(wanted))
    return { changes: [{ ...entry, before: auditedEnvironments(before), after }] }
  })
}
