import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { rolesQuery } from '../../api/roles.ts'
import { availableTeamsQuery, setTeamRole } from '../../api/teams.ts'
import { roleOptions } from '../../features/roles/role-names.ts'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Select } from '../../ui/form/select.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'
import { useSettled } from '../../ui/use-settled.ts'

type AddTeamProps = { project: string; onAdded: () => Promise<void>; onClose: () => void }

export function AddTeam({ project, onAdded, onClose }: AddTeamProps) {
  const [key, setKey] = useState('')
  const [role, setRole] = useState('viewer')
  const roles = useQuery(rolesQuery(project)).data ?? []
  const [isChecked, setChecked] = useState(false)
  const wanted = useSettled(key.trim(), key.trim())
  const teams = useQuery(availableTeamsQuery(project, wanted))
  const found = teams.data?.items ?? []
  const chosen = found.find((team) => team.key === key.trim())
  const adding = useMutation({
    mutationFn: setTeamRole,
    onSuccess: async () => {
      await onAdded()
      onClose()
    },
  })
  const error = adding.error ?? teams.error

  function submit() {
    setChecked(true)
    if (chosen === undefined || adding.isPending) return
    adding.mutate({ project, team: chosen.key, role })
  }

  return (
    <Dialog
      title="Add a team to the project"
      description="All of its members get the role, now and later."
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Add team" busy={adding.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={error && toProblem(error)} />
      <Combobox
        label="Team"
        placeholder="Search by key or name"
        code
        suggestions={found.map((team) => ({ value: team.key, note: team.name }))}
        value={key}
        onValue={setKey}
        fault={isChecked && chosen === undefined ? 'Choose a team from the list.' : undefined}
      />
      <Select label="Role" options={roleOptions(roles, role)} value={role} onValue={setRole} />
    </Dialog>
  )
}
