import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { createInvitation, type IssuedInvitation, invitationsQuery } from '../../api/invitations.ts'
import { toProblem } from '../../api/problem.ts'
import { rolesQuery } from '../../api/roles.ts'
import { roleOptions } from '../../features/roles/role-names.ts'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'
import { InvitationLink } from './invitation-link.tsx'

/** Invites by e-mail, then shows the link, which is the only way without mail. */
export function Invite({ project, onClose }: { project: string; onClose: () => void }) {
  const [issued, setIssued] = useState<IssuedInvitation>()
  if (issued) return <InvitationLink issued={issued} onClose={onClose} />
  return <InviteForm project={project} onIssued={setIssued} onClose={onClose} />
}

type InviteFormProps = {
  project: string
  onIssued: (issued: IssuedInvitation) => void
  onClose: () => void
}

function InviteForm({ project, onIssued, onClose }: InviteFormProps) {
  const roles = useQuery(rolesQuery(project)).data ?? []
  const [email, setEmail] = useState('')
  const [role, setRole] = useState('editor')
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  const [isChecked, setChecked] = useState(false)
  const queryClient = useQueryClient()
  const creation = useMutation({
    mutationFn: createInvitation,
    onSuccess: async (issued) => {
      await queryClient.invalidateQueries({ queryKey: invitationsQuery(project).queryKey })
      onIssued(issued)
    },
  })
  const problem = creation.error && toProblem(creation.error)
  const fault = /^\S+@\S+$/.test(email.trim()) ? undefined : 'Enter an e-mail address.'
  const serverFault = problem?.errors.find(({ pointer }) => pointer === '/email')?.message

  /** Edits after a failure need a new idempotency key. */
  function edit(part: { email?: string; role?: string }) {
    if (part.email !== undefined) setEmail(part.email)
    if (part.role) setRole(part.role)
    setIdempotencyKey(newIdempotencyKey())
  }

  function submit() {
    setChecked(true)
    if (fault || creation.isPending) return
    creation.mutate({ project, draft: { email: email.trim(), role }, idempotencyKey })
  }

  return (
    <Dialog
      title="Invite to the project"
      description="The invitation is a link that works once. Anyone with the link can join."
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Invite" busy={creation.isPending} onCancel={onClose} />}
    >
      {!serverFault && <ProblemNotice problem={problem} />}
      <Field
        label="E-mail"
        type="email"
        value={email}
        onChange={(event) => edit({ email: event.currentTarget.value })}
        maxLength={limits.emailLength}
        fault={(isChecked ? fault : undefined) ?? serverFault}
        autoComplete="off"
        spellCheck={false}
      />
      <Select
        label="Role"
        options={roleOptions(roles, role)}
        value={role}
        onValue={(next) => edit({ role: next })}
      />
    </Dialog>
  )
}
