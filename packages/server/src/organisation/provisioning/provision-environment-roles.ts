import { isDeepStrictEqual } from 'node:util'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
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
  if (wanted === undefined || isDeepStrictEqual(asObject(before), asObject(wanted))) return
  await attempt(run, pointer, async () => {
    const after = { environments: asObject(await store(wanted)) }
    return { changes: [{ ...entry, before: { environments: asObject(before) }, after }] }
  })
}

const asObject = (roles: readonly EnvironmentRole[]) =>
  Object.fromEntries(roles.map(({ env, role }) => [env, role]))
