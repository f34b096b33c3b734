import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import { addTeamMember, teamsKey, type WholeTeam } from '../../../api/teams.ts'
import { usersQuery } from '../../../api/users.ts'
import { Combobox } from '../../../ui/form/combobox.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { useSettled } from '../../../ui/use-settled.ts'

/** Users are found by e-mail or name, because there can be thousands. */
export function AddMember({ team, onClose }: { team: WholeTeam; onClose: () => void }) {
  const [text, setText] = useState('')
  const [isChecked, setChecked] = useState(false)
  const wanted = useSettled(text.trim(), text.trim())
  const users = useInfiniteQuery(usersQuery(wanted || undefined))
  const found = users.data?.pages.flatMap(({ items }) => items) ?? []
  const chosen = found.find(({ email }) => email.toLowerCase() === text.trim().toLowerCase())
  const queryClient = useQueryClient()
  const adding = useMutation({
    mutationFn: addTeamMember,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: teamsKey })
      onClose()
      showToast({ text: `${chosen?.name ?? 'The user'} is in ${team.name} now.` })
    },
  })

  function submit() {
    setChecked(true)
    if (chosen === undefined || adding.isPending) return
    adding.mutate({ team: team.key, user: chosen.id })
  }

  return (
    <Dialog
      title={`Add a member to ${team.name}`}
      description="Users of this installation. New users are invited to a project first."
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Add member" busy={adding.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={(adding.error ?? users.error) && toProblem(adding.error ?? users.error)} />
      <Combobox
        label="E-mail"
        placeholder="Search by name or e-mail"
        suggestions={found.map(({ email, name }) => ({ value: email, note: name }))}
        value={text}
        onValue={setText}
        fault={isChecked && chosen === undefined ? 'Choose a user from the list.' : undefined}
      />
    </Dialog>
  )
}
