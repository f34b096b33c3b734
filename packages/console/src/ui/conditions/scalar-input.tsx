import type { Scalar } from '@telltale/core/changes/condition-words'
import { limits } from '@telltale/core/limits'
import { Field } from '../form/field.tsx'
import { Select } from '../form/select.tsx'
import { NumberInput } from './number-input.tsx'
import { numberOf } from './operators.ts'

const kinds = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Yes or no' },
] as const
const truths = [
  { value: 'true', label: 'true' },
  { value: 'false', label: 'false' },
] as const

type ScalarInputProps = {
  value: Scalar
  onValue: (value: Scalar) => void
  fault?: string | undefined
}

/** A value with its type: the number 5 differs from the text "5". */
export function ScalarInput({ value, onValue, fault }: ScalarInputProps) {
  const kind = typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text'
  return (
    <div className="flex min-w-0 items-start gap-6">
      <div className="min-w-0 flex-1">
        {typeof value === 'number' ? (
          <NumberInput label="Number" value={value} fault={fault} onValue={onValue} />
        ) : typeof value === 'boolean' ? (
          <Select
            label="Value"
            hideLabel
            options={truths}
            value={value ? 'true' : 'false'}
            onValue={(next) => onValue(next === 'true')}
            fault={fault}
          />
        ) : (
          <Field
            label="Value"
            hideLabel
            placeholder="Text"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={limits.conditionValueLength}
            value={value}
            fault={fault}
            onChange={(event) => onValue(event.currentTarget.value)}
          />
        )}
      </div>
      <span className="w-[13ch] shrink-0">
        <Select
          label="The value is"
          hideLabel
          options={kinds}
          value={kind}
          onValue={(next) =>
            onValue(next === 'boolean' ? true : next === 'number' ? numberOf(String(value)) : textOf(value))
          }
        />
      </span>
    </div>
  )
}

function textOf(value: Scalar): string {
  return Number.isNaN(value) ? '' : String(value)
}
