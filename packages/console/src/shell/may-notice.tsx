import { useParams } from '@tanstack/react-router'
import { isBuiltInRole, type ProjectPermission } from '@telltale/core/permissions'
import { firstRoleWith } from '@telltale/core/rights'
import { Notice } from '../ui/notice.tsx'
import { useAccount, useMay } from './account.ts'
import { useScope } from './scope-context.ts'

type MayNoticeProps = {
  permission: ProjectPermission
  /** The environment that the controls concern, when they concern one. */
  environment?: { key: string; name: string }
}

/** Why the controls below it are disabled: the account's role is insufficient. */
export function MayNotice({ permission, environment }: MayNoticeProps) {
  const isAllowed = useMay(permission, environment?.key)
  const reason = useReason(permission, environment)
  if (isAllowed) return null
  return <Notice tone="plain" title="Read-only" detail={reason} />
}

/** The same for controls that concern the chosen environment. */
export function MayNoticeHere({ permission }: { permission: ProjectPermission }) {
  const { environment } = useScope()
  return <MayNotice permission={permission} environment={environment} />
}

/**
 * Why the account lacks a permission: `This needs the role admin; yours is viewer.` Roles in an environment and own
 * roles have no place in the order of the built-in ones, so there the permission is named. `plain`: the sentence for
 * built-in roles.
 */
export function useReason(
  permission: ProjectPermission,
  environment?: { key: string; name: string },
  plain?: string,
): string {
  const { projects } = useAccount()
  const { project } = useParams({ strict: false })
  const found = projects.find(({ key }) => key === project)
  if (found?.environments.some(({ env }) => env === environment?.key))
    return `Your role in ${environment?.name} does not have ${permission}. An admin of the project can give you another one.`
  if (found && !isBuiltInRole(found.role))
    return `Your role ${found.role} does not have ${permission}. An admin of the project can give you another one.`
  const yours = found ? `; yours is ${found.role}` : ''
  return (
    plain ??
    `This needs the role ${firstRoleWith(permission)}${yours}. An admin of the project can give it to you.`
  )
}
