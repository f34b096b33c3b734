import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { membersQuery } from '../../../api/members.ts'
import { toProblem } from '../../../api/problem.ts'
import { deleteRole, type Role, rolesQuery } from '../../../api/roles.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'

type DeleteRoleProps = { role: Role; roles: readonly Role[]; onClose: () => void }

/** Everyone who has the role gets another one in the same step. */
export function DeleteRole({ role, roles, onClose }: DeleteRoleProps) {
  const { project } = useScope()
  const [moveTo, setMoveTo] = useState('viewer')
  const queryClient = useQueryClient()
  const deletion = useMutation({
    mutationFn: () => deleteRole({ project, role: role.key, ...(role.uses > 0 && { moveTo }) }),
    onSuccess: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: rolesQuery(project).queryKey }),
        queryClient.invalidateQueries({ queryKey: membersQuery(project).queryKey }),
      ])
      onClose()
    },
  })
  return (
    <Dialog
      title={`Delete the role ${role.name}`}
      description={
        role.uses === 0
          ? 'Nothing has this role.'
          : 'Its members, invitations and API tokens get another role immediately.'
      }
      onClose={onClose}
      onSubmit={() => !deletion.isPending && deletion.mutate()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={deletion.isPending}>
            Delete role
          </Button>
        </>
      }
    >
      <ProblemNotice problem={deletion.error && toProblem(deletion.error)} />
      {role.uses > 0 && (
        <Select
          label="They get"
          options={roles
            .filter(({ key }) => key !== role.key)
            .map(({ key, name }) => ({ value: key, label: name }))}
          value={moveTo}
          onValue={setMoveTo}
        />
      )}
    </Dialog>
  )
}
