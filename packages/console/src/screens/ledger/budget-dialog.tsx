import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import {
  deleteHarmBudget,
  type HarmBudget,
  type HarmBudgetDraft,
  ledgerKey,
  setHarmBudget,
} from '../../api/ledger.ts'
import { toProblem } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { Segmented, Switch } from '../../ui/form/choice.tsx'
import { Field } from '../../ui/form/field.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'

interface BudgetDialogProps {
  place: { project: string; env: string }
  budget: HarmBudget | null
  onClose: () => void
}

/** Sets, changes or removes the budget of an environment. */
export function BudgetDialog({ place, budget, onClose }: BudgetDialogProps) {
  const [unit, setUnit] = useState<HarmBudgetDraft['unit']>(budget?.unit ?? 'users')
  const [text, setText] = useState(budget === null ? '' : amountText(budget))
  const [waits, setWaits] = useState(budget?.policy === 'wait')
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const amount = parseAmount(text, unit)
  const fault = amount === undefined ? faultOf(unit) : undefined
  const saving = useSaved(place, onClose, () =>
    setHarmBudget({
      ...place,
      budget: {
        ...{ amount: amount ?? 0, unit, policy: waits ? 'wait' : 'warn' },
        ...(reason.trim() !== '' && { reason: reason.trim() }),
      },
    }),
  )
  const removing = useSaved(place, onClose, () => deleteHarmBudget(place))
  const error = saving.error ?? removing.error
  const isBusy = saving.isPending || removing.isPending
  function submit() {
    setChecked(true)
    if (fault === undefined && !isBusy) saving.mutate()
  }
  return (
    <Dialog
      title="Budget of harm"
      description="How many users flag variations may affect in a month. Only confirmed harm counts."
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          {budget !== null && (
            <Button look="danger" busy={removing.isPending} onClick={() => !isBusy && removing.mutate()}>
              Remove
            </Button>
          )}
          <FormButtons verb="Save" busy={saving.isPending} onCancel={onClose} />
        </>
      }
    >
      <ProblemNotice problem={error && toProblem(error)} />
      <Segmented
        label="Unit"
        choices={[
          { value: 'users', label: 'Users' },
          { value: 'share', label: '% of users' },
        ]}
        value={unit}
        onValue={setUnit}
      />
      <Field
        label={unit === 'users' ? 'Affected users per month' : 'Affected users per month, %'}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        fault={isChecked ? fault : undefined}
        inputMode="decimal"
        autoComplete="off"
        autoFocus
      />
      <Switch
        label="Rollouts wait while it is spent"
        hint="They do not advance to the next stage. Rollbacks never wait. Maintainers may continue with a reason."
        checked={waits}
        onChecked={setWaits}
      />
      <Field
        label="Reason (optional)"
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        maxLength={limits.descriptionLength}
        hint="Shown in the audit log."
        autoComplete="off"
      />
    </Dialog>
  )
}

const amountText = ({ amount, unit }: HarmBudget) =>
  String(unit === 'users' ? amount : Number((amount * 100).toPrecision(10)))

function parseAmount(text: string, unit: HarmBudgetDraft['unit']): number | undefined {
  const value = Number(text.trim())
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) return undefined
  if (unit === 'users') return Number.isSafeInteger(value) && value <= 1e9 ? value : undefined
  return value <= 100 ? value / 100 : undefined
}

const faultOf = (unit: HarmBudgetDraft['unit']) =>
  unit === 'users' ? 'Enter a whole number of users.' : 'Enter a percentage from 0 to 100.'

function useSaved(place: BudgetDialogProps['place'], onClose: () => void, save: () => Promise<unknown>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: save,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ledgerKey(place) })
      onClose()
    },
  })
}
