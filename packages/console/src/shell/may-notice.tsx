import { useParams } from '@tanstack/react-router'
import { type ProjectPermission, projectPermissions } from '@telltale/core/permissions'
import { Notice } from '../ui/notice.tsx'
import { useAccount, useMay } from './account.ts'

/** Why the controls below it are disabled: the account's role is insufficient. */
export function MayNotice({ permission }: { permission: ProjectPermission }) {
  const isAllowed = useMay(permission)
  const reason = useReason(permission)
  if (isAllowed) return null
  return <Notice tone="plain" title="Read-only" detail={reason} />
}

/** `This needs the role admin; yours is viewer.` */
function useReason(permission: ProjectPermission): string {
  const { projects } = useAccount()
  const { project } = useParams({ strict: false })
  const role = projects.find(({ key }) => key === project)?.role
  const needed = projectPermissions[permission].from
  return `This needs the role ${needed}${role ? `; yours is ${role}` : ''}. An admin of the project can give it to you.`
}
