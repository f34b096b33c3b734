import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { mayInProject } from '@telltale/core/rights'
import { useState } from 'react'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { toProblem } from '../../../api/problem.ts'
import { createRole, type Role, rolesQuery, updateRole } from '../../../api/roles.ts'
import { useGrant } from '../../../shell/account.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Field, TextArea } from '../../../ui/form/field.tsx'
import { NameAndKeyFields } from '../../../ui/form/name-and-key-fields.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { useNameAndKey } from '../../../ui/form/use-name-and-key.ts'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'

/** Creates a role with the permissions of another one, to be changed in the matrix. */
export function NewRole({ roles, onClose }: { roles: readonly Role[]; onClose: () => void }) {
  const { project } = useScope()
  const grant = useGrant()
  const [from, setFrom] = useState('viewer')
  const [description, setDescription] = useState('')
  const [idempotencyKey, setKey] = useState(newIdempotencyKey)
  const reset = () => {
    setKey(newIdempotencyKey())
    saving.reset()
  }
  const { draft, check, fields } = useNameAndKey(() => reset())
  const base = roles.find(({ key }) => key === from)
  // Only permissions that the author has can be given.
  const permissions = (base?.permissions ?? []).filter((permission) => mayInProject(grant, permission))
  const leftOut = (base?.permissions.length ?? 0) - permissions.length
  const saving = useSaved(
    () =>
      createRole({
        project,
        draft: { ...draft, description: description.trim(), permissions },
        idempotencyKey,
      }),
    onClose,
  )
  const problem = saving.error && toProblem(saving.error)
  const isTaken = problem?.is('already-exists') ?? false
  return (
    <Dialog
      title="New role"
      description="Change its permissions in the table afterwards."
      onClose={onClose}
      onSubmit={() => check() && !saving.isPending && saving.mutate()}
      footer={<FormButtons verb="Create role" busy={saving.isPending} onCancel={onClose} />}
    >
      {!isTaken && <ProblemNotice problem={problem} />}
      <NameAndKeyFields
        {...fields}
        hint="Used by the API and in the audit log. Cannot be changed later."
        taken={isTaken ? 'A role with this key exists. Choose another one.' : undefined}
      />
      <Select
        label="Starts with the permissions of"
        options={roles.map(({ key, name }) => ({ value: key, label: name }))}
        value={from}
        onValue={(next) => {
          setFrom(next)
          reset()
        }}
        {...(leftOut > 0 && { hint: `Without ${leftOut} that you do not have.` })}
      />
      <Description
        text={description}
        onText={(next) => {
          setDescription(next)
          reset()
        }}
      />
    </Dialog>
  )
}

export function RenameRole({ role, onClose }: { role: Role; onClose: () => void }) {
  const { project } = useScope()
  const [name, setName] = useState(role.name)
  const [description, setDescription] = useState(role.description)
  const [isChecked, setChecked] = useState(false)
  const fault = name.trim() === '' ? 'Enter a name.' : undefined
  const saving = useSaved(
    () =>
      updateRole({
        project,
        role: role.key,
        change: { name: name.trim(), description: description.trim() },
        ifMatch: role.version ?? undefined,
      }),
    onClose,
  )
  function submit() {
    setChecked(true)
    if (fault === undefined && !saving.isPending) saving.mutate()
  }
  return (
    <Dialog
      title={`Rename ${role.name}`}
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Save" busy={saving.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={saving.error && toProblem(saving.error)} />
      <Field
        label="Name"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        maxLength={limits.nameLength}
        fault={isChecked ? fault : undefined}
        autoComplete="off"
        autoFocus
      />
      <Description text={description} onText={setDescription} />
    </Dialog>
  )
}

function Description({ text, onText }: { text: string; onText: (text: string) => void }) {
  return (
    <TextArea
      label="Description (optional)"
      value={text}
      onChange={({ currentTarget }) => onText(currentTarget.value)}
      maxLength={limits.descriptionLength}
      rows={2}
    />
  )
}

function useSaved(save: () => Promise<Role>, onClose: () => void) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: save,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: rolesQuery(project).queryKey })
      onClose()
    },
  })
}
