import { useId } from 'react'
import type { Fault } from '../../../api/problem.ts'
import { Checkbox, Radio } from '../../../ui/form/choice.tsx'
import { faultUnder } from './plan-faults.ts'
import type { Plan, PlanForm } from './plan-form.ts'
import { SpanField } from './span-field.tsx'

type UndecidedProps = {
  form: Pick<PlanForm, 'whenUndecided'>
  plan: Pick<Plan, 'timeBox'>
  faults: readonly Fault[]
  onForm: (part: { timeBox?: number; whenUndecided?: PlanForm['whenUndecided'] }) => void
}

/** When a stage is not decided in its time. */
export function UndecidedFields({ form, plan, faults, onForm }: UndecidedProps) {
  const id = useId()
  const fault = faultUnder(faults, '/timeBox')
  return (
    <div className="grid min-w-0 gap-8">
      <div className="flex min-w-0 flex-wrap items-center gap-8">
        <span className="font-medium">Stage time limit</span>
        <SpanField
          label="Stage time limit"
          span={plan.timeBox}
          isFaulty={fault !== undefined}
          describedBy={fault ? id : undefined}
          onSpan={(timeBox) => onForm({ timeBox })}
        />
      </div>
      {fault && (
        <p id={id} className="text-12 text-bad">
          {fault}
        </p>
      )}
      <Radio
        label="If undecided"
        choices={[
          { value: 'hold', label: 'Hold', hint: 'Stays at its percentage until a member decides.' },
          { value: 'revert', label: 'Roll back', hint: 'Everyone returns to the control.' },
          {
            value: 'ship',
            label: 'Continue at your own risk',
            hint: 'Accepts undecided metrics. A regression still stops the rollout.',
          },
        ]}
        value={form.whenUndecided}
        onValue={(whenUndecided) => onForm({ whenUndecided })}
      />
    </div>
  )
}

type ReassignProps = {
  freshDraw: boolean
  onForm: (part: { freshDraw: boolean }) => void
}

export function ReassignField({ freshDraw, onForm }: ReassignProps) {
  return (
    <Checkbox
      label="Reassign users"
      hint="Reassigns users to variations at the start, so effects of earlier rollouts of this flag don't carry over. Users may change variation once."
      checked={freshDraw}
      onChecked={(checked) => onForm({ freshDraw: checked })}
    />
  )
}
