import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import {
  type InstallationPermission,
  isProjectPermission,
  mayInProject,
  type ProjectPermission,
} from '@telltale/core/permissions'
import { type Account, accountQuery } from '../api/accounts.ts'

/** Who is signed in. Only below a route that asked for it. */
export function useAccount(): Account {
  return useSuspenseQuery(accountQuery).data
}

/**
 * Whether a control should be offered. The server decides anyway; this keeps people from trying what it refuses.
 * Permissions of a project are those of the project in the address.
 */
export function useMay(permission: ProjectPermission | InstallationPermission): boolean {
  const account = useAccount()
  const { project } = useParams({ strict: false })
  if (account.user.role === 'owner') return true
  if (!isProjectPermission(permission)) return false

  const role = account.projects.find(({ key }) => key === project)?.role
  return mayInProject(role ? { kind: 'project', role } : { kind: 'none' }, permission)
}
