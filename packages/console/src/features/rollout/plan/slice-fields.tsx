import { limits } from '@telltale/core/limits'
import { Radio } from '../../../ui/form/choice.tsx'
import { Field } from '../../../ui/form/field.tsx'
import type { PlanForm } from './plan-form.ts'

type SliceFieldsProps = {
  form: Pick<PlanForm, 'onSliceHarm' | 'sliceAttribute'>
  onForm: (part: Partial<Pick<PlanForm, 'onSliceHarm' | 'sliceAttribute'>>) => void
}

/** What happens when only some users are harmed. */
export function SliceFields({ form, onForm }: SliceFieldsProps) {
  return (
    <div className="grid min-w-0 gap-8">
      <Radio
        label="If only a slice of users is harmed"
        choices={[
          { value: 'roll-back', label: 'Roll back', hint: 'Harm counts as that of all users.' },
          {
            value: 'narrow',
            label: 'Exclude the slice',
            hint: 'A browser, device, country or version gets the control for a week, except for a probe of 10%. The rollout continues elsewhere.',
          },
        ]}
        value={form.onSliceHarm}
        onValue={(onSliceHarm) => onForm({ onSliceHarm })}
      />
      {form.onSliceHarm === 'narrow' && (
        <Field
          label="One more attribute"
          hint="Optional. Your application sets it in the evaluation context and as an event attribute."
          code
          maxLength={limits.attributeLength}
          value={form.sliceAttribute}
          onChange={({ target }) => onForm({ sliceAttribute: target.value })}
        />
      )}
    </div>
  )
}
