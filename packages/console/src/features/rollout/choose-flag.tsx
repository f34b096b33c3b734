import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flagChoicesQuery, targetedFlagQuery } from '../../api/flag-configs.ts'
import { type Problem, toProblem } from '../../api/problem.ts'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'
import { useSettled } from '../../ui/use-settled.ts'

type ChooseFlagProps = {
  project: string
  title: string
  onFlag: (flag: string) => void
  onClose: () => void
}

/** The first step when the screen has no flag. */
export function ChooseFlag({ project, title, onFlag, onClose }: ChooseFlagProps) {
  const [text, setText] = useState('')
  const search = useSettled(text.trim(), text.trim())
  const flags = useQuery(flagChoicesQuery({ project, search }))
  const open = (flags.data ?? []).filter(({ archivedAt }) => archivedAt === null)
  const queryClient = useQueryClient()
  // Queried from the server: fast typing is ahead of the suggestions.
  const choosing = useMutation({
    mutationFn: (flag: string) => queryClient.fetchQuery(targetedFlagQuery({ project, flag })),
    onSuccess: ({ key }) => onFlag(key),
  })
  const choose = (key: string) => {
    if (key.trim() !== '' && !choosing.isPending) choosing.mutate(key.trim())
  }
  return (
    <Dialog
      title={title}
      description="Flag"
      onClose={onClose}
      onSubmit={() => choose(text)}
      footer={<FormButtons verb="Continue" busy={choosing.isPending} onCancel={onClose} />}
    >
      <Combobox
        label="Flag"
        code
        suggestions={open.map(({ key, name }) => ({ value: key, note: name }))}
        value={text}
        onValue={(next) => {
          setText(next)
          choosing.reset()
        }}
        onCommit={choose}
        fault={choosing.error ? faultOf(toProblem(choosing.error)) : undefined}
      />
    </Dialog>
  )
}

function faultOf({ status, title }: Problem): string {
  return status === 404 ? 'No flag has this key.' : title
}
