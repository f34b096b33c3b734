// The roles that follow from the groups of a provider.

import { isAtLeast, type ProjectRole, type TokenRole } from '../permissions.ts'

/** Matches every account of the provider. */
export const everyGroup = '*'

export interface Grant {
  group: string
  /** Null for the owners of the installation. */
  project: string | null
  role: TokenRole
}

export interface GrantedRoles {
  isOwner: boolean
  /** By key of the project, the highest role of all groups. */
  projects: ReadonlyMap<string, ProjectRole>
}

export function rolesOfGroups(groups: readonly string[], grants: readonly Grant[]): GrantedRoles {
  const held = new Set(groups)
  const matching = grants.filter(({ group }) => group === everyGroup || held.has(group))
  const projects = new Map<string, ProjectRole>()
  for (const { project, role } of matching) {
    if (project === null || role === 'owner') continue
    const before = projects.get(project)
    if (before === undefined || isAtLeast(role, before)) projects.set(project, role)
  }
  return { isOwner: matching.some(({ role }) => role === 'owner'), projects }
}
