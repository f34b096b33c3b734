import { holdoutEnds } from '@telltale/core/holdout-ends'
import type { Holdout } from '../../../api/holdouts.ts'
import { Select } from '../../../ui/form/select.tsx'
import { DaysField } from '../days-field.tsx'
import { endChoices } from './holdout-words.ts'

export interface Duration {
  days: string
  whenOver: Holdout['whenOver']
}

type DurationFieldsProps = {
  value: Duration
  fault: string | undefined
  onChange: (change: Partial<Duration>) => void
}

/** The planned days of a holdout, and what happens after them. */
export function DurationFields({ value, fault, onChange }: DurationFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-12 max-wide:grid-cols-1">
      <DaysField
        value={value.days}
        fault={fault}
        hint="90 or 91 for a quarter."
        onValue={(days) => onChange({ days })}
      />
      <Select
        label="After these days"
        options={holdoutEnds.map((end) => ({ value: end, label: endChoices[end] }))}
        value={value.whenOver}
        onValue={(next) => onChange({ whenOver: holdoutEnds.find((end) => end === next) ?? 'continue' })}
      />
    </div>
  )
}
