import type { ProjectPermission } from '@telltale/core/permissions'
import { allPermissions, type Grant, may } from '@telltale/core/rights'

interface DescribedGrant {
  permissions: ProjectPermission[]
  environments: { env: string; permissions: ProjectPermission[] }[]
}

/** A grant as the API returns it, in the order of the table of permissions. */
export function describeGrant(grant: Grant): DescribedGrant {
  const held = (env?: string) => allPermissions.filter((permission) => may(grant, permission, env))
  const environments = grant.kind === 'project' ? [...grant.environments.keys()] : []
  return {
    permissions: held(),
    environments: environments.map((env) => ({ env, permissions: held(env) })),
  }
}
