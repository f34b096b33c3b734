import { Checkbox } from '../../../ui/form/choice.tsx'
import type { PlanForm } from './plan-form.ts'

type ProofFieldProps = {
  /** The rolled-back rollout with an explanation. */
  of: string
  form: Pick<PlanForm, 'proves'>
  fault: string | undefined
  onForm: (part: Pick<PlanForm, 'proves'>) => void
}

/** Whether the errors and failed requests that explained a rollback are required to be gone. */
export function ProofField({ of, form, fault, onForm }: ProofFieldProps) {
  return (
    <div className="grid gap-4">
      <Checkbox
        label="Prove the fix"
        hint="No stage ends before the errors and failed requests that explained the rollback are gone."
        checked={form.proves !== undefined}
        onChecked={(checked) => onForm({ proves: checked ? of : undefined })}
      />
      {fault && <p className="text-12 text-bad">{fault}</p>}
    </div>
  )
}
