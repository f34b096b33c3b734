import type { Environment } from '../../api/environments.ts'
import type { Role } from '../../api/roles.ts'
import { nameOfRole } from '../../features/roles/role-names.ts'
import { IconButton } from '../../ui/button.tsx'
import { Badge } from '../../ui/tag.tsx'

interface EnvironmentRole {
  env: string
  role: string
}

type EnvironmentRolesCellProps = {
  /** Of the member or the team. */
  name: string
  there: readonly EnvironmentRole[]
  roles: readonly Role[]
  environments: readonly Environment[]
  isFixed: boolean
  onEdit: () => void
}

/** The roles in single environments, and the way to change them. */
export function EnvironmentRolesCell(props: EnvironmentRolesCellProps) {
  const { name, there, roles, environments, isFixed, onEdit } = props
  return (
    <span className="flex min-w-0 items-center gap-4 py-4">
      {there.length > 0 && (
        <span className="flex min-w-0 flex-wrap gap-4">
          {there.map((each) => (
            <Badge key={each.env}>{textOf(each, { roles, environments })}</Badge>
          ))}
        </span>
      )}
      <IconButton
        icon="edit"
        label={`Roles of ${name} in environments…`}
        disabled={isFixed}
        onClick={onEdit}
      />
    </span>
  )
}

/** `Production: Maintainer`. */
export function textOf(
  { env, role }: EnvironmentRole,
  { roles, environments }: Pick<EnvironmentRolesCellProps, 'roles' | 'environments'>,
): string {
  return `${environments.find(({ key }) => key === env)?.name ?? env}: ${nameOfRole(roles, role)}`
}
