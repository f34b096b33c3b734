import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import {
  type InstallationPermission,
  isProjectPermission,
  type ProjectPermission,
} from '@telltale/core/permissions'
import { type Grant, may } from '@telltale/core/rights'
import { type Account, accountQuery } from '../api/accounts.ts'
import { useMaybeScope } from './scope-context.ts'

/** The signed-in account. Only below a route that requires it. */
export function useAccount(): Account {
  return useSuspenseQuery(accountQuery).data
}

/** What the account may do in the project in the URL. */
export function useGrant(): Grant {
  const account = useAccount()
  const { project } = useParams({ strict: false })
  if (account.user.role === 'owner') return { kind: 'installation', role: 'owner' }
  const found = account.projects.find(({ key }) => key === project)
  if (found === undefined) return { kind: 'none' }
  const environments = found.environments.map((one) => [one.env, new Set(one.permissions)] as const)
  return { kind: 'project', permissions: new Set(found.permissions), environments: new Map(environments) }
}

/**
 * Whether to enable a control. The server enforces permissions; this avoids offering what it would refuse.
 * Permissions of a project are those of the project in the URL; with `environment`, those in that environment.
 */
export function useMay(
  permission: ProjectPermission | InstallationPermission,
  environment?: string,
): boolean {
  const grant = useGrant()
  if (!isProjectPermission(permission)) return grant.kind === 'installation'
  return may(grant, permission, environment)
}

/** Whether to enable a control that concerns the chosen environment. */
export function useMayHere(permission: ProjectPermission): boolean {
  return useMay(permission, useMaybeScope()?.environment.key)
}
