// Roles in single environments, of a member or a team: when they are the same, and how the audit log shows them.

import { isSame } from '@telltale/core/changes/same'
import type { EnvironmentRole } from './queries.ts'

/** By key of the environment, whose order means nothing. */
const byEnvironment = (roles: readonly EnvironmentRole[]) =>
  Object.fromEntries(roles.map(({ env, role }) => [env, role]))

export function areSameRoles(one: readonly EnvironmentRole[], other: readonly EnvironmentRole[]): boolean {
  return isSame(byEnvironment(one), byEnvironment(other))
}

/** A role with those in single environments, if there are any. */
export function auditedRoles(role: string, environments: readonly EnvironmentRole[] = []): object {
  return { role, ...(environments.length > 0 && auditedEnvironments(environments)) }
}

export function auditedEnvironments(environments: readonly EnvironmentRole[]): object {
  return { environments: byEnvironment(environments) }
}
