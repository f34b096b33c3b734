// What a caller may do in a project: a set of permissions, and another one in single environments. Nothing is decided
// by the name of a role.

import {
  isAtLeast,
  isBuiltInRole,
  type ProjectPermission,
  type ProjectRole,
  projectPermissions,
  projectRoles,
} from './permissions.ts'

export type PermissionSet = ReadonlySet<ProjectPermission>

export interface Rights {
  permissions: PermissionSet
  /** By the key of an environment: what holds there instead of `permissions`. */
  environments: ReadonlyMap<string, PermissionSet>
}

/** The caller's rights in the installation and in one project. */
export type Grant =
  | { kind: 'installation'; role: 'owner' }
  | ({ kind: 'project' } & Rights)
  | { kind: 'none' }

/** An own role as far as its holders' rights need it. */
export interface OwnRole {
  key: string
  permissions: readonly ProjectPermission[]
}

export const allPermissions: readonly ProjectPermission[] = keysOf(projectPermissions)

const builtIn: Readonly<Record<ProjectRole, PermissionSet>> = {
  viewer: setOf('viewer'),
  editor: setOf('editor'),
  maintainer: setOf('maintainer'),
  admin: setOf('admin'),
}

function setOf(role: ProjectRole): PermissionSet {
  return new Set(allPermissions.filter((permission) => isAtLeast(role, projectPermissions[permission].from)))
}

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  const isKey = (name: string): name is Key => Object.hasOwn(table, name)
  return Object.keys(table).filter(isKey)
}

const leastPermission: PermissionSet = new Set<ProjectPermission>(['project.view'])

/**
 * The permissions of a built-in role, or of one of these own roles. A role that does not exist leaves the least there
 * is: seeing the project.
 */
export function permissionsOf(role: string, own: readonly OwnRole[] = []): PermissionSet {
  if (isBuiltInRole(role)) return builtIn[role]
  const found = own.find(({ key }) => key === role)
  return found === undefined ? leastPermission : new Set([...leastPermission, ...found.permissions])
}

export function rightsOf(permissions: PermissionSet): Rights {
  return { permissions, environments: new Map() }
}

/** The grant of a role everywhere in a project. */
export function grantOf(role: ProjectRole): Grant {
  return { kind: 'project', ...rightsOf(builtIn[role]) }
}

/** What holds in an environment; without one, in the project as a whole. */
export function permissionsIn({ permissions, environments }: Rights, environment?: string): PermissionSet {
  return (environment === undefined ? undefined : environments.get(environment)) ?? permissions
}

/** Whether the grant has the permission for the project as a whole. */
export function mayInProject(grant: Grant, permission: ProjectPermission): boolean {
  return may(grant, permission, undefined)
}

/** Whether the grant has the permission in one environment of the project. */
export function may(grant: Grant, permission: ProjectPermission, environment: string | undefined): boolean {
  if (grant.kind === 'installation') return true
  return grant.kind === 'project' && permissionsIn(grant, environment).has(permission)
}

/** Whether the grant has the permission somewhere in the project. */
export function maySomewhere(grant: Grant, permission: ProjectPermission): boolean {
  if (grant.kind !== 'project') return may(grant, permission, undefined)
  return [grant.permissions, ...grant.environments.values()].some((set) => set.has(permission))
}

/** Whether the grant has the permission for the project as a whole and in every environment. */
export function mayEverywhere(grant: Grant, permission: ProjectPermission): boolean {
  if (grant.kind !== 'project') return may(grant, permission, undefined)
  return [grant.permissions, ...grant.environments.values()].every((set) => set.has(permission))
}

/** Whether they include, anywhere, what only admins have by the built-in roles. */
export function administers({ permissions, environments }: Rights): boolean {
  return [permissions, ...environments.values()].some((set) =>
    [...set].some((permission) => projectPermissions[permission].from === 'admin'),
  )
}

/** A token can never do more than its own role and its owner now. */
export function limitTo(rights: Rights, limit: PermissionSet): Rights {
  const common = (set: PermissionSet) => new Set([...set].filter((permission) => limit.has(permission)))
  return {
    permissions: common(rights.permissions),
    environments: new Map([...rights.environments].map(([key, set]) => [key, common(set)])),
  }
}

/** What several roles allow together: in each environment, what any of them allows there. */
export function unite(all: readonly Rights[]): Rights {
  const united = (environment?: string) => new Set(all.flatMap((one) => [...permissionsIn(one, environment)]))
  const environments = new Set(all.flatMap((one) => [...one.environments.keys()]))
  return {
    permissions: united(),
    environments: new Map([...environments].map((key) => [key, united(key)])),
  }
}

/** The one of several roles that allows most, to be shown: what they allow together is `unite`. */
export function mainRole(roles: readonly string[], permissions: (role: string) => PermissionSet): string {
  const sorted = [...roles].sort((a, b) => permissions(b).size - permissions(a).size)
  return sorted[0] ?? 'viewer'
}

export interface Excess {
  permission: ProjectPermission
  /** Where the giver lacks it; undefined for the project as a whole. */
  environment: string | undefined
}

/**
 * The permissions that a change gives and that its author does not have, place by place: members are given what their
 * author has, and keep what they had.
 */
export function excessOf(
  author: Grant,
  { before, after }: { before: Rights | undefined; after: Rights },
): Excess[] {
  if (author.kind === 'installation') return []
  const held = author.kind === 'project' ? [...author.environments.keys()] : []
  const environments = new Set([
    ...held,
    ...after.environments.keys(),
    ...(before?.environments.keys() ?? []),
  ])
  return [undefined, ...environments].flatMap((environment) =>
    [...permissionsIn(after, environment)]
      .filter((permission) => !(before && permissionsIn(before, environment).has(permission)))
      .filter((permission) => !may(author, permission, environment))
      .map((permission) => ({ permission, environment })),
  )
}

/** The first built-in role with the permission, for sentences such as "an editor can do that". */
export function firstRoleWith(permission: ProjectPermission): ProjectRole {
  return projectRoles.find((role) => builtIn[role].has(permission)) ?? 'admin'
}
