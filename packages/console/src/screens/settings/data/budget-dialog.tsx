import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import { type Storage, setBudget, storageQuery } from '../../../api/retention.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
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
      showToast({ text: 'The budget is saved. It holds from the next night on.' })
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
      description={`What the telemetry of all its environments may take on disk. It takes ${bytesText(usedBytes)} now.`}
      onClose={onClose}
      onSubmit={save}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={saving.isPending}>
            Save the budget
          </Button>
        </>
      }
    >
      {problem && <Notice title={problem.title} detail={problem.detail} requestId={problem.requestId} />}
      <Field
        label="Budget in GB"
        hint="Empty: as much as there is."
        inputMode="decimal"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        fault={
          isChecked && !isGood
            ? `A number from ${(limits.budgetMinimum / gigabyte).toFixed(2)} on, or nothing.`
            : undefined
        }
        autoComplete="off"
      />
      {bytes !== null && isGood && bytes < usedBytes && (
        <Notice
          tone="warn"
          title={`The next night removes about ${bytesText(usedBytes - bytes)}`}
          detail="The oldest days of all environments go first. Today and sessions that people keep stay."
        />
      )}
    </Dialog>
  )
}
