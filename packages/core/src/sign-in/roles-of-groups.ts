// The roles that follow from the groups of a provider.

import { isBuiltInRole } from '../permissions.ts'
import { mainRole, type OwnRole, permissionsOf } from '../rights.ts'

/** Matches every account of the provider. */
export const everyGroup = '*'

export interface Grant {
  group: string
  /** Null for the owners of the installation. */
  project: string | null
  /** A built-in or own role of the project, or `owner`. */
  role: string
}

export interface GrantedRoles {
  isOwner: boolean
  /** By key of the project, the role of all groups that allows most. */
  projects: ReadonlyMap<string, string>
}

/** `own` has the own roles of projects by key. A role that does not exist gives nothing. */
export function rolesOfGroups(
  groups: readonly string[],
  grants: readonly Grant[],
  own: ReadonlyMap<string, readonly OwnRole[]>,
): GrantedRoles {
  const held = new Set(groups)
  const matching = grants.filter(({ group }) => group === everyGroup || held.has(group))
  const given = new Map<string, string[]>()
  for (const { project, role } of matching) {
    if (project === null || role === 'owner' || !exists(role, own.get(project))) continue
    given.set(project, [...(given.get(project) ?? []), role])
  }
  const projects = [...given].map(([project, roles]) => {
    const permissions = (role: string) => permissionsOf(role, own.get(project))
    return [project, mainRole(roles, permissions)] as const
  })
  return { isOwner: matching.some(({ role }) => role === 'owner'), projects: new Map(projects) }
}

/** The matching grants that name a role that their project does not have. */
export function missingRoles(
  groups: readonly string[],
  grants: readonly Grant[],
  own: ReadonlyMap<string, readonly OwnRole[]>,
): { project: string; role: string }[] {
  const held = new Set(groups)
  return grants.flatMap(({ group, project, role }) => {
    const isMatching = project !== null && (group === everyGroup || held.has(group))
    return isMatching && !exists(role, own.get(project)) ? [{ project, role }] : []
  })
}

function exists(role: string, own: readonly OwnRole[] = []): boolean {
  return isBuiltInRole(role) || own.some(({ key }) => key === role)
}
