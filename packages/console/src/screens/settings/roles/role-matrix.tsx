import { type ProjectPermission, projectPermissions } from '@telltale/core/permissions'
import { allPermissions, mayInProject } from '@telltale/core/rights'
import type { Role } from '../../../api/roles.ts'
import { useGrant } from '../../../shell/account.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/form/choice.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu, MenuItem } from '../../../ui/overlay/menu.tsx'

type RoleMatrixProps = {
  roles: readonly Role[]
  mayManage: boolean
  onToggle: (role: Role, permission: ProjectPermission) => void
  onRename: (role: Role) => void
  onDelete: (role: Role) => void
}

/** A row per permission and a column per role. Own roles have checkboxes, built-in ones marks. */
export function RoleMatrix({ roles, mayManage, onToggle, onRename, onDelete }: RoleMatrixProps) {
  const grant = useGrant()
  return (
    <section
      aria-label="Permissions by role"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
      tabIndex={0}
      className="relative overflow-x-auto rounded-panel border border-line bg-surface -outline-offset-2"
    >
      <table aria-label="Permissions by role" className="w-full border-separate border-spacing-0">
        <thead>
          <tr>
            <th scope="col" className={`${firstCell} font-medium text-11 text-text-3`}>
              Permission
            </th>
            {roles.map((role) => (
              <th key={role.key} scope="col" className="border-line border-b px-10 py-6 align-bottom">
                <RoleHead role={role} mayManage={mayManage} onRename={onRename} onDelete={onDelete} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&>tr:last-child>*]:border-b-0">
          {allPermissions.map((permission) => (
            <tr key={permission} className="hover:bg-hover">
              <th scope="row" className={`${firstCell} py-6 font-regular`}>
                <code className="block text-12">{permission}</code>
                <span className="block text-12 text-text-3">{projectPermissions[permission].allows}</span>
              </th>
              {roles.map((role) => (
                <td key={role.key} className="border-line border-b px-10 text-center">
                  <Cell
                    role={role}
                    permission={permission}
                    // What a member does not have cannot be given; it can be taken.
                    mayGive={mayManage && mayInProject(grant, permission)}
                    mayTake={mayManage}
                    onToggle={onToggle}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const firstCell =
  'sticky left-0 z-1 min-w-[22ch] max-w-[44ch] border-line border-b bg-surface px-14 text-left max-wide:max-w-[22ch]'

type RoleHeadProps = Pick<RoleMatrixProps, 'mayManage' | 'onRename' | 'onDelete'> & { role: Role }

function RoleHead({ role, mayManage, onRename, onDelete }: RoleHeadProps) {
  return (
    <span className="grid justify-items-center gap-2">
      <span className="inline-flex items-center gap-4 whitespace-nowrap font-medium">
        {role.name}
        {!role.builtIn && mayManage && (
          <Menu align="end" trigger={<IconButton icon="more" label={`Actions of ${role.name}`} />}>
            <MenuItem icon="edit" onSelect={() => onRename(role)}>
              Rename…
            </MenuItem>
            <MenuItem icon="trash" danger onSelect={() => onDelete(role)}>
              Delete…
            </MenuItem>
          </Menu>
        )}
      </span>
      <span className="whitespace-nowrap font-regular text-11 text-text-3">
        {role.builtIn ? 'Built in' : role.uses === 0 ? 'Not used' : `Used ${role.uses}×`}
      </span>
    </span>
  )
}

type CellProps = Pick<RoleMatrixProps, 'onToggle'> & {
  role: Role
  permission: ProjectPermission
  mayGive: boolean
  mayTake: boolean
}

function Cell({ role, permission, mayGive, mayTake, onToggle }: CellProps) {
  const has = role.permissions.includes(permission)
  const label = `${role.name}: ${permission}`
  if (role.builtIn) {
    if (!has) return <span className="sr-only">No</span>
    return (
      <>
        <Icon name="check" className="inline-block size-16" />
        <span className="sr-only">Yes</span>
      </>
    )
  }
  const isFixed = permission === 'project.view'
  return (
    <Checkbox
      label={label}
      hideLabel
      checked={has}
      disabled={isFixed || !(has ? mayTake : mayGive)}
      onChecked={() => onToggle(role, permission)}
    />
  )
}
