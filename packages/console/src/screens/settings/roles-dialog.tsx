import { useState } from 'react'
import type { Environment } from '../../api/environments.ts'
import type { Problem } from '../../api/problem.ts'
import type { Role } from '../../api/roles.ts'
import { nameOfRole, roleOptions } from '../../features/roles/role-names.ts'
import { Select } from '../../ui/form/select.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'

type GivenRole = { env: string; role: string }

type RolesDialogProps = {
  /** Of the member or the team. */
  name: string
  /** In the project. */
  given: string
  there: readonly GivenRole[]
  isByGroup?: boolean
  roles: readonly Role[]
  environments: readonly Environment[]
  busy: boolean
  problem: Problem | null
  onSave: (draft: { role?: string; environments: GivenRole[] }) => void
  onClose: () => void
}

/** The role of a member or a team in the project, and in each environment where it is another one. */
export function RolesDialog(props: RolesDialogProps) {
  const {
    name: holder,
    given,
    isByGroup = false,
    roles,
    environments,
    busy,
    problem,
    onSave,
    onClose,
  } = props
  const [role, setRole] = useState(given)
  const [there, setThere] = useState(() => new Map(props.there.map((one) => [one.env, one.role])))
  const same = { value: '', label: `As in the project: ${nameOfRole(roles, role)}` }
  const change = (env: string, next: string) => {
    const changed = new Map(there)
    if (next === '') changed.delete(env)
    else changed.set(env, next)
    setThere(changed)
  }
  const submit = () => {
    const chosen = [...there].map(([env, roleThere]) => ({ env, role: roleThere }))
    if (!busy) onSave({ ...(role !== given && { role }), environments: chosen })
  }
  return (
    <Dialog
      title={`Roles of ${holder}`}
      description="A role in an environment holds there instead of the role in the project, and may allow more or less."
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Save roles" busy={busy} onCancel={onClose} />}
    >
      <ProblemNotice problem={problem} />
      <Select
        label="In the project"
        {...(isByGroup && { hint: 'Follows from a group of the sign-in provider.' })}
        options={roleOptions(roles, role)}
        value={role}
        onValue={setRole}
        disabled={isByGroup}
      />
      {environments.map(({ key, name }) => (
        <Select
          key={key}
          label={`In ${name}`}
          options={[same, ...roleOptions(roles, there.get(key) ?? role)]}
          value={there.get(key) ?? ''}
          onValue={(next) => change(key, next)}
        />
      ))}
    </Dialog>
  )
}
