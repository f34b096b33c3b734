import type { Ref, SelectHTMLAttributes } from 'react'
import { Icon } from '../icon.tsx'
import { FieldFrame, inputClass } from './field.tsx'

interface Option<Value extends string = string> {
  value: Value
  label: string
  disabled?: boolean
}

type SelectProps<Value extends string> = Omit<
  SelectHTMLAttributes<HTMLSelectElement>,
  'value' | 'onChange' | 'children'
> & {
  ref?: Ref<HTMLSelectElement>
  label: string
  hideLabel?: boolean
  hint?: string
  fault?: string | undefined
  options: readonly Option<Value>[]
  value: Value
  onValue: (value: Value) => void
}

/** The native select: works on every device and with every screen reader. For long lists see `Combobox`. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, hideLabel, hint, fault, options, value, onValue, ...select } = props

  return (
    <FieldFrame label={label} hideLabel={hideLabel ?? false} hint={hint} fault={fault}>
      {(attributes) => (
        <span className="relative flex min-w-0">
          <select
            {...attributes}
            {...select}
            className={`h-ctl cursor-pointer appearance-none pr-32! ${inputClass}`}
            value={value}
            onChange={(event) => {
              const chosen = options[event.currentTarget.selectedIndex]
              if (chosen) onValue(chosen.value)
            }}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon
            name="down"
            className="pointer-events-none absolute inset-y-0 right-8 my-auto size-16 text-text-2"
          />
        </span>
      )}
    </FieldFrame>
  )
}
