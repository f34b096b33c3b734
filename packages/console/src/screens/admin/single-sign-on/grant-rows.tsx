import { useQuery } from '@tanstack/react-query'
import { tokenRoles } from '@telltale/core/permissions'
import { everyGroup } from '@telltale/core/sign-in/roles-of-groups'
import { rolesQuery } from '../../../api/roles.ts'
import type { NewProvider } from '../../../api/sign-in-providers.ts'
import { roleOptions } from '../../../features/roles/role-names.ts'
import { useAccount } from '../../../shell/account.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Select } from '../../../ui/form/select.tsx'

type Grant = NewProvider['grants'][number]

interface GrantRowsProps {
  grants: readonly Grant[]
  fault: string | undefined
  onGrants: (grants: Grant[]) => void
}

const rowClass =
  'grid grid-cols-[minmax(0,1fr)_auto] items-end gap-8 wide:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_14ch_auto]'
const allProjects = ''
const builtInRoles = tokenRoles.map((role) => ({ key: role, name: role[0]?.toUpperCase() + role.slice(1) }))

/** Which group gets which role. */
export function GrantRows({ grants, fault, onGrants }: GrantRowsProps) {
  const { projects } = useAccount()
  const first = projects[0]?.key ?? null
  const set = (at: number, change: Partial<Grant>) =>
    onGrants(grants.map((grant, index) => (index === at ? fitted({ ...grant, ...change }, first) : grant)))
  return (
    <fieldset className="grid gap-8">
      <legend className="pb-4 font-medium">Roles</legend>
      <p className={`text-12 ${fault ? 'text-bad' : 'text-text-3'}`}>
        {fault ?? (
          <>
            The role that allows most counts. <code>{everyGroup}</code> is every account of the provider.
            Roles given by hand are kept.
          </>
        )}
      </p>
      {grants.map((grant, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids, and only the last one is added
        <div key={index} className={rowClass}>
          <Field
            label="Group"
            hideLabel={index > 0}
            value={grant.group}
            onChange={({ currentTarget }) => set(index, { group: currentTarget.value })}
            autoComplete="off"
            spellCheck={false}
          />
          <Select
            label="Project"
            hideLabel={index > 0}
            options={
              grant.role === 'owner'
                ? [{ value: allProjects, label: 'All projects' }]
                : projectOptions(projects, grant.project)
            }
            value={grant.project ?? allProjects}
            onValue={(project) => set(index, { project, ...(!isBuiltIn(grant.role) && { role: 'viewer' }) })}
            disabled={grant.role === 'owner'}
          />
          <RoleSelect grant={grant} hideLabel={index > 0} onRole={(role) => set(index, { role })} />
          <IconButton
            icon="trash"
            label={`Remove the role of ${grant.group || `group ${index + 1}`}`}
            onClick={() => onGrants(grants.filter((_, other) => other !== index))}
          />
        </div>
      ))}
      <Button
        icon="plus"
        onClick={() => onGrants([...grants, fitted({ group: '', project: first, role: 'viewer' }, first)])}
      >
        Add role
      </Button>
    </fieldset>
  )
}

type RoleSelectProps = { grant: Grant; hideLabel: boolean; onRole: (role: string) => void }

/** Built-in roles, and own ones of the project. */
function RoleSelect({ grant, hideLabel, onRole }: RoleSelectProps) {
  const { projects } = useAccount()
  const isKnown = projects.some(({ key }) => key === grant.project)
  const found = useQuery({ ...rolesQuery(grant.project ?? ''), enabled: isKnown })
  const own = (found.data ?? []).filter(({ key }) => !isBuiltIn(key))
  return (
    <Select
      label="Role"
      hideLabel={hideLabel}
      options={roleOptions([...builtInRoles, ...own], grant.role)}
      value={grant.role}
      onValue={onRole}
    />
  )
}

const isBuiltIn = (role: string) => builtInRoles.some(({ key }) => key === role)

/** Owners have no project, and every other role has one. */
function fitted(grant: Grant, first: string | null): Grant {
  if (grant.role === 'owner') return { ...grant, project: null }
  const project = grant.project ?? first
  return project === null ? { ...grant, role: 'owner', project } : { ...grant, project }
}

function projectOptions(projects: readonly { key: string; name: string }[], chosen: string | null) {
  const known = projects.map(({ key, name }) => ({ value: key, label: name }))
  const isKnown = chosen === null || projects.some(({ key }) => key === chosen)
  return isKnown ? known : [...known, { value: chosen, label: `${chosen} (no such project)` }]
}
