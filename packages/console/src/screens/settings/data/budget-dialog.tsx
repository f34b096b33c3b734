import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import { type Storage, setBudget, storageQuery } from '../../../api/retention.ts'
import { Field } from '../../../ui/form/field.tsx'
import { Notice, ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { bytesText } from '../../../ui/text/measure-text.ts'

const gigabyte = 1_000_000_000

type BudgetDialogProps = { project: string; storage: Storage; onClose: () => void }

export function BudgetDialog({ project, storage, onClose }: BudgetDialogProps) {
  const { budgetBytes, usedBytes } = storage
  const [text, setText] = useState(budgetBytes === null ? '' : String(budgetBytes / gigabyte))
  const [isChecked, setChecked] = useState(false)
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: setBudget,
    onSuccess: async () => {
      showToast({ text: 'Budget saved. It applies from the next nightly cleanup.' })
      onClose()
      await queryClient.invalidateQueries({ queryKey: storageQuery(project).queryKey })
    },
  })
  const bytes = text.trim() === '' ? null : Math.round(Number(text) * gigabyte)
  const isGood = bytes === null || (bytes >= limits.budgetMinimum && bytes <= limits.budgetMaximum)
  const problem = saving.error && toProblem(saving.error)

  function save() {
    setChecked(true)
    if (isGood && !saving.isPending) saving.mutate({ project, bytes })
  }

  return (
    <Dialog
      title="Budget of the project"
      description={`Maximum disk space for the telemetry of all environments. Now: ${bytesText(usedBytes)}.`}
      onClose={onClose}
      onSubmit={save}
      footer={<FormButtons verb="Save budget" busy={saving.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={problem} />
      <Field
        label="Budget in GB"
        hint="If empty, no budget."
        inputMode="decimal"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        fault={
          isChecked && !isGood
            ? `Enter a number from ${(limits.budgetMinimum / gigabyte).toFixed(2)}, or leave empty.`
            : undefined
        }
        autoComplete="off"
      />
      {bytes !== null && isGood && bytes < usedBytes && (
        <Notice
          tone="warn"
          title={`The next nightly cleanup deletes about ${bytesText(usedBytes - bytes)}`}
          detail="The oldest days of all environments are deleted first. Today and kept sessions are not deleted."
        />
      )}
    </Dialog>
  )
}
