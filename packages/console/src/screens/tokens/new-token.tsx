import { useMutation } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { projectRoles, type TokenRole, tokenRoles } from '@telltale/core/permissions'
import { useState } from 'react'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import { type ApiToken, createToken } from '../../api/tokens.ts'
import { useAccount } from '../../shell/account.ts'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'

const day = 86_400_000
const lifetimes = [
  { value: 'month', label: '30 days', days: 30 },
  { value: 'quarter', label: '90 days', days: 90 },
  { value: 'year', label: 'One year', days: 365 },
  { value: 'ever', label: 'Never', days: 0 },
] as const

interface Draft {
  name: string
  /** Empty: every project. */
  project: string
  role: TokenRole
  lifetime: (typeof lifetimes)[number]['value']
}

type NewTokenProps = {
  onMade: (made: { token: ApiToken; value: string }) => void
  onClose: () => void
}

export function NewToken({ onMade, onClose }: NewTokenProps) {
  const { user, projects } = useAccount()
  const [draft, setDraft] = useState<Draft>({ name: '', project: '', role: 'editor', lifetime: 'quarter' })
  const [openedAt] = useState(() => Date.now())
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  const [isChecked, setChecked] = useState(false)
  const creation = useMutation({ mutationFn: createToken, onSuccess: onMade })
  const problem = creation.error && toProblem(creation.error)
  const roles = user.role === 'owner' && draft.project === '' ? tokenRoles : projectRoles

  /** Edits after a failure need a new idempotency key. */
  function edit(part: Partial<Draft>) {
    const next = { ...draft, ...part }
    const isOwnerOfOne = next.role === 'owner' && next.project !== ''
    setDraft(isOwnerOfOne ? { ...next, role: 'admin' } : next)
    setIdempotencyKey(newIdempotencyKey())
  }

  function submit() {
    setChecked(true)
    if (draft.name.trim() === '' || creation.isPending) return
    const days = lifetimes.find(({ value }) => value === draft.lifetime)?.days ?? 0
    creation.mutate({
      idempotencyKey,
      draft: {
        name: draft.name.trim(),
        role: draft.role,
        ...(draft.project === '' ? {} : { project: draft.project }),
        ...(days === 0 ? {} : { expiresAt: new Date(openedAt + days * day).toISOString() }),
      },
    })
  }

  return (
    <Dialog
      title="New API token"
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Create token" busy={creation.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={problem} />
      <Field
        label="Name"
        hint="For example, the script that uses it."
        value={draft.name}
        onChange={(event) => edit({ name: event.currentTarget.value })}
        maxLength={limits.nameLength}
        fault={isChecked && draft.name.trim() === '' ? 'Enter a name.' : undefined}
        autoComplete="off"
      />
      <Select
        label="Scope"
        options={[
          { value: '', label: 'All your projects' },
          ...projects.map(({ key, name }) => ({ value: key, label: `${name} (${key})` })),
        ]}
        value={draft.project}
        onValue={(project) => edit({ project })}
      />
      <Select
        label="Role"
        hint="At most your own role."
        options={roles.map((role) => ({ value: role, label: role[0]?.toUpperCase() + role.slice(1) }))}
        value={draft.role}
        onValue={(role) => edit({ role })}
      />
      <Select
        label="Expires after"
        options={lifetimes}
        value={draft.lifetime}
        onValue={(lifetime) => edit({ lifetime })}
      />
    </Dialog>
  )
}
