import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { isKey } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { createDashboard, type DashboardDraft, dashboardsKey } from '../../api/dashboards.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import { FlagField } from '../../features/dashboards/flag-field.tsx'
import { templates } from '../../features/dashboards/templates.ts'
import { Radio } from '../../ui/form/choice.tsx'
import { Field } from '../../ui/form/field.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'

const empty = 'empty'
const choices = [
  { value: empty, label: 'Empty', hint: 'Add tiles yourself.' },
  ...templates.map(({ id, name, note }) => ({ value: id, label: name, hint: note })),
]

type NewDashboardProps = { project: string; template: string | undefined; onClose: () => void }

/** Name and template; the tiles follow on its screen. */
export function NewDashboard({ project, template: initial = empty, onClose }: NewDashboardProps) {
  const [template, setTemplate] = useState(initial)
  const [typed, setTyped] = useState<string>()
  const [flag, setFlag] = useState('')
  const [isChecked, setChecked] = useState(false)
  const [idempotencyKey, setKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const chosen = templates.find(({ id }) => id === template)
  const usual = chosen?.ofFlag && flag !== '' ? `${chosen.name}: ${flag}` : (chosen?.name ?? '')
  const name = typed ?? usual
  const creating = useMutation({
    mutationFn: (draft: DashboardDraft) => createDashboard({ project, draft, idempotencyKey }),
    onSuccess: async ({ id, tiles }) => {
      await queryClient.invalidateQueries({ queryKey: dashboardsKey(project) })
      await navigate({
        to: '/p/$project/dashboards/$dashboard',
        params: { project, dashboard: id },
        search: tiles.length === 0 ? { edit: true } : {},
        replace: true,
      })
    },
  })
  const faults = {
    name: name.trim() === '' ? 'Enter a name.' : undefined,
    flag: chosen?.ofFlag && !isKey(flag.trim()) ? 'Choose a flag.' : undefined,
  }
  const shown = isChecked ? faults : { name: undefined, flag: undefined }

  function edited() {
    setKey(newIdempotencyKey())
    creating.reset()
  }
  function submit() {
    setChecked(true)
    if (faults.name || faults.flag || creating.isPending) return
    const made = chosen?.make(flag.trim()) ?? {
      description: '',
      tiles: [],
      defaults: { range: '24h' as const },
    }
    creating.mutate({ ...made, name: name.trim() })
  }

  return (
    <Dialog
      title="New dashboard"
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Create dashboard" busy={creating.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={creating.error && toProblem(creating.error)} />
      <Radio
        label="Template"
        choices={choices}
        value={template}
        onValue={(next) => {
          setTemplate(next)
          edited()
        }}
      />
      {chosen?.ofFlag && (
        <FlagField
          project={project}
          value={flag}
          onValue={(next) => {
            setFlag(next)
            edited()
          }}
          fault={shown.flag}
        />
      )}
      <Field
        label="Name"
        value={name}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          edited()
        }}
        maxLength={limits.nameLength}
        fault={shown.name}
        autoComplete="off"
      />
    </Dialog>
  )
}
