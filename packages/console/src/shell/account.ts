import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import {
  type InstallationPermission,
  isProjectPermission,
  mayInProject,
  type ProjectPermission,
} from '@telltale/core/permissions'
import { type Account, accountQuery } from '../api/accounts.ts'

/** The signed-in account. Only below a route that requires it. */
export function useAccount(): Account {
  return useSuspenseQuery(accountQuery).data
}

/**
 * Whether to enable a control. The server enforces permissions; this avoids offering what it would refuse.
 * Permissions of a project are those of the project in the URL.
 */
export function useMay(permission: ProjectPermission | InstallationPermission): boolean {
  const account = useAccount()
  const { project } = useParams({ strict: false })
  if (account.user.role === 'owner') return true
  if (!isProjectPermission(permission)) return false

  const role = account.projects.find(({ key }) => key === project)?.role
  return mayInProject(role ? { kind: 'project', role } : { kind: 'none' }, permission)
}
